package io.delayjob.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** docs/properties.md is what an IDE shows of the properties of all modules. */
class PropertiesPageTest {

    private static final String PATH = "META-INF/spring-configuration-metadata.json";

    private final List<JsonNode> properties = properties();

    @Test
    void knowsThePropertiesOfAllModules() {
        assertThat(properties)
                .extracting(PropertiesReference::name)
                .contains(
                        "delayjob.lease",
                        "delayjob.health.timeout",
                        "delayjob.redis.url",
                        "delayjob.server.admin-token",
                        "delayjob.client.url");
    }

    @Test
    void describesEveryPropertyInPlainText() {
        assertThat(properties)
                .allSatisfy(property -> assertThat(property.path("description").stringValue(""))
                        .as("%s", property)
                        .matches("[A-Z][^{}<>@]+\\."));
    }

    @Test
    void statesTheTypeOfEveryProperty() {
        assertThat(properties)
                .allSatisfy(property -> assertThat(property.path("type").stringValue(""))
                        .as("%s", property)
                        .matches("(java|org\\.springframework|io\\.delayjob)\\..+"));
    }

    @Test
    void statesTheDefaultOfEveryPropertyOrWhatHoldsWithoutOne() {
        assertThat(properties).allSatisfy(property -> {
            boolean said = property.path("description").stringValue("").contains("f not set");
            boolean perQueue = property.path("name").stringValue("").equals("delayjob.queues");
            assertThat(property.has("defaultValue") || said || perQueue)
                    .as("%s", property)
                    .isTrue();
        });
    }

    /** Writes the page instead where {@code -Ddelayjob.docs.write=true} says so. */
    @Test
    void isWhatThePageOfThePropertiesShows() throws IOException {
        Path page = Path.of("../../docs/properties.md");
        String current = PropertiesReference.page(properties);
        if (Boolean.getBoolean("delayjob.docs.write")) {
            Files.writeString(page, current);
        }
        assertThat(page).as("out of date: see CONTRIBUTING.md, Documentation").hasContent(current);
    }

    static List<JsonNode> properties() {
        return metadata().toList();
    }

    /** Of delayjob's modules, whose metadata names properties of delayjob. */
    private static Stream<JsonNode> metadata() {
        try {
            return Collections.list(PropertiesPageTest.class.getClassLoader().getResources(PATH)).stream()
                    .map(PropertiesPageTest::metadata)
                    .filter(module -> module.path("properties")
                            .valueStream()
                            .anyMatch(property ->
                                    property.path("name").stringValue("").startsWith("delayjob.")))
                    .flatMap(module -> module.path("properties").valueStream());
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
