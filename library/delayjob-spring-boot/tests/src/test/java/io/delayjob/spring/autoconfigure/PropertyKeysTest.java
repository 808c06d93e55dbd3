package io.delayjob.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.spring.InvalidConfigurationException;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.io.ClassPathResource;

@ExtendWith(OutputCaptureExtension.class)
class PropertyKeysTest {

    private final StandardEnvironment environment = new StandardEnvironment();
    private final ClassLoader classes = getClass().getClassLoader();

    PropertyKeysTest() {
        environment
                .getPropertySources()
                .forEach(source -> environment.getPropertySources().remove(source.getName()));
    }

    private void set(String key) {
        environment.getPropertySources().addFirst(new MapPropertySource("file with " + key, Map.of(key, "5")));
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            delayjob.leese,            delayjob.leese,            delayjob.lease
            delayjob.maxAtempts,       delayjob.maxatempts,       delayjob.max-attempts
            delayjob.max.attempts,     delayjob.max.attempts,     delayjob.max-attempts
            delayjob.backoff.inital,   delayjob.backoff.inital,   delayjob.backoff.initial
            delayjob.helth.timeout,    delayjob.helth.timeout,    delayjob.health.timeout
            delayjob.queue.mail.lease, delayjob.queue.mail.lease, delayjob.queues.mail.lease
            delayjob.retryfro[0],      delayjob.retryfro[0],      delayjob.retry-for
            """)
    void refusesAMisspeltKeyAndNamesTheNearest(String key, String named, String meant) {
        set(key);
        assertRefused(named + " is not a property: did you mean " + meant + "?");
    }

    @ParameterizedTest
    @ValueSource(strings = {"delayjob.carrier-pigeons", "delayjob.lease.time", "delayjob.backoff.initial.unit"})
    void refusesAKeyThatIsLikeNoOther(String key) {
        set(key);
        assertRefused(key + " is not a property; docs/properties.md lists all properties.");
    }

    @Test
    void namesEachOfThem() {
        set("delayjob.leese");
        set("delayjob.shard");
        assertRefused("delayjob.shard is not a property: did you mean delayjob.shards?"
                + " delayjob.leese is not a property: did you mean delayjob.lease?");
    }

    private void assertRefused(String message) {
        assertThatThrownBy(() -> PropertyKeys.refuseUnknown(environment, classes))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessage(message);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "delayjob.maxAttempts",
                "delayjob.QUARANTINE_AFTER",
                "delayjob.retry-for",
                "delayjob.no-retry-for[0]",
                "delayjob.health.whilePaused",
                "delayjob.observation-enabled",
                "delayjob.backoff",
                "delayjob.queues",
                "delayjob.queues.mail.anything",
                "delayjob.queues[orders.eu].lease",
                "delayjobs.lease",
                "management.health.delayjob.enabled"
            })
    void takesAKeyThatMeansSomething(String key) {
        set(key);
        assertTaken(classes);
    }

    private void assertTaken(ClassLoader with) {
        assertThatCode(() -> PropertyKeys.refuseUnknown(environment, with)).doesNotThrowAnyException();
    }

    @Test
    void takesAKeyThatAnotherModuleDescribes(@TempDir Path module) throws IOException {
        Files.createDirectory(module.resolve("META-INF"));
        Files.writeString(
                module.resolve("META-INF/spring-configuration-metadata.json"),
                "{\"properties\": [{\"name\": \"delayjob.carrier-pigeons\", \"type\": \"java.lang.Integer\"}]}");
        set("delayjob.carrier-pigeons");
        try (URLClassLoader with = new URLClassLoader(new URL[] {module.toUri().toURL()}, classes)) {
            assertTaken(with);
        }
    }

    @Test
    void refusesNothingWhereNobodyCanSayWhatIsKnown() {
        set("delayjob.leese");
        assertTaken(new FilteredClassLoader(new ClassPathResource("META-INF/spring-configuration-metadata.json")));
    }

    @Test
    void hintsAtVariablesAndSystemPropertiesThatAreNearlyRightAndLetsTheOthersBe(CapturedOutput output) {
        environment
                .getPropertySources()
                .addFirst(new SystemEnvironmentPropertySource(
                        StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                        Map.of(
                                "DELAYJOB_LEESE", "5s",
                                "DELAYJOB_MAX_ATTEMPTS", "5",
                                "DELAYJOB_QUEUES_MAIL_MAX_ATTEMPTS", "5",
                                "DELAYJOB_RETRY_FOR_0_", "java.io.IOException",
                                "DELAYJOB_SERVICE_HOST", "10.0.0.1",
                                "DELAYJOB_PORT", "tcp://10.0.0.1:80")));
        environment
                .getPropertySources()
                .addFirst(new MapPropertySource(
                        StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME,
                        Map.of("delayjob.shard", "2", "delayjob.test.redis.image", "redis:7")));
        assertTaken(classes);
        assertThat(output.getAll().lines().filter(line -> line.contains("is not a property")))
                .satisfiesExactlyInAnyOrder(
                        line -> assertThat(line)
                                .endsWith("delayjob.leese is not a property: did you mean delayjob.lease?"),
                        line -> assertThat(line)
                                .endsWith("delayjob.shard is not a property: did you mean delayjob.shards?"));
    }
}
