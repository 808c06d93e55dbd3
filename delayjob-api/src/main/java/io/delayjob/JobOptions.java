package io.delayjob;

import io.delayjob.support.Checks;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a job is tried, which others it excludes, and how people find it. An option that is null is left to the listener or the {@link DelayJobPolicy} of the node that runs the
 * job, else to the queue's settings, as that node has them at that time. Immutable; each {@code with…} method returns a changed copy.
 *
 * @param maxAttempts how often the job is tried before it is {@link JobState#DEAD}, at least 1
 * @param backoff the wait between attempts
 * @param lease how long a node may be silent before another takes the job over, at least 1 s
 * @param timeout how long one attempt may run before it is interrupted and counted as failed, at least 1 ms
 * @param timeToLive how long after its due time the job may begin, at least 1 ms
 * @param priority which of the due jobs of the queue begin first, 0 to 9: higher goes first. It counts from the submit on; null is {@value #USUAL_PRIORITY}
 * @param key the customer, tenant or whatever else the job is for, 1 to 128 characters: of the due jobs with the same key the earliest goes first,
 *     keys take turns, and a queue may limit each of them, see {@link Limits}; null for none
 * @param dedupe a key of which the queue holds at most one job at a time; null for none
 * @param tags words by which people find the job, such as {@code customer:42}: at most 10, each of 1 to 64 characters without white space, commas and
 *     quotation marks; a repeated one counts once
 */
public record JobOptions(
        @Nullable Integer maxAttempts,
        @Nullable Backoff backoff,
        @Nullable Duration lease,
        @Nullable Duration timeout,
        @Nullable Duration timeToLive,
        @Nullable Integer priority,
        @Nullable String key,
        @Nullable Dedupe dedupe,
        List<String> tags) {

    /** The priority of a job that has none of its own. */
    public static final int USUAL_PRIORITY = 4;

    /** None of its own. */
    public static final JobOptions NONE = new JobOptions(null, null, null, null, null, null, null, null, List.of());

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if a value is out of range; the message names it
     */
    public JobOptions {
        Checks.ifGiven(maxAttempts, value -> Checks.atLeastOne(value, "maxAttempts"));
        Checks.ifGiven(lease, Checks::lease);
        Checks.ifGiven(timeout, value -> Checks.positive(value, "timeout"));
        Checks.ifGiven(timeToLive, value -> Checks.positive(value, "timeToLive"));
        Checks.ifGiven(priority, Checks::priority);
        Checks.ifGiven(key, Checks::key);
        tags = Checks.tags(tags);
    }

    /** With this number of attempts, at least 1. */
    public JobOptions withMaxAttempts(int newMaxAttempts) {
        return new JobOptions(newMaxAttempts, backoff, lease, timeout, timeToLive, priority, key, dedupe, tags);
    }

    /** With this wait between attempts. */
    public JobOptions withBackoff(Backoff newBackoff) {
        Checks.notNull(newBackoff, "backoff");
        return new JobOptions(maxAttempts, newBackoff, lease, timeout, timeToLive, priority, key, dedupe, tags);
    }

    /** With this lease, at least 1 s. */
    public JobOptions withLease(Duration newLease) {
        Checks.notNull(newLease, "lease");
        return new JobOptions(maxAttempts, backoff, newLease, timeout, timeToLive, priority, key, dedupe, tags);
    }

    /** With this timeout of an attempt, at least 1 ms. */
    public JobOptions withTimeout(Duration newTimeout) {
        Checks.notNull(newTimeout, "timeout");
        return new JobOptions(maxAttempts, backoff, lease, newTimeout, timeToLive, priority, key, dedupe, tags);
    }

    /** With this limit of the time from the due time to the first attempt, at least 1 ms. */
    public JobOptions withTimeToLive(Duration newTimeToLive) {
        Checks.notNull(newTimeToLive, "timeToLive");
        return new JobOptions(maxAttempts, backoff, lease, timeout, newTimeToLive, priority, key, dedupe, tags);
    }

    /** With this priority, 0 to 9: higher goes first. */
    public JobOptions withPriority(int newPriority) {
        return new JobOptions(maxAttempts, backoff, lease, timeout, timeToLive, newPriority, key, dedupe, tags);
    }

    /** With this key, 1 to 128 characters without control characters. */
    public JobOptions withKey(String newKey) {
        Checks.key(newKey);
        return new JobOptions(maxAttempts, backoff, lease, timeout, timeToLive, priority, newKey, dedupe, tags);
    }

    /** With this dedupe key. */
    public JobOptions withDedupe(Dedupe newDedupe) {
        Checks.notNull(newDedupe, "dedupe");
        return new JobOptions(maxAttempts, backoff, lease, timeout, timeToLive, priority, key, newDedupe, tags);
    }

    /** With these tags in place of its own. */
    public JobOptions withTags(List<String> newTags) {
        Checks.notNull(newTags, "tags");
        return new JobOptions(maxAttempts, backoff, lease, timeout, timeToLive, priority, key, dedupe, newTags);
    }
}
