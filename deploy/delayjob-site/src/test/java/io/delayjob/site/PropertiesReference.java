package io.delayjob.site;

import io.delayjob.delivery.autoconfigure.DelayJobDeliveryProperties;
import io.delayjob.spring.autoconfigure.DelayJobProperties;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** The page of the properties, generated from the metadata that IDEs show. */
final class PropertiesReference {

    private static final String HEAD = """
            # Properties

            Every property with its type, unit and default. This page is generated from the metadata that IDEs show; do not edit it.
            [Configuration](configuration.md) explains the settings and has their ranges. Those of the [server](#of-the-server), its
            [client](#of-the-client) and [delivery](#of-delivery) are at the end.

            A duration takes Spring's units (`500ms`, `30s`, `10m`, `PT1H`); a bare number is milliseconds. A data size takes `B`, `KB`,
            `MB`; a bare number is bytes. Names may be written in all of Spring Boot's forms: `delayjob.max-attempts`, or
            `DELAYJOB_MAX_ATTEMPTS` as an environment variable. Startup fails for a value out of its range, with a message that names the
            property, and for an unknown property in a file or on the command line.

            """;

    private static final String QUEUES = """

            ## Of one queue

            These properties can be set for one queue, under `delayjob.queues.<name>.`; a property that is not set there has the value of
            the property of the same name above. Exceptions are added to those above, and take precedence over them. Write a queue name that
            contains a dot in brackets: `delayjob.queues.[orders.eu].lease`.

            """;

    private static final String TABLE = """
            | property | type, unit | default | meaning |
            |---|---|---|---|
            """;

    private static final String SERVER = """

            ## Of the server

            These are of applications with `delayjob-server-starter`, such as [the server](server.md).

            """;

    private static final String CONSOLE = """

            ## Of the console

            These are of applications with `delayjob-console`, such as [the server](server.md); see [The console](console.md).

            """;

    private static final String CLIENT = """

            ## Of the client

            These are of applications with `delayjob-client`, which reach [the server](server.md#a-java-client) and not Redis.

            """;

    private static final String DELIVERY = """

            ## Of delivery

            These are of applications with `delayjob-delivery`, which [deliver jobs to targets](delivery.md).

            """;

    private static final String TOPICS = """

            These properties bind one topic, under `delayjob.delivery.topics.<topic>.`. Write a topic that contains a dot in brackets.

            """;

    private static final Map<String, String> UNITS = Map.ofEntries(
            Map.entry("java.time.Duration", "duration, ms"),
            Map.entry("org.springframework.util.unit.DataSize", "data size, bytes"),
            Map.entry("java.lang.Integer", "whole number"),
            Map.entry("java.lang.Long", "whole number"),
            Map.entry("java.lang.Double", "number"),
            Map.entry("java.lang.Boolean", "`true` or `false`"),
            Map.entry("java.lang.String", "text"),
            Map.entry("java.util.List<java.lang.String>", "texts"),
            Map.entry("java.util.List<java.lang.Class<? extends java.lang.Throwable>>", "exception classes"),
            Map.entry(
                    "io.delayjob.spring.autoconfigure.DelayJobHealthProperties$WhilePaused",
                    "`up` or `out-of-service`"),
            Map.entry(
                    "io.delayjob.spring.autoconfigure.DelayJobJournalProperties$Mode",
                    "`off`, `transactional` or `always`"),
            Map.entry(
                    "io.delayjob.server.autoconfigure.Authentication",
                    "`auto`, `tokens`, `spring-security` or `both`"));

    /** Properties that are maps: the page lists the settings of their values instead. */
    private static final Set<String> MAPS = Set.of("delayjob.queues", "delayjob.delivery.topics");

    private PropertiesReference() {}

    /** The page, of the metadata's properties. */
    static String page(List<JsonNode> properties) {
        return HEAD
                + table(
                        properties,
                        name -> Stream.of("server", "console", "client", "worker", "callback", "delivery")
                                .noneMatch(part -> name.startsWith("delayjob." + part + ".")))
                + QUEUES
                + list(DelayJobProperties.Queue.class)
                + SERVER
                + table(properties, name -> name.startsWith("delayjob.server."))
                + CONSOLE
                + table(properties, name -> name.startsWith("delayjob.console."))
                + CLIENT
                + table(properties, name -> name.matches("delayjob\\.(client|worker|callback)\\..*"))
                + DELIVERY
                + table(properties, name -> name.startsWith("delayjob.delivery."))
                + TOPICS
                + list(DelayJobDeliveryProperties.Topic.class);
    }

    private static String list(Class<?> settings) {
        return names("", settings).sorted().map(name -> "- `" + name + "`\n").collect(Collectors.joining());
    }

    private static String table(List<JsonNode> properties, Predicate<String> which) {
        return properties.stream()
                .filter(property -> which.test(name(property)) && !MAPS.contains(name(property)))
                .sorted(Comparator.comparing(PropertiesReference::name))
                .map(PropertiesReference::row)
                .collect(Collectors.joining("", TABLE, ""));
    }

    static String name(JsonNode property) {
        return property.path("name").stringValue("");
    }

    /** The names of properties that a record binds. */
    private static Stream<String> names(String prefix, Class<?> type) {
        return Arrays.stream(type.getRecordComponents()).flatMap(component -> {
            String name =
                    prefix + component.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
            return component.getType().isRecord() ? names(name + ".", component.getType()) : Stream.of(name);
        });
    }

    private static String row(JsonNode property) {
        String type = property.path("type").stringValue("");
        return "| `%s` | %s | %s | %s |\n"
                .formatted(
                        name(property),
                        UNITS.getOrDefault(type, "`" + type.substring(type.lastIndexOf('.') + 1) + "`"),
                        stated(property.path("defaultValue")),
                        property.path("description").stringValue("").replace("|", "\\|"));
    }

    /** A default as the tables show it; empty for none. */
    static String stated(JsonNode value) {
        if (value.isMissingNode() || (value.isArray() && value.isEmpty())) {
            return "";
        }
        return "`" + (value.isString() ? value.stringValue() : value.toString()) + "`";
    }
}
