package io.delayjob.redisson.internal.engine;

import io.delayjob.Backoff;
import io.delayjob.DelayJobRequest;
import io.delayjob.internal.Checks;
import java.io.StringWriter;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes and reads records: {@code {"v":1,"at":1766000000000,"job":"…","max":5,"backoff":[…],"timeout":…,"ttl":…,"headers":{…},
 * "param":…}}. The ledger writes {@code v} and {@code at}; the rest is written here. Options are there only if the request has
 * them. A mapper of its own, so that an application's settings never change the format.
 */
final class RecordCodec {

    /** The format that this code writes, and the newest it reads. */
    static final int VERSION = 1;

    private static final JsonMapper JSON = JsonMapper.builder()
            // Numbers of the param pass through exactly as they were written.
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    /** The record of a request behind the ledger's fields, closing brace included. */
    String body(String job, DelayJobRequest<?> request, String paramJson) {
        StringWriter out = new StringWriter(128 + paramJson.length());
        try (JsonGenerator json = JSON.createGenerator(out)) {
            json.writeStartObject();
            json.writeStringProperty("job", job);
            writeOptions(json, request);
            json.writeName("param");
            json.writeRawValue(paramJson);
            json.writeEndObject();
        }
        return out.toString().substring(1);
    }

    private static void writeOptions(JsonGenerator json, DelayJobRequest<?> request) {
        if (request.maxAttempts() != null) {
            json.writeNumberProperty("max", request.maxAttempts());
        }
        if (request.backoff() != null) {
            writeBackoff(json, request.backoff());
        }
        if (request.timeout() != null) {
            json.writeNumberProperty("timeout", request.timeout().toMillis());
        }
        if (request.timeToLive() != null) {
            json.writeNumberProperty("ttl", Checks.ceilMillis(request.timeToLive()));
        }
        if (!request.headers().isEmpty()) {
            json.writeObjectPropertyStart("headers");
            new TreeMap<>(request.headers()).forEach(json::writeStringProperty);
            json.writeEndObject();
        }
    }

    private static void writeBackoff(JsonGenerator json, Backoff backoff) {
        json.writeArrayPropertyStart("backoff");
        json.writeNumber(backoff.initial().toMillis());
        json.writeNumber(backoff.max().toMillis());
        json.writeNumber(backoff.multiplier());
        json.writeNumber(backoff.jitter());
        json.writeEndArray();
    }

    /** What a record has behind its {@code at} if it is of this name: the name is always first, and never the last. */
    static String nameMark(String job) {
        return "\"job\":" + JSON.writeValueAsString(job) + ",";
    }

    /** Reads a record; anything that is not one fails with {@link UnreadableRecordException}. */
    JobRecord read(@Nullable String text) {
        if (text == null) {
            throw new UnreadableRecordException("the record is missing", false, null);
        }
        JsonNode record = parse(text);
        int version = record.path("v").asInt(0);
        if (version > VERSION) {
            throw new UnreadableRecordException(
                    "record format " + version + " is newer than this node understands (" + VERSION + ")", true, null);
        }
        JsonNode job = record.path("job");
        JsonNode param = record.get("param");
        if (version < 1 || !job.isString() || param == null) {
            throw new UnreadableRecordException("not a delayjob record: it has no v, job and param", false, null);
        }
        try {
            return new JobRecord(
                    Checks.jobName(job.stringValue()),
                    record.path("at").asLong(0),
                    record.has("max") ? (Integer) record.get("max").intValue() : null,
                    record.has("backoff") ? backoff(record.get("backoff")) : null,
                    record.has("timeout")
                            ? Duration.ofMillis(record.get("timeout").longValue())
                            : null,
                    record.has("ttl") ? Duration.ofMillis(record.get("ttl").longValue()) : null,
                    headers(record.path("headers")),
                    param);
        } catch (RuntimeException e) {
            throw new UnreadableRecordException("the record's options are malformed: " + e.getMessage(), false, e);
        }
    }

    private static JsonNode parse(String text) {
        try {
            JsonNode node = JSON.readTree(text);
            if (node.isObject()) {
                return node;
            }
        } catch (RuntimeException | StackOverflowError e) {
            // What Jackson says quotes the text, which may hold a param.
            throw new UnreadableRecordException("not a delayjob record: no JSON" + placeOf(e), false, null);
        }
        throw new UnreadableRecordException("not a delayjob record: not a JSON object", false, null);
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

    private static Map<String, String> headers(JsonNode node) {
        Map<String, String> headers = new TreeMap<>();
        node.properties()
                .forEach(
                        header -> headers.put(header.getKey(), header.getValue().stringValue()));
        return headers;
    }
}
