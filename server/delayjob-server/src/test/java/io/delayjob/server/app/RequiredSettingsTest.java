package io.delayjob.server.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

class RequiredSettingsTest {

    private static List<String> missing(Map<String, Object> variables) {
        StandardEnvironment environment = new StandardEnvironment();
        environment
                .getPropertySources()
                .replace(
                        StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                        new SystemEnvironmentPropertySource(
                                StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, variables));
        ConfigurationPropertySources.attach(environment);
        return RequiredSettings.missing(environment);
    }

    @Test
    void aProgramThatMayStartARedisOfItsOwnNeedsNone() {
        assertThat(missing(Map.of())).isEmpty();
        assertThat(missing(Map.of("EMBEDDED_REDIS_FOLDER", "/data"))).isEmpty();
    }

    @Test
    void namesRedisAndTheToken() {
        assertThat(missing(Map.of("EMBEDDED_REDIS_FOLDER", "false")))
                .hasSize(2)
                .anyMatch(text -> text.contains("SPRING_DATA_REDIS_URL"))
                .anyMatch(text -> text.contains("DELAYJOB_SERVER_ADMIN_TOKEN"));
    }

    @Test
    void anEmptyTokenIsNone() {
        assertThat(missing(Map.of(
                        "EMBEDDED_REDIS_FOLDER", "false",
                        "DELAYJOB_REDIS_URL", "redis://redis:6379",
                        "DELAYJOB_SERVER_ADMIN_TOKEN", "")))
                .singleElement()
                .asString()
                .startsWith("The first token");
    }

    @Test
    void anIssuerOfTokensReplacesTheFirstToken() {
        assertThat(missing(Map.of(
                        "EMBEDDED_REDIS_FOLDER", "false",
                        "SPRING_DATA_REDIS_HOST", "redis",
                        "SPRING_SECURITY_OAUTH2_RESOURCESERVER_JWT_ISSUER_URI", "https://login.example.com")))
                .isEmpty();
    }
}
