package io.delayjob.server.console.internal.jobs;

import io.delayjob.server.web.ServerJson;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/** Hides the values of fields by their names, wherever they are in a JSON value. */
public final class Redaction {

    /** In place of what is hidden. */
    static final String HIDDEN = "•••";

    private final Pattern names;

    /**
     * A rule.
     *
     * @param names regular expressions for whole names, without case
     */
    public Redaction(List<String> names) {
        this.names = Pattern.compile(
                names.stream().map(name -> "(?:" + name + ")").collect(Collectors.joining("|")),
                Pattern.CASE_INSENSITIVE);
    }

    private boolean hides(String name) {
        return names.matcher(name).matches();
    }

    /** A JSON value for people, with every digit as it was written; a text that is no JSON as it is. */
    String shown(@Nullable String json) {
        if (json == null || json.isEmpty()) {
            return "";
        }
        try {
            JsonNode value = ServerJson.stored().readTree(json);
            return ServerJson.stored().writerWithDefaultPrettyPrinter().writeValueAsString(redacted(value));
        } catch (JacksonException e) {
            return json;
        }
    }

    /** A JSON value without what is hidden; a text that is no JSON as such; empty for nothing. */
    Optional<JsonNode> tree(@Nullable String json) {
        if (json == null || json.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(redacted(ServerJson.stored().readTree(json)));
        } catch (JacksonException e) {
            return Optional.of(StringNode.valueOf(json));
        }
    }

    /** The same on one line. */
    String compact(@Nullable String json) {
        return tree(json)
                .map(value -> value.isString() && !Objects.requireNonNull(json).startsWith("\"")
                        ? value.stringValue()
                        : ServerJson.stored().writeValueAsString(value))
                .orElse("");
    }

    Map<String, String> shown(Map<String, String> headers) {
        Map<String, String> shown = new TreeMap<>();
        headers.forEach((name, value) -> shown.put(name, hides(name) ? HIDDEN : value));
        return shown;
    }

    private JsonNode redacted(JsonNode value) {
        if (value instanceof ObjectNode object) {
            for (Map.Entry<String, JsonNode> field : List.copyOf(object.properties())) {
                object.set(
                        field.getKey(),
                        hides(field.getKey()) ? StringNode.valueOf(HIDDEN) : redacted(field.getValue()));
            }
        } else if (value instanceof ArrayNode array) {
            for (int i = 0; i < array.size(); i++) {
                array.set(i, redacted(array.get(i)));
            }
        }
        return value;
    }

    /**
     * Puts hidden values back into a JSON value that was shown and edited: each placeholder that is still there becomes the original value.
     *
     * @param edited the value as edited, which is changed
     * @param original the value before, with nothing hidden
     */
    JsonNode restored(JsonNode edited, JsonNode original) {
        if (edited.isString() && edited.stringValue().equals(HIDDEN)) {
            return original;
        } else if (edited instanceof ObjectNode object) {
            for (Map.Entry<String, JsonNode> field : List.copyOf(object.properties())) {
                object.set(field.getKey(), restored(field.getValue(), original.path(field.getKey())));
            }
        } else if (edited instanceof ArrayNode array) {
            for (int i = 0; i < array.size(); i++) {
                array.set(i, restored(array.get(i), original.path(i)));
            }
        }
        return edited;
    }

    /** Whether the value of a field of a JSON object may be searched for. */
    boolean isOpen(String path) {
        return List.of(path.split("\\.", -1)).stream().noneMatch(this::hides);
    }
}
