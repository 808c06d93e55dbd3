package io.delayjob.engine.internal.records;

import io.delayjob.Backoff;
import io.delayjob.Dedupe;
import io.delayjob.DelayJobRequest;
import io.delayjob.JobOptions;
import io.delayjob.support.Checks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.io.JsonStringEncoder;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.JsonRecyclerPools;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

/**
 * Writes and reads records: {@code {"v":1,"at":1766000000000,"job":"…","max":5,"backoff":[…],"timeout":…,"ttl":…,"lease":…,
 * "priority":…,"dedupe":[…],"tags":[…],"headers":{…},"param":…,"index":"…"}}. The ledger writes {@code v} and {@code at}; this class writes the rest. Options are present only if the request has
 * them. It has its own mapper, so that an application's settings never change the format.
 */
public final class RecordCodec {

    /** The format version that this code writes, and the newest that it reads. */
    static final int VERSION = 1;

    private static final StreamReadConstraints UNBOUNDED = StreamReadConstraints.builder()
            .maxNestingDepth(Integer.MAX_VALUE)
            .maxNumberLength(Integer.MAX_VALUE)
            .maxStringLength(Integer.MAX_VALUE)
            .maxNameLength(Integer.MAX_VALUE)
            .build();

    // Records are short and have few names, so sharing buffers and names between parsers costs more than it saves.
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .recyclerPool(JsonRecyclerPools.threadLocalPool())
            .disable(TokenStreamFactory.Feature.CANONICALIZE_PROPERTY_NAMES)
            // The constraints of the application's mapper apply to a param, when it is submitted and when it is read.
            .streamReadConstraints(UNBOUNDED)
            .build();

    private static final JsonMapper JSON = JsonMapper.builder(FACTORY)
            // Fields are read one by one, so more tokens follow each.
            .disable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    /**
     * The record of a request after the ledger's fields, up to and including the closing brace.
     *
     * @param marks the job's marks in the index of its queue, see {@link JobIndex}; empty for none
     */
    public String body(String job, DelayJobRequest<?> request, String paramJson, String marks) {
        String index = marks.isEmpty() ? "" : ",\"index\":\"" + marks + "\"";
        return nameMark(job) + options(request.options(), request.headers()) + "\"param\":" + paramJson + index + "}";
    }

    /** The options as JSON fields, each followed by a comma; empty if there are none. */
    private static String options(JobOptions options, Map<String, String> headers) {
        Map<String, Object> fields = new LinkedHashMap<>();
        put(fields, "max", options.maxAttempts(), max -> max);
        put(fields, "backoff", options.backoff(), RecordCodec::numbers);
        put(fields, "timeout", options.timeout(), Duration::toMillis);
        put(fields, "ttl", options.timeToLive(), Checks::ceilMillis);
        put(fields, "lease", options.lease(), Checks::ceilMillis);
        put(fields, "priority", options.priority(), priority -> priority);
        put(fields, "key", options.key(), key -> key);
        put(fields, "dedupe", options.dedupe(), RecordCodec::parts);
        if (!options.tags().isEmpty()) {
            fields.put("tags", options.tags());
        }
        if (!headers.isEmpty()) {
            fields.put("headers", new TreeMap<>(headers));
        }
        if (fields.isEmpty()) {
            return "";
        }
        String json = JSON.writeValueAsString(fields);
        return json.substring(1, json.length() - 1) + ",";
    }

    private static <V> void put(
            Map<String, Object> fields, String name, @Nullable V value, Function<V, Object> written) {
        if (value != null) {
            fields.put(name, written.apply(value));
        }
    }

    private static List<Number> numbers(Backoff backoff) {
        return List.of(backoff.initial().toMillis(), backoff.max().toMillis(), backoff.multiplier(), backoff.jitter());
    }

    /** The window is last, because most have none. */
    private static List<Object> parts(Dedupe dedupe) {
        List<Object> parts = new ArrayList<>(List.<Object>of(dedupe.key(), dedupe.scope(), dedupe.mode()));
        if (dedupe.window() != null) {
            parts.add(Checks.ceilMillis(dedupe.window()));
        }
        return parts;
    }

    /**
     * The JSON that follows {@code at} in the records of this name; the name is always the first field after it, and never the
     * last.
     */
    public static String nameMark(String job) {
        return "\"job\":\"" + String.valueOf(JsonStringEncoder.getInstance().quoteAsCharArray(job)) + "\",";
    }

    /** Reads a record; throws {@link UnreadableRecordException} if it is not a valid one. */
    public JobRecord read(@Nullable String text) {
        if (text == null) {
            throw new UnreadableRecordException("the record is missing", false, null);
        }
        Fields record = parse(text);
        int version = record.get("v").asInt(0);
        if (version > VERSION) {
            throw new UnreadableRecordException(
                    "record format " + version + " is newer than this node understands (" + VERSION + ")", true, null);
        }
        JsonNode job = record.get("job");
        if (version < 1 || !job.isString() || record.param() == null) {
            throw new UnreadableRecordException("not a delayjob record: it has no v, job and param", false, null);
        }
        try {
            return new JobRecord(
                    Checks.jobName(job.stringValue()),
                    record.get("at").asLong(0),
                    options(record),
                    headers(record.get("headers")),
                    record.param(),
                    record.get("index").asString(""));
        } catch (RuntimeException e) {
            throw new UnreadableRecordException("the record's options are malformed: " + e.getMessage(), false, e);
        }
    }

    private static JobOptions options(Fields record) {
        return new JobOptions(
                record.option("max", JsonNode::intValue),
                record.option("backoff", RecordCodec::backoff),
                record.option("lease", RecordCodec::duration),
                record.option("timeout", RecordCodec::duration),
                record.option("ttl", RecordCodec::duration),
                record.option("priority", JsonNode::intValue),
                record.option("key", JsonNode::stringValue),
                record.option("dedupe", RecordCodec::dedupe),
                tags(record.get("tags")));
    }

    private static Duration duration(JsonNode node) {
        return Duration.ofMillis(node.longValue());
    }

    private static Dedupe dedupe(JsonNode node) {
        return new Dedupe(
                node.required(0).stringValue(),
                Dedupe.Scope.valueOf(node.required(1).stringValue()),
                Dedupe.Mode.valueOf(node.required(2).stringValue()),
                node.has(3) ? duration(node.required(3)) : null);
    }

    /** The parts of a record: the param as it was written, and the other fields. */
    private record Fields(
            Map<String, JsonNode> rest, @Nullable String param) {

        <V> @Nullable V option(String name, Function<JsonNode, V> read) {
            JsonNode value = rest.get(name);
            return value == null ? null : read.apply(value);
        }

        JsonNode get(String name) {
            return rest.getOrDefault(name, MissingNode.getInstance());
        }
    }

    private static Fields parse(String text) {
        try (JsonParser json = parser(text)) {
            if (json.nextToken() == JsonToken.START_OBJECT) {
                Fields fields = fields(json, text);
                if (json.nextToken() == null) {
                    return fields;
                }
            }
        } catch (RuntimeException | StackOverflowError e) {
            // Jackson's message is left out: it quotes the text, which may contain a param.
            throw new UnreadableRecordException("not a delayjob record: invalid JSON" + placeOf(e), false, null);
        }
        throw new UnreadableRecordException("not a delayjob record: not a JSON object", false, null);
    }

    /** A parser of a record or a part of it. */
    static JsonParser parser(String json) {
        return JSON.createParser(json);
    }

    private static Fields fields(JsonParser json, String text) {
        Map<String, JsonNode> rest = new HashMap<>();
        String param = null;
        for (String name = json.nextName(); name != null; name = json.nextName()) {
            json.nextToken();
            if (name.equals("param")) {
                param = written(json, text);
            } else {
                rest.put(name, JSON.readTree(json));
            }
        }
        return new Fields(rest, param);
    }

    /** The parser's current value, as it was written; moves the parser to its end. */
    private static String written(JsonParser json, String text) {
        int start = (int) json.currentTokenLocation().getCharOffset();
        json.skipChildren().finishToken();
        return text.substring(start, (int) json.currentLocation().getCharOffset());
    }

    private static String placeOf(Throwable failure) {
        TokenStreamLocation place = failure instanceof JacksonException jackson ? jackson.getLocation() : null;
        return place == null ? "" : " from line " + place.getLineNr() + ", column " + place.getColumnNr();
    }

    private static Backoff backoff(JsonNode node) {
        return new Backoff(
                Duration.ofMillis(node.required(0).longValue()),
                Duration.ofMillis(node.required(1).longValue()),
                node.required(2).doubleValue(),
                node.required(3).doubleValue());
    }

    private static List<String> tags(JsonNode node) {
        return node.valueStream().map(JsonNode::stringValue).toList();
    }

    private static Map<String, String> headers(JsonNode node) {
        Map<String, String> headers = new TreeMap<>();
        node.properties()
                .forEach(
                        header -> headers.put(header.getKey(), header.getValue().stringValue()));
        return headers;
    }
}
