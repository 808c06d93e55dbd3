package io.delayjob.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The table in docs/configuration.md has every property of nodes, with its default. */
class ConfigurationPageTest {

    private static final Path PAGE = Path.of("../../docs/configuration.md");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `(delayjob\\.[a-z.-]+)` \\|[^|\n]*\\| ([^|\n]*) \\|");

    @Test
    void explainsEveryProperty() throws IOException {
        assertThat(rows()).containsOnlyKeys(defaults(stated -> true).keySet());
    }

    @Test
    void statesTheDefaultOfEveryPropertyThatHasOne() throws IOException {
        assertThat(rows()).containsAllEntriesOf(defaults(stated -> !stated.isEmpty()));
    }

    private static Map<String, String> rows() throws IOException {
        return ROW.matcher(Files.readString(PAGE))
                .results()
                .collect(Collectors.toMap((MatchResult row) -> row.group(1), row -> row.group(2)));
    }

    /**
     * By name, without those of a Redis for jobs alone and of single queues, which the table has in one row each, and without those of
     * the server, its client with its worker and those it calls back, the console and delivery, which have pages of their own.
     */
    private static Map<String, String> defaults(Predicate<String> which) {
        return PropertiesPageTest.properties().stream()
                .filter(
                        property -> PropertiesReference.name(property)
                                .matches(
                                        "delayjob\\.(?!redis\\.|queues$|(server|client|worker|callback|console|delivery)\\.).+"))
                .filter(property -> which.test(defaultOf(property)))
                .collect(Collectors.toMap(PropertiesReference::name, ConfigurationPageTest::defaultOf));
    }

    private static String defaultOf(JsonNode property) {
        return PropertiesReference.stated(property.path("defaultValue"));
    }
}
