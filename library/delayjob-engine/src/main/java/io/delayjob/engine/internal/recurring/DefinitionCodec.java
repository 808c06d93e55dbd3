package io.delayjob.engine.internal.recurring;

import io.delayjob.JobOptions;
import io.delayjob.Schedule;
import io.delayjob.ScheduleTiming;
import io.delayjob.engine.internal.records.RecordCodec;
import java.time.Duration;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes and reads definitions of schedules: {@code {"v":1,"queue":…,"cron":… or "every":…,"zone":…,"gap":…,"repeated":…,"jitter":…,
 * "overlap":…,"catchUp":…,"window":…,"pauseAfter":…,"revision":…,"job":…}}, times in milliseconds. {@code job} is the record of each occurrence as a text,
 * without the fields that the ledger writes.
 */
final class DefinitionCodec {

    private static final int VERSION = 1;
    private static final JsonMapper JSON = new JsonMapper();

    private final RecordCodec records = new RecordCodec();

    /** Writes a schedule whose queue is known. */
    String write(Schedule schedule, String queue, String job) {
        ScheduleTiming timing = schedule.timing();
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("v", VERSION);
        fields.put("queue", queue);
        put(fields, "cron", timing.cron());
        put(fields, "every", timing.every() == null ? null : timing.every().toMillis());
        fields.put("zone", timing.zone().getId());
        fields.put("gap", timing.gap());
        fields.put("repeated", timing.repeated());
        fields.put("jitter", timing.jitter().toMillis());
        fields.put("overlap", schedule.overlap());
        fields.put("catchUp", schedule.catchUp());
        fields.put("window", schedule.window().toMillis());
        fields.put("pauseAfter", schedule.pauseAfter());
        fields.put("revision", schedule.revision());
        fields.put("job", job);
        return JSON.writeValueAsString(fields);
    }

    private static void put(Map<String, Object> fields, String name, @Nullable Object value) {
        if (value != null) {
            fields.put(name, value);
        }
    }

    /**
     * Reads a definition.
     *
     * @throws IllegalArgumentException if it is not a valid one, or its format is newer than this node understands
     */
    Definition read(String name, String definition) {
        try {
            JsonNode fields = JSON.readTree(definition);
            if (fields.path("v").asInt(0) != VERSION) {
                throw new IllegalArgumentException("not of a format that this node understands (" + VERSION + ")");
            }
            var job = records.read("{\"v\":1,\"at\":0," + text(fields, "job"));
            return new Definition(schedule(name, job.job(), fields), job);
        } catch (RuntimeException e) {
            throw new IllegalArgumentException(
                    "the definition of schedule '" + name + "' cannot be read: " + e.getMessage()
                            + ". A newer release may have stored it: update this node, or put the schedule again",
                    e);
        }
    }

    private static Schedule schedule(String name, String topic, JsonNode fields) {
        ScheduleTiming timing = new ScheduleTiming(
                fields.has("cron") ? text(fields, "cron") : null,
                fields.has("every") ? millis(fields, "every") : null,
                ZoneId.of(text(fields, "zone")),
                ScheduleTiming.Gap.valueOf(text(fields, "gap")),
                ScheduleTiming.Repeated.valueOf(text(fields, "repeated")),
                millis(fields, "jitter"));
        return new Schedule(
                name,
                text(fields, "queue"),
                topic,
                null,
                timing,
                Schedule.Overlap.valueOf(text(fields, "overlap")),
                Schedule.CatchUp.valueOf(text(fields, "catchUp")),
                millis(fields, "window"),
                fields.path("pauseAfter").asInt(0),
                fields.required("revision").intValue(),
                JobOptions.NONE,
                Map.of());
    }

    private static String text(JsonNode fields, String name) {
        return fields.required(name).stringValue();
    }

    private static Duration millis(JsonNode fields, String name) {
        return Duration.ofMillis(fields.required(name).longValue());
    }
}
