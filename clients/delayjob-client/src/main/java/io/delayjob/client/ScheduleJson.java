package io.delayjob.client;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.delayjob.JobOptions;
import io.delayjob.Schedule;
import io.delayjob.ScheduleSnapshot;
import io.delayjob.ScheduleTiming;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Schedules as the server writes and reads them. */
final class ScheduleJson {

    private ScheduleJson() {}

    /** All schedules. */
    record All(List<JsonNode> schedules) {}

    /** The answer to a trigger. */
    record Triggered(Json.Submitted job) {}

    /** An explanation. */
    record Explained(io.delayjob.ScheduleExplanation.Reason reason, String text) {}

    /** A time to make up for. */
    record Backfill(Instant from, Instant to, int perSecond, boolean dryRun) {}

    /** The definition of a schedule, without its name. */
    record Definition(
            String queue,
            String topic,
            @Nullable JsonNode param,
            @Nullable String cron,
            @Nullable Duration every,
            String zone,
            ScheduleTiming.Gap gap,
            ScheduleTiming.Repeated repeated,
            Duration jitter,
            Schedule.Overlap overlap,
            Schedule.CatchUp catchUp,
            Duration window,
            int pauseAfter,
            int revision,
            @JsonUnwrapped JobOptions options,
            Map<String, String> headers) {

        /** The definition of a schedule whose jobs are written as a submitted one is. */
        static Definition of(Schedule schedule, OutgoingJob job) {
            ScheduleTiming timing = schedule.timing();
            return new Definition(
                    job.queue(),
                    schedule.topic(),
                    job.body().param(),
                    timing.cron(),
                    timing.every(),
                    timing.zone().getId(),
                    timing.gap(),
                    timing.repeated(),
                    timing.jitter(),
                    schedule.overlap(),
                    schedule.catchUp(),
                    schedule.window(),
                    schedule.pauseAfter(),
                    schedule.revision(),
                    job.body().options(),
                    schedule.headers());
        }

        Schedule schedule(String name) {
            return new Schedule(
                    name,
                    queue,
                    topic,
                    param == null ? null : Json.MAPPER.treeToValue(param, Object.class),
                    new ScheduleTiming(cron, every, ZoneId.of(zone), gap, repeated, jitter),
                    overlap,
                    catchUp,
                    window,
                    pauseAfter,
                    revision,
                    options,
                    headers);
        }
    }

    /** The rest of a schedule as it was at one moment. */
    record State(
            String name,
            boolean paused,
            @Nullable Instant nextAt,
            boolean waits,
            @Nullable Instant lastAt,
            long fired,
            long skipped,
            @Nullable String lastId,
            @Nullable Instant orphanSince,
            List<ScheduleSnapshot.Decision> decisions) {

        ScheduleSnapshot with(Definition definition) {
            return new ScheduleSnapshot(
                    definition.schedule(name),
                    paused,
                    nextAt,
                    waits,
                    lastAt,
                    fired,
                    skipped,
                    lastId,
                    orphanSince,
                    decisions);
        }
    }

    static ScheduleSnapshot snapshot(byte[] answer) {
        return snapshot(Json.MAPPER.readTree(answer));
    }

    static ScheduleSnapshot snapshot(JsonNode schedule) {
        return Json.LENIENT
                .treeToValue(schedule, State.class)
                .with(Json.LENIENT.treeToValue(schedule, Definition.class));
    }
}
