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

    /**
     * The wait after the first attempt.
     *
     * @return a duration, at least 1 ms
     */
    String initial() default "";

    /**
     * The longest wait.
     *
     * @return a duration, at least {@code initial}
     */
    String max() default "";

    /**
     * The growth per attempt.
     *
     * @return 1 to 100
     */
    String multiplier() default "";

    /**
     * The random share that is added or subtracted.
     *
     * @return 0 to 1
     */
    String jitter() default "";

    /**
     * The name of a {@link io.delayjob.spi.BackoffPolicy} bean that decides instead; the other values must then be empty.
     *
     * @return a bean name
     */
    String policy() default "";
}
