package io.delayjob.server.jobs;

import io.delayjob.Backoff;
import io.delayjob.Dedupe;
import io.delayjob.DelayJobRequest;
import io.delayjob.JobOptions;
import io.delayjob.server.web.Body;
import io.delayjob.server.web.Required;
import io.delayjob.server.web.ServerJson;
import io.delayjob.support.Checks;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.util.RawValue;

/**
 * A job to submit. What is left out is taken from the settings of its queue.
 *
 * @param id the job's id, 1 to 128 characters; a random one if left out. An id that exists adds nothing
 * @param topic the name of what runs
 * @param param any JSON; none if left out
 * @param delay how long from now the job is due; either this or {@code dueAt}
 * @param dueAt when it is due; in the past for at once
 * @param maxAttempts how often it is tried before it is dead
 * @param backoff the wait between attempts
 * @param lease how long its worker may be silent before another gets it
 * @param timeout how long an attempt of a bean may run before it is interrupted
 * @param timeToLive how long after its due time it may begin
 * @param priority which due jobs of the queue begin first, 0 to 9: higher goes first; 4 if left out
 * @param key the customer, tenant or whatever else it is for, 1 to 128 characters; keys take turns, and the queue may limit each
 * @param headers text that is stored with it
 * @param dedupe a key of which the queue holds one job at a time
 * @param tags words by which people find it, at most 10
 */
public record JobBody(
        @Nullable String id,

        @Required String topic,

        @Nullable RawValue param,
        @Nullable Duration delay,
        @Nullable Instant dueAt,
        @Nullable Integer maxAttempts,
        @Nullable BackoffBody backoff,
        @Nullable Duration lease,
        @Nullable Duration timeout,
        @Nullable Duration timeToLive,
        @Nullable Integer priority,
        @Nullable String key,
        @Nullable Map<String, String> headers,
        @Nullable DedupeBody dedupe,
        @Nullable List<String> tags)
        implements Body {

    private static final Map<String, String> NO_HEADERS = Map.of();

    /**
     * The wait between attempts.
     *
     * @param initial after the first attempt
     * @param max the longest; {@code initial} if left out
     * @param multiplier the growth per attempt; 2 if left out, 1 if there is no {@code max}
     * @param jitter the random share, 0 to 1; 0.2 if left out, 0 if there is no {@code max}
     */
    public record BackoffBody(
            @Required Duration initial,

            @Nullable Duration max,
            @Nullable Double multiplier,
            @Nullable Double jitter) {

        /** {@return the backoff} */
        public Backoff backoff() {
            Backoff usual = max == null ? Backoff.fixed(initial) : Backoff.exponential(initial, max);
            return new Backoff(
                    usual.initial(),
                    usual.max(),
                    multiplier == null ? usual.multiplier() : multiplier,
                    jitter == null ? usual.jitter() : jitter);
        }
    }

    /**
     * A key that duplicates share.
     *
     * @param key the key
     * @param scope how long a job keeps it: {@code UNTIL_STARTED}, {@code UNTIL_FINISHED} or {@code WINDOW}
     * @param mode the effect of a second job with the key: {@code KEEP_FIRST} (if left out), {@code REPLACE} or {@code POSTPONE}
     * @param window how long the key is kept; only with {@code WINDOW}
     */
    public record DedupeBody(
            @Required String key,

            @Required Dedupe.Scope scope,

            Dedupe.@Nullable Mode mode,
            @Nullable Duration window) {

        Dedupe dedupe() {
            return new Dedupe(key, scope, mode == null ? Dedupe.Mode.KEEP_FIRST : mode, window);
        }
    }

    /**
     * A job with the options of another one.
     *
     * @param id null for a random one
     * @param topic the name of what runs
     * @param param any JSON; null for none
     * @param delay from now
     * @param options the options of the other job
     * @param headers text that is stored with it
     * @return the job
     */
    public static JobBody of(
            @Nullable String id,
            String topic,
            @Nullable JsonNode param,
            Duration delay,
            JobOptions options,
            Map<String, String> headers) {
        ObjectNode job = ServerJson.mapper().valueToTree(options);
        job.put("id", id).put("topic", topic).put("delay", delay.toString());
        job.set("param", param);
        job.set("headers", ServerJson.mapper().valueToTree(headers));
        return ServerJson.mapper().treeToValue(job, JobBody.class);
    }

    /**
     * The request.
     *
     * @param made the id of a job that has neither its own nor a key or a dedupe key, which decide on its shard; null for a random one
     * @throws IllegalArgumentException if a value is not allowed; the message names it
     */
    DelayJobRequest<RawValue> request(String queue, @Nullable String made) {
        checkTime();
        return new DelayJobRequest<>(
                null,
                topic,
                param,
                id == null && dedupe == null && key == null ? made : id,
                queue,
                options(),
                false,
                headers == null ? NO_HEADERS : headers);
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
                dedupe == null ? null : dedupe.dedupe(),
                tags == null ? List.of() : tags);
    }

    private void checkTime() {
        if ((delay == null) == (dueAt == null)) {
            throw new IllegalArgumentException(
                    "give either delay, such as PT30S, or dueAt, such as 2030-01-31T08:00:00Z: "
                            + (delay == null ? "neither is there" : delay + " and " + dueAt));
        }
        Checks.ifGiven(delay, Checks::delay);
        Checks.ifGiven(dueAt, Checks::dueAt);
    }
}
