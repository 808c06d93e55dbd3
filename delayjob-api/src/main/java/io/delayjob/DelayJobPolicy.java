package io.delayjob;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * What becomes of failed jobs of a {@link DelayJob} class. An option of a {@link DelayJobRequest} goes before it, it goes before
 * the queue's settings. Text may hold property placeholders and SpEL; empty means the queue's setting. The attributes mean what
 * those of the same name of {@link DelayJobListener} do.
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
     * @return what is left empty is the queue's
     */
    JobBackoff backoff() default @JobBackoff;

    /**
     * Exceptions that are retried although a class above them is in {@link #noRetryFor}, or is {@link NonRetryableException}.
     *
     * @return classes; subclasses are meant too, and the class nearest to the exception's own counts
     */
    Class<? extends Throwable>[] retryFor() default {};

    /**
     * Exceptions after which no further attempt is made.
     *
     * @return classes; subclasses are meant too
     */
    Class<? extends Throwable>[] noRetryFor() default {};
}
