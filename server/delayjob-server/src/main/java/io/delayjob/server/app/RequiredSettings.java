package io.delayjob.server.app;

import io.delayjob.embedded.autoconfigure.RedisLocation;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.Environment;

/**
 * Ends a program that may start no Redis of its own ({@code embedded-redis.folder=false}, as in a container) before it begins, if it is not told where Redis is, or
 * who may use it: a token that it made would be in a log that nobody reads.
 */
final class RequiredSettings implements ApplicationContextInitializer<ConfigurableApplicationContext> {

    private static final List<String> ISSUERS = Stream.of("issuer-uri", "jwk-set-uri", "public-key-location")
            .map(name -> "spring.security.oauth2.resourceserver.jwt." + name)
            .toList();

    @Override
    public void initialize(ConfigurableApplicationContext context) {
        List<String> missing = missing(context.getEnvironment());
        if (!missing.isEmpty()) {
            throw new MissingSettingsException(missing);
        }
    }

    /** The settings that are missing, a sentence each. */
    static List<String> missing(Environment environment) {
        List<String> missing = new ArrayList<>();
        if (!environment.getProperty("embedded-redis.folder", "").equals("false")) {
            return missing;
        }
        if (RedisLocation.isNowhere(environment)) {
            missing.add(
                    "Where Redis is: set SPRING_DATA_REDIS_URL, such as redis://:password@redis:6379, or DELAYJOB_REDIS_URL.");
        }
        if (environment.getProperty("delayjob.server.admin-token", "").isEmpty()
                && ISSUERS.stream().noneMatch(environment::containsProperty)) {
            missing.add("The first token: set DELAYJOB_SERVER_ADMIN_TOKEN to a long secret, or"
                    + " SPRING_SECURITY_OAUTH2_RESOURCESERVER_JWT_ISSUER_URI to who issues tokens.");
        }
        return missing;
    }
}
