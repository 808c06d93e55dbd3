package io.delayjob.redisson.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.spring.autoconfigure.DelayJobHealthProperties;
import io.delayjob.spring.autoconfigure.DelayJobJournalProperties;
import io.delayjob.spring.autoconfigure.DelayJobProperties;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Metadata of the properties, which IDEs show. */
class ConfigurationMetadataTest {

    private static final String PATH = "META-INF/spring-configuration-metadata.json";

    private final List<JsonNode> properties = properties();

    @Test
    void knowsEveryProperty() {
        Stream<String> expected = Stream.of(
                        names("delayjob.", DelayJobProperties.class)
                                .filter(name -> !Set.of(
                                                "delayjob.backoff", "delayjob.retention", "delayjob.replication")
                                        .contains(name)),
                        names("delayjob.backoff.", DelayJobProperties.Retry.class),
                        names("delayjob.retention.", DelayJobProperties.Kept.class),
                        names("delayjob.replication.", DelayJobProperties.Copies.class),
                        names("delayjob.health.", DelayJobHealthProperties.class),
                        names("delayjob.journal.", DelayJobJournalProperties.class),
                        names("delayjob.redis.", DelayJobRedisProperties.class)
                                .filter(name -> !Set.of(
                                                "delayjob.redis.ssl",
                                                "delayjob.redis.sentinel",
                                                "delayjob.redis.cluster")
                                        .contains(name)),
                        names("delayjob.redis.ssl.", DelayJobRedisProperties.Ssl.class),
                        names("delayjob.redis.sentinel.", DelayJobRedisProperties.Sentinel.class),
                        names("delayjob.redis.cluster.", DelayJobRedisProperties.Cluster.class),
                        Stream.of(
                                "delayjob.observation-enabled",
                                "management.endpoint.delayjob.access",
                                "management.endpoint.delayjob.cache.time-to-live",
                                "management.endpoint.delayjobschedules.access",
                                "management.endpoint.delayjobschedules.cache.time-to-live",
                                "management.health.delayjob.enabled"))
                .flatMap(names -> names);
        assertThat(properties)
                .extracting(property -> property.path("name").stringValue())
                .containsExactlyInAnyOrderElementsOf(expected.toList());
    }

    private static Stream<String> names(String prefix, Class<?> type) {
        return Arrays.stream(type.getRecordComponents())
                .map(component -> prefix
                        + component.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT));
    }

    @Test
    void helpsWithTheNamesOfBeansAndExceptions() {
        Set<String> names = Set.of("delayjob.backoff.policy", "delayjob.retry-for", "delayjob.no-retry-for");
        assertThat(metadata("hints").map(hint -> hint.path("name").stringValue("")))
                .containsExactlyInAnyOrderElementsOf(names);
        assertThat(properties)
                .extracting(property -> property.path("name").stringValue(""))
                .containsAll(names);
    }

    private static List<JsonNode> properties() {
        return metadata("properties").toList();
    }

    /** Of delayjob's modules, whose metadata names properties of delayjob. */
    private static Stream<JsonNode> metadata(String part) {
        try {
            return Collections.list(
                            ConfigurationMetadataTest.class.getClassLoader().getResources(PATH))
                    .stream()
                    .map(ConfigurationMetadataTest::metadata)
                    .filter(module -> module.path("properties")
                            .valueStream()
                            .anyMatch(property ->
                                    property.path("name").stringValue("").startsWith("delayjob.")))
                    .flatMap(module -> module.path(part).valueStream());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static JsonNode metadata(URL url) {
        try (InputStream in = url.openStream()) {
            return JsonMapper.shared().readTree(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
