package io.delayjob.testing;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** Starts the shared server in a container, when Docker is there; says why when it is not. */
final class DockerRedis {
    private static final String IMAGE = System.getProperty("delayjob.test.redis.image", "redis:7");
    private static final int SECONDS = 60;

    private String reason = "no DOCKER_HOST and no daemon on a known socket";

    /** Why there is no container. */
    String reason() {
        return reason;
    }

    Optional<RedisServer> start() {
        return isLikelyThere() ? startBounded() : Optional.empty();
    }

    // Testcontainers takes long to find out that there is no Docker.
    private static boolean isLikelyThere() {
        return !System.getenv().getOrDefault("DOCKER_HOST", "").isBlank()
                || sockets().anyMatch(DockerRedis::answers);
    }

    private static Stream<Path> sockets() {
        String runtime = System.getenv().getOrDefault("XDG_RUNTIME_DIR", "/run");
        return Stream.of(
                Path.of("/var/run/docker.sock"),
                Path.of(runtime, "docker.sock"),
                Path.of(System.getProperty("user.home", "."), ".docker", "run", "docker.sock"));
    }

    private static boolean answers(Path socket) {
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            return channel.isConnected();
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }

    // On a thread of its own: a registry that cannot be reached keeps Testcontainers busy for minutes.
    private Optional<RedisServer> startBounded() {
        FutureTask<RedisServer> task = new FutureTask<>(() -> RedisContainer.start(IMAGE));
        Thread thread = new Thread(task, "delayjob-test-container");
        thread.setDaemon(true);
        thread.start();
        try {
            return Optional.of(task.get(SECONDS, TimeUnit.SECONDS));
        } catch (ExecutionException e) {
            return without(String.valueOf(e.getCause()));
        } catch (TimeoutException e) {
            return without("container of %s not started within %d seconds".formatted(IMAGE, SECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return without("interrupted");
        }
    }

    private Optional<RedisServer> without(String why) {
        reason = why;
        System.err.println("Tests go on without Docker: " + why);
        return Optional.empty();
    }
}
