package io.delayjob;

import java.lang.annotation.Documented;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The wait between attempts, as in {@link Backoff}. Values are text that may contain placeholders and SpEL; an empty value means
 * the queue's setting. Equal values of {@code initial} and {@code max} make the wait fixed.
 */
@Documented
@Target({})
@Retention(RetentionPolicy.RUNTIME)
public @interface JobBackoff {

    /** The wait after the first failed attempt: a duration, at least 1 ms. */
    String initial() default "";

    /** The longest wait: a duration, at least {@code initial}. */
    String max() default "";

    /** The factor by which the wait grows with each failed attempt: 1 to 100. */
    String multiplier() default "";

    /** The random share of the wait that is added or subtracted: 0 to 1. */
    String jitter() default "";

    /**
     * The name of a {@link io.delayjob.spi.BackoffPolicy} bean that computes the wait instead; the other values must then be empty,
     * or the start fails.
     */
    String policy() default "";
}
