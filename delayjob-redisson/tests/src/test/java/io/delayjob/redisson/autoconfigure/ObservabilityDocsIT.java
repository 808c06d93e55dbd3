package io.delayjob.redisson.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobRequest;
import io.delayjob.DelayJobSchedules;
import io.delayjob.Schedule;
import io.delayjob.testing.RealRedis;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The dashboard, the alerts and the page about them name what a running node exports, and nothing else. */
@RealRedis
class ObservabilityDocsIT {

    private static final Path DOCS = Path.of("../../docs/observability");
    private static final Path PAGE = Path.of("../../docs/observability.md");

    /** Labels that Prometheus adds to everything it scrapes. */
    private static final Set<String> OF_PROMETHEUS = Set.of("instance", "job");

    private static final Pattern SAMPLE = Pattern.compile("(?m)^(delayjob_\\w+)\\{([^}]*)}");
    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"");
    private static final Pattern SELECTOR = Pattern.compile("(delayjob_\\w+)(?:\\{([^}]*)})?");
    private static final Pattern MATCHER = Pattern.compile("(\\w+)\\s*(?:=~|!~|!=|=)\\s*\"");
    private static final Pattern GROUPING = Pattern.compile("\\b(?:by|on|without|ignoring)\\s*\\(([^)]*)\\)");
    private static final Pattern ROW =
            Pattern.compile("(?m)^\\| `(delayjob\\.[a-z.]+)` \\|[^|\n]*\\|[^|\n]*\\| ([^|]*) \\|");

    private static final String QUEUE = TestApplication.queue();
    private static ConfigurableApplicationContext app;
    private static Map<String, Set<String>> exported = Map.of();

    /** An application with one job. */
    @Configuration(proxyBeanMethods = false)
    static class App {

        @Bean
        ParcelJob parcelJob(Inbox inbox) {
            return new ParcelJob(inbox);
        }
    }

    @BeforeAll
    static void runAJob() {
        app = TestApplication.start(App.class, QUEUE);
        app.getBean(DelayJobProducer.class)
                .submitDelayJob(DelayJobRequest.of(ParcelJob.class, new Parcel("a", 1)), Duration.ZERO);
        app.getBean(DelayJobProducer.class)
                .submitDelayJob(DelayJobRequest.toTopic("nobody", "a").withQueue(QUEUE), Duration.ZERO);
        // Its first occurrence waits for a handler, so that the next instants are skipped.
        app.getBean(DelayJobSchedules.class)
                .put(Schedule.every("often", "nobody", Duration.ofSeconds(1)).withQueue(QUEUE));
        await().until(() -> {
            exported = exported();
            return exported.containsKey("delayjob_unhandled_jobs")
                    && exported.containsKey("delayjob_schedules_skipped_total")
                    && exported.containsKey("delayjob_execution_seconds_count")
                    && exported.containsKey("delayjob_submit_seconds_count");
        });
    }

    @AfterAll
    static void close() {
        app.close();
    }

    /** The labels of every series, by its name. */
    private static Map<String, Set<String>> exported() {
        Map<String, Set<String>> names = new TreeMap<>();
        Matcher sample =
                SAMPLE.matcher(app.getBean(PrometheusMeterRegistry.class).scrape());
        while (sample.find()) {
            names.computeIfAbsent(sample.group(1), name -> new TreeSet<>()).addAll(all(LABEL, sample.group(2)));
        }
        return names;
    }

    private static List<String> all(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(found -> found.group(1)).toList();
    }

    @Test
    void theDashboardShowsWhatIsExported() throws IOException {
        JsonNode dashboard = JsonMapper.shared().readTree(Files.readString(DOCS.resolve("grafana-dashboard.json")));
        List<String> expressions = dashboard.findValuesAsString("expr");
        assertThat(expressions).hasSizeGreaterThan(20).allSatisfy(ObservabilityDocsIT::isExported);
        List<String> variables = dashboard.findValuesAsString("definition");
        assertThat(variables).hasSize(2).allSatisfy(variable -> {
            Matcher values = Pattern.compile("label_values\\((\\w+), (\\w+)\\)").matcher(variable);
            assertThat(values.matches()).isTrue();
            assertThat(exported.get(values.group(1))).contains(values.group(2));
        });
    }

    /** Some queues and jobs have counters only, as (other) has, and are no values of the variables. */
    @Test
    void theDashboardShowsAtFirstAlsoWhatItsVariablesDoNotList() throws IOException {
        JsonNode dashboard = JsonMapper.shared().readTree(Files.readString(DOCS.resolve("grafana-dashboard.json")));
        assertThat(dashboard.findParents("includeAll"))
                .hasSize(2)
                .allSatisfy(variable ->
                        assertThat(variable.path("allValue").asString()).isEqualTo(".*"));
    }

    @Test
    void theAlertsAskForWhatIsExported() throws IOException {
        try (Reader file = Files.newBufferedReader(DOCS.resolve("prometheus-alerts.yml"))) {
            List<Map<?, ?>> rules = rules(new Yaml().loadAs(file, Map.class));
            assertThat(rules).hasSizeGreaterThan(8).allSatisfy(rule -> {
                isExported(String.valueOf(rule.get("expr")));
                assertThat(rule.get("alert")).asString().startsWith("DelayJob");
                assertThat(rule.get("annotations")).asString().contains("summary=", "description=");
            });
        }
    }

    private static List<Map<?, ?>> rules(Map<?, ?> file) {
        return maps(file.get("groups"))
                .flatMap(group -> maps(group.get("rules")))
                .toList();
    }

    private static Stream<Map<?, ?>> maps(@Nullable Object list) {
        return ((List<?>) Objects.requireNonNull(list)).stream().map(one -> (Map<?, ?>) one);
    }

    /** Every metric of an expression is exported, with every label that it is asked for. */
    private static void isExported(String expression) {
        Set<String> labels = new TreeSet<>(OF_PROMETHEUS);
        Matcher selector = SELECTOR.matcher(expression);
        assertThat(selector.find()).as(expression).isTrue();
        selector.reset();
        while (selector.find()) {
            Set<String> known = exported.getOrDefault(selector.group(1), Set.of());
            assertThat(exported).as(expression).containsKey(selector.group(1));
            if (selector.group(2) != null) {
                assertThat(known).as(expression).containsAll(all(MATCHER, selector.group(2)));
            }
            labels.addAll(known);
        }
        all(GROUPING, expression)
                .forEach(names ->
                        assertThat(labels).as(expression).containsAll(Arrays.asList(names.split("\\s*,\\s*"))));
    }

    @Test
    void thePageListsEveryMeterWithItsTags() throws IOException {
        assertThat(documented()).isEqualTo(registered());
    }

    private static Map<String, Set<String>> registered() {
        Map<String, Set<String>> meters = new HashMap<>();
        for (Meter meter : app.getBean(MeterRegistry.class).getMeters()) {
            if (meter.getId().getName().startsWith("delayjob.")) {
                meters.put(
                        meter.getId().getName(),
                        meter.getId().getTags().stream().map(Tag::getKey).collect(Collectors.toSet()));
            }
        }
        return meters;
    }

    private static Map<String, Set<String>> documented() throws IOException {
        Map<String, Set<String>> rows = new HashMap<>();
        Matcher row = ROW.matcher(Files.readString(PAGE));
        while (row.find()) {
            rows.put(
                    row.group(1),
                    Stream.of(row.group(2).split(","))
                            .map(tag -> tag.replace("`", "").strip())
                            .collect(Collectors.toSet()));
        }
        return rows;
    }
}
