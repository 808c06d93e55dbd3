package io.delayjob;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One attempt at a job, handed to {@link DelayJob#execute}.
 *
 * <p>Times are by Redis' clock, not this node's. Thread-safe.
 *
 * @param <T> the type of the parameter
 */
public interface JobExecution<T> {

    /** {@return the job's id, unique among the unfinished jobs of its queue} */
    String id();

    /** {@return the name of the job's handler: bean class, {@link DelayJobName} or topic} */
    String job();

    /** {@return the name of the queue that the job was submitted to} */
    String queue();

    /**
     * The parameter given at submit, read from JSON for this attempt.
     *
     * @return the parameter
     * @throws IllegalStateException if the job has none: see {@link #hasParam}
     */
    T param();

    /**
     * Whether the job has a parameter. A {@code DelayJob<Void>} never gets one; other beans, and listeners that declare its type,
     * always do.
     *
     * @return false if it was submitted without one
     */
    boolean hasParam();

    /**
     * The number of this attempt.
     *
     * @return 1 for the first attempt; grows by one each time the job is claimed, also after a node died while running it
     */
    int attempt();

    /**
     * {@return how many attempts the job has in total, by its request, its bean or listener, or its queue: at least 1; the attempt
     * with this number is the last}
     */
    int maxAttempts();

    /**
     * How the job is tried: as its request says, or else its bean or listener, or its queue.
     *
     * @return the options. The lease is null unless the request has one; the backoff is null if a bean computes it. An application that a server of an older
     *     release calls is told none
     */
    JobOptions options();

    /** {@return when this attempt was due: the job's due time, or the end of the backoff after a failed attempt; in milliseconds} */
    Instant dueAt();

    /** {@return when the job was submitted; in milliseconds} */
    Instant submittedAt();

    /** {@return the headers given at submit, immutable; empty if there were none} */
    Map<String, String> headers();

    /**
     * The instant of its schedule that this job is the occurrence of. It stays the same for every attempt, however late the job runs.
     *
     * @return the instant; empty if the job is no occurrence of a schedule
     */
    default Optional<Instant> scheduledFor() {
        String instant = headers().get(DelayJobSchedules.INSTANT_HEADER);
        try {
            return instant == null ? Optional.empty() : Optional.of(Instant.parse(instant));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    /**
     * Makes the lease last at least {@code duration} from now, by Redis' clock. The engine renews leases while jobs run; call this
     * before work that may keep the node from renewing. Never shortens a lease.
     *
     * @param duration how long, at least 1 ms
     * @throws IllegalArgumentException if {@code duration} is not positive
     * @throws LeaseLostException if the lease was already lost: another node may be running the job
     * @throws DelayJobException if Redis could not be asked
     */
    void extendLease(Duration duration);

    /**
     * Reports the job's progress, which {@link DelayJobAdmin#find} shows. Returns at once: of several reports in a row only the
     * latest reaches Redis, and a report that fails is dropped.
     *
     * @param percent 0 to 100
     * @param text a line for people, at most 1024 characters; may be empty
     * @throws IllegalArgumentException if a value is out of range
     */
    void progress(int percent, String text);

    /**
     * Sets a small result that {@link DelayJobAdmin#find} shows after the job has completed, for as long as its queue retains
     * finished jobs ({@code delayjob.retention}). A queue that retains none drops it. A later call replaces the result.
     *
     * @param result any object that can be written as JSON of at most 8192 bytes; null for none
     * @throws IllegalArgumentException if it cannot be written as JSON or is too long
     */
    void result(@Nullable Object result);
}
