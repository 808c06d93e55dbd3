package io.delayjob;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Makes a method of a Spring bean run the jobs of a topic.
 *
 * <pre>{@code
 * @DelayJobListener(topic = "close-order", maxAttempts = "5")
 * void close(CloseOrder order) { … }
 *
 * producer.submitDelayJob("close-order", new CloseOrder(42), 30, TimeUnit.MINUTES);
 * }</pre>
 *
 * <p>A topic is the name that is stored with its jobs; a listener and a {@link DelayJob} cannot share one. The method takes, in
 * any order:
 *
 * <ul>
 *   <li>the payload: one parameter of any other type than these, or one marked {@code @Payload}; read from JSON;
 *   <li>{@link JobExecution}{@code <P>}: the job and this attempt;
 *   <li>{@link Acknowledgment}: with {@link AckMode#MANUAL} only;
 *   <li>{@code @Header("name")} of any type that Spring converts a string to, and {@code @Headers Map<String, Object>}.
 * </ul>
 *
 * <p>The type of the payload is that of the payload parameter, or the {@code P} of the {@code JobExecution}; without both, any
 * payload is taken. What the method returns is dropped; asynchronous types and {@code @Async} are refused, because nobody
 * would see the outcome: use {@link AckMode#MANUAL} and acknowledge when the work is done. Anything else fails the start with a
 * message that says what is allowed. A job whose payload or headers do not fit the parameters is {@link JobState#DEAD} at once:
 * they never change.
 *
 * <p>Attributes that are text may hold property placeholders ({@code "${…}"}) and SpEL ({@code "#{…}"}); empty means the
 * queue's setting. A {@link DelayJobRequest} with an option of its own goes before the listener's, the listener's before the
 * queue's. {@code concurrency}, {@code lease} and {@code autoStartup} belong to the queue on this node: listeners of one queue
 * cannot state different ones. Durations are written as in Boot's properties: {@code 30s}, {@code 10m}, {@code PT1H}.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface DelayJobListener {

    /** The name of the jobs it runs: 1 to 256 characters without control characters; empty for the name of the queue. */
    String topic() default "";

    /**
     * The queue this node takes jobs from for it, and to which this application submits jobs of the topic that name no queue.
     *
     * @return 1 to 64 of {@code A-Z a-z 0-9 . _ -}; empty for the default queue
     */
    String queue() default "";

    /** What {@link DelayJobListenerRegistry} and error messages call it: unique in the application; empty for the topic. */
    String id() default "";

    /** How many jobs of the queue run at once on this node: a number, at least 1. */
    String concurrency() default "";

    /** How long this node may be silent before jobs of the queue go to others: a duration, at least 1 s. */
    String lease() default "";

    /**
     * Whether the queue is consumed from the start of the application, or only when {@link DelayJobListenerRegistry#start}
     * says so.
     *
     * @return {@code true} (the default when empty) or {@code false}
     */
    String autoStartup() default "";

    /** Who says how an attempt ended. */
    AckMode ackMode() default AckMode.ON_SUCCESS;

    /** How often a job is tried before it is {@link JobState#DEAD}: a number, at least 1. */
    String maxAttempts() default "";

    /** How long one attempt may run before it is interrupted and counts as failed: a duration, at least 1 ms. */
    String timeout() default "";

    /**
     * How long after its due time a job may begin; one that has not begun by then is {@link JobState#DEAD}.
     *
     * @return a duration, at least 1 ms
     */
    String timeToLive() default "";

    /** The wait between attempts; what is left empty is the queue's. */
    JobBackoff backoff() default @JobBackoff;

    /**
     * Exceptions that are retried although a class above them is in {@link #noRetryFor}, or is {@link NonRetryableException}.
     *
     * @return classes; subclasses are meant too, and the class nearest to the exception's own counts
     */
    Class<? extends Throwable>[] retryFor() default {};

    /** Exceptions, and their subclasses, after which no further attempt is made. */
    Class<? extends Throwable>[] noRetryFor() default {};
}
