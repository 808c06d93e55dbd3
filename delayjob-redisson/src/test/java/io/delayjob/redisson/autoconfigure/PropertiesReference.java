package io.delayjob.redisson.autoconfigure;

import io.delayjob.spring.autoconfigure.DelayJobProperties;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** The page of the properties, made of what an IDE shows of them. */
final class PropertiesReference {

    private static final String HEAD = """
            # Properties

            Every property, its type, its unit and its default. This page is made of the metadata that IDEs show; do not edit it.

            A duration takes Spring's units (`500ms`, `30s`, `10m`, `PT1H`); a bare number is milliseconds. A data size takes `B`, `KB`,
            `MB`; a bare number is bytes. Names are written in any of Boot's ways: `delayjob.max-attempts`, or `DELAYJOB_MAX_ATTEMPTS` in
            the environment. A value out of its range stops the start with a message that names it, and so does, in a file or on the
            command line, a name that is not here.

            | property | type, unit | default | meaning |
            |---|---|---|---|
            """;

    private static final String QUEUES = """

            ## Of one queue

            Under `delayjob.queues.<name>.` a queue has settings of its own; what it leaves out is that of the same name above. A name
            that holds a dot is written in brackets: `delayjob.queues.[orders.eu].lease`.

            """;

    private static final Map<String, String> UNITS = Map.of(
            "java.time.Duration", "duration, ms",
            "org.springframework.util.unit.DataSize", "data size, bytes",
            "java.lang.Integer", "whole number",
            "java.lang.Long", "whole number",
            "java.lang.Double", "number",
            "java.lang.Boolean", "`true` or `false`",
            "java.lang.String", "text",
            "java.util.List<java.lang.String>", "texts",
            "java.util.List<java.lang.Class<? extends java.lang.Throwable>>", "exception classes",
            "io.delayjob.spring.autoconfigure.DelayJobHealthProperties$WhilePaused", "`up` or `out-of-service`");

    private PropertiesReference() {}

    /** The page, of the metadata's properties. */
    static String page(List<JsonNode> properties) {
        String rows = properties.stream()
                .filter(property -> !name(property).equals("delayjob.queues"))
                .sorted((a, b) -> name(a).compareTo(name(b)))
                .map(PropertiesReference::row)
                .collect(Collectors.joining());
        return HEAD
                + rows
                + QUEUES
                + names("", DelayJobProperties.Queue.class)
                        .sorted()
                        .map(name -> "- `" + name + "`\n")
                        .collect(Collectors.joining());
    }

    static String name(JsonNode property) {
        return property.path("name").stringValue("");
    }

    /** The names of properties that a record binds. */
    static Stream<String> names(String prefix, Class<?> type) {
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

    private static String stated(JsonNode value) {
        if (value.isMissingNode() || (value.isArray() && value.isEmpty())) {
            return "";
        }
        return "`" + (value.isString() ? value.stringValue() : value.toString()) + "`";
    }
}
