package io.delayjob;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * How jobs of a {@link DelayJob} class are tried and retried, and which begin first. An option of a {@link DelayJobRequest} takes precedence over this
 * policy, and this policy over the queue's settings. Text may contain property placeholders and SpEL; empty means the queue's
 * setting.
 */
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface DelayJobPolicy {

    /** See {@link DelayJobListener#maxAttempts}. */
    String maxAttempts() default "";

    /** See {@link DelayJobListener#timeout}. */
    String timeout() default "";

    /** See {@link DelayJobListener#timeToLive}. */
    String timeToLive() default "";

    /** See {@link DelayJobListener#priority}. */
    String priority() default "";

    /** See {@link DelayJobListener#backoff}. */
    JobBackoff backoff() default @JobBackoff;

    /** See {@link DelayJobListener#retryFor}. */
    Class<? extends Throwable>[] retryFor() default {};

    /** See {@link DelayJobListener#noRetryFor}. */
    Class<? extends Throwable>[] noRetryFor() default {};
}
