package io.delayjob;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One attempt at a job, handed to {@link DelayJob#execute}.
 *
 * <p>Times are Redis' clock, not this node's. Thread-safe.
 *
 * @param <T> the type of the parameter
 */
public interface JobExecution<T> {

    /** {@return the job's id, unique among the unfinished jobs of its queue} */
    String id();

    /** {@return what runs: bean class, {@link DelayJobName} or topic} */
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
     * Whether the job has a parameter. A {@code DelayJob<Void>} is never given one, other beans and listeners that state its type
     * always are.
     *
     * @return false if it was submitted without one
     */
    boolean hasParam();

    /**
     * Which try this is.
     *
     * @return 1 for the first attempt; grows by one each time the job is claimed, also after a node died with it
     */
    int attempt();

    /** {@return how many attempts the job has in all, at least 1, as its request, its bean or listener, or its queue says} */
    int maxAttempts();

    /** {@return when this attempt was due: the job's due time, or the end of the backoff after one that failed; to the millisecond} */
    Instant dueAt();

    /** {@return when the job was submitted, to the millisecond} */
    Instant submittedAt();

    /** {@return the headers given at submit, immutable; empty if there were none} */
    Map<String, String> headers();

    /**
     * Makes the lease last at least {@code duration} from now, by Redis' clock. The engine renews leases by itself while
     * jobs run; this is for a job that is about to keep its node from doing so. Never shortens a lease.
     *
     * @param duration how long, at least 1 ms
     * @throws IllegalArgumentException if {@code duration} is not positive
     * @throws LeaseLostException if the lease was already lost: another node may be running the job
     * @throws DelayJobException if Redis could not be asked
     */
    void extendLease(Duration duration);

    /**
     * Says how far the job has come; {@link DelayJobAdmin#find} shows it. Returns at once: of several in a row the latest
     * reaches Redis, and one that cannot is dropped, because the next one follows.
     *
     * @param percent 0 to 100
     * @param text a line for people, at most 1024 characters; may be empty
     * @throws IllegalArgumentException if one is out of its range
     */
    void progress(int percent, String text);

    /**
     * Leaves a small result: {@link DelayJobAdmin#find} shows it after the job has completed, for as long as its queue retains
     * finished jobs ({@code delayjob.retention}); a queue that retains none drops it. The last one counts.
     *
     * @param result anything that can be written as JSON, at most 8192 bytes of it; null for none
     * @throws IllegalArgumentException if it cannot be written, or is too long
     */
    void result(@Nullable Object result);
}
