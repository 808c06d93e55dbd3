package io.delayjob.testing;

import io.delayjob.embedded.EmbeddedRedis;
import io.delayjob.embedded.EmbeddedRedisException;
import io.delayjob.embedded.RedisCall;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds the shared server once and remembers the outcome, also a failure: the next class need not try again. */
final class SharedServer {
    static final String ADDRESS = "DELAYJOB_TEST_REDIS";

    private static @Nullable RedisServer server;
    private static @Nullable String failure;

    private SharedServer() {}

    static synchronized RedisServer get() {
        if (failure != null) {
            throw new IllegalStateException(failure);
        }
        if (server == null) {
            server = findAndTell();
        }
        return server;
    }

    private static RedisServer findAndTell() {
        try {
            RedisServer found = find();
            System.out.println("Tests use " + found.description());
            return found;
        } catch (RuntimeException e) {
            failure = e.getMessage();
            throw e;
        }
    }

    private static RedisServer find() {
        DockerRedis docker = new DockerRedis();
        return configured().or(docker::start).orElseGet(() -> local(docker));
    }

    private static Optional<RedisServer> configured() {
        String property = System.getProperty(ADDRESS, "");
        String address = property.isBlank() ? System.getenv().getOrDefault(ADDRESS, "") : property;
        return address.isBlank() ? Optional.empty() : Optional.of(answering(address.strip(), ADDRESS));
    }

    /** The server at an address, checked by asking for its version. */
    static RedisServer answering(String url, String origin) {
        try {
            return new RedisServer(url, RedisCall.version(url), origin);
        } catch (IOException | IllegalArgumentException e) {
            // the address may hold a password
            throw new IllegalStateException(
                    "The Redis of %s does not answer: %s"
                            .formatted(origin, e instanceof IOException ? e : "no address"),
                    e instanceof IOException ? e : null);
        }
    }

    private static RedisServer local(DockerRedis docker) {
        try {
            // Ended by its own JVM hook, so that tests of all classes can use it.
            EmbeddedRedis redis = EmbeddedRedis.startTemporary();
            return answering(redis.url(), redis.executable().toString());
        } catch (EmbeddedRedisException e) {
            throw new IllegalStateException(
                    "No Redis for the tests. %s: not set. Docker: %s. %s"
                            .formatted(ADDRESS, docker.reason(), e.getMessage()),
                    e);
        }
    }
}
