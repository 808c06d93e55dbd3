package io.delayjob;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * How jobs of a {@link DelayJob} class are tried and retried. An option of a {@link DelayJobRequest} takes precedence over this
 * policy, and this policy over the queue's settings. Text may contain property placeholders and SpEL; empty means the queue's
 * setting. The attributes have the same meaning as those of {@link DelayJobListener}.
 */
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface DelayJobPolicy {

    /**
     * How often a job is tried before it is {@link JobState#DEAD}.
     *
     * @return a number, at least 1
     */
    String maxAttempts() default "";

    /**
     * How long one attempt may run before it is interrupted and counts as failed.
     *
     * @return a duration, at least 1 ms
     */
    String timeout() default "";

    /**
     * How long after its due time a job may begin; one that has not begun by then is {@link JobState#DEAD}.
     *
     * @return a duration, at least 1 ms
     */
    String timeToLive() default "";

    /**
     * The wait between attempts.
     *
     * @return the backoff; an empty value means the queue's setting
     */
    JobBackoff backoff() default @JobBackoff;

    /**
     * Exceptions that are retried although a superclass is in {@link #noRetryFor} or is {@link NonRetryableException}.
     *
     * @return exception classes, which include their subclasses; of several that match, the most specific class decides
     */
    Class<? extends Throwable>[] retryFor() default {};

    /**
     * Exceptions after which no further attempt is made.
     *
     * @return exception classes, which include their subclasses
     */
    Class<? extends Throwable>[] noRetryFor() default {};
}
