package io.delayjob.server.schedules;

import io.delayjob.JobOptions;
import io.delayjob.Schedule;
import io.delayjob.ScheduleTiming;
import io.delayjob.server.jobs.JobBody.BackoffBody;
import io.delayjob.server.web.Body;
import io.delayjob.server.web.Required;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.util.RawValue;

/**
 * A schedule. What is left out of its jobs' options is taken from the settings of its queue.
 *
 * @param queue the queue of its jobs
 * @param topic the name of what runs
 * @param param any JSON; none if left out
 * @param cron a cron expression of five or six fields, or a macro; either this or {@code every}
 * @param every the distance of two instants, at least 1 s
 * @param zone whose clocks show the times of the expression; UTC if left out
 * @param gap what happens at a local time that does not exist; {@code SHIFT} if left out
 * @param repeated what happens at a local time that exists twice; {@code FIRST} if left out
 * @param jitter how much later an occurrence may be due than its instant; not at all if left out
 * @param overlap what happens while the occurrence before is not over; {@code SKIP} if left out
 * @param catchUp which missed instants are made up for; {@code LAST} if left out
 * @param window how long after its instant an occurrence can be made up for, at least 10 s; a day if left out
 * @param pauseAfter how many occurrences in a row may be dead before the schedule pauses itself; any number if 0 or left out
 * @param revision says which of two definitions that applications declare is newer; 0 if left out
 * @param maxAttempts how often a job is tried before it is dead
 * @param backoff the wait between attempts
 * @param lease how long its worker may be silent before another gets it
 * @param timeout how long an attempt of a bean may run before it is interrupted
 * @param timeToLive how long after its due time it may begin
 * @param priority which due jobs of the queue begin first, 0 to 9: higher goes first; 4 if left out
 * @param key the customer, tenant or whatever else the jobs are for, 1 to 128 characters; keys take turns, and the queue may limit each
 * @param headers text that is stored with each job
 * @param tags words by which people find the jobs, at most 10
 */
public record ScheduleBody(
        @Required String queue,

        @Required String topic,

        @Nullable RawValue param,
        @Nullable String cron,
        @Nullable Duration every,
        @Nullable String zone,
        ScheduleTiming.@Nullable Gap gap,
        ScheduleTiming.@Nullable Repeated repeated,
        @Nullable Duration jitter,
        Schedule.@Nullable Overlap overlap,
        Schedule.@Nullable CatchUp catchUp,
        @Nullable Duration window,
        @Nullable Integer pauseAfter,
        @Nullable Integer revision,
        @Nullable Integer maxAttempts,
        @Nullable BackoffBody backoff,
        @Nullable Duration lease,
        @Nullable Duration timeout,
        @Nullable Duration timeToLive,
        @Nullable Integer priority,
        @Nullable String key,
        @Nullable Map<String, String> headers,
        @Nullable List<String> tags)
        implements Body {

    private static final Map<String, String> NO_HEADERS = Map.of();

    /**
     * The schedule.
     *
     * @throws IllegalArgumentException if a value is not allowed; the message names it
     */
    Schedule schedule(String name) {
        return new Schedule(
                name,
                queue,
                topic,
                param,
                timing(),
                overlap == null ? Schedule.Overlap.SKIP : overlap,
                catchUp == null ? Schedule.CatchUp.LAST : catchUp,
                window == null ? Schedule.DEFAULT_WINDOW : window,
                pauseAfter == null ? 0 : pauseAfter,
                revision == null ? 0 : revision,
                options(),
                headers == null ? NO_HEADERS : headers);
    }

    private ScheduleTiming timing() {
        ScheduleTiming timing = new ScheduleTiming(
                cron,
                every,
                ZoneOffset.UTC,
                gap == null ? ScheduleTiming.Gap.SHIFT : gap,
                repeated == null ? ScheduleTiming.Repeated.FIRST : repeated,
                jitter == null ? Duration.ZERO : jitter);
        return zone == null ? timing : timing.withZone(zone);
    }

    private JobOptions options() {
        return new JobOptions(
                maxAttempts,
                backoff == null ? null : backoff.backoff(),
                lease,
                timeout,
                timeToLive,
                priority,
                key,
                null,
                tags == null ? List.of() : tags);
    }
}
