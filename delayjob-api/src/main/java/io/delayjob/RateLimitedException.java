package io.delayjob;

import io.delayjob.support.Checks;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Thrown by a {@link DelayJob} or a listener that was told to slow down, such as by an answer 429 with Retry-After: the attempt is not counted, and for
 * some time no job with the same {@link JobOptions#key key} begins. After that the job runs again. If the job has no key, no job of its queue begins.
 * Jobs that run are not interrupted. A resume of the key or of the queue ends that time.
 */
public class RateLimitedException extends DelayJobException {

    private static final long serialVersionUID = 1L;

    private final Duration delay;

    /**
     * With the time for which nothing begins.
     *
     * @param delay the time from now, at least 1 ms
     * @throws IllegalArgumentException if it is shorter
     */
    public RateLimitedException(Duration delay) {
        this(delay, null);
    }

    /**
     * With the time for which nothing begins, and a cause.
     *
     * @param delay the time from now, at least 1 ms
     * @param cause the cause, or null
     * @throws IllegalArgumentException if the time is shorter
     */
    public RateLimitedException(Duration delay, @Nullable Throwable cause) {
        super("told to slow down for " + delay, cause);
        this.delay = Checks.positive(delay, "delay");
    }

    /** The time for which nothing begins. */
    public Duration delay() {
        return delay;
    }
}
