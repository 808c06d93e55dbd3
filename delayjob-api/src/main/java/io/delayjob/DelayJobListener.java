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
 * <p>A topic is the name that is stored with its jobs; a listener and a {@link DelayJob} cannot share one. The method may have
 * these parameters, in any order:
 *
 * <ul>
 *   <li>the payload: one parameter of any other type, or one annotated with {@code @Payload}; read from JSON;
 *   <li>{@link JobExecution}{@code <P>}: the job and this attempt;
 *   <li>{@link Acknowledgment}: with {@link AckMode#MANUAL} only;
 *   <li>{@code @Header("name")} of any type that Spring converts a string to, and {@code @Headers Map<String, Object>}.
 * </ul>
 *
 * <p>The type of the payload is that of the payload parameter, or the {@code P} of the {@code JobExecution}; without either, any
 * payload is accepted. The return value is ignored. Asynchronous return types and {@code @Async} are refused, because their outcome
 * would be lost: use {@link AckMode#MANUAL} and acknowledge when the work is done. With any other signature the application does
 * not start, and the message says what is allowed. A job whose payload or headers do not fit the parameters is {@link
 * JobState#DEAD} at once, because they never change.
 *
 * <p>Text attributes may contain property placeholders ({@code "${…}"}) and SpEL ({@code "#{…}"}); empty means the queue's setting.
 * An option of a {@link DelayJobRequest} takes precedence over the listener's, and the listener's over the queue's. {@code
 * concurrency}, {@code lease} and {@code autoStartup} apply to the queue on this node: listeners of one queue cannot have different
 * ones. Durations are written as in Spring Boot's properties: {@code 30s}, {@code 10m}, {@code PT1H}.
 *
 * <p>An annotation of the application's own can carry this one and take over attributes by Spring's {@code @AliasFor}.
 */
@Documented
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface DelayJobListener {

    /** The name of the jobs that the method runs: 1 to 256 characters without control characters; empty for the name of the queue. */
    String topic() default "";

    /**
     * The queue from which this node takes the jobs, and to which this application submits jobs of the topic whose request names no
     * queue.
     *
     * @return 1 to 64 of {@code A-Z a-z 0-9 . _ -}; empty for the default queue
     */
    String queue() default "";

    /** The id of the listener in {@link DelayJobListenerRegistry} and in error messages: unique in the application; empty for the topic. */
    String id() default "";

    /** How many jobs of the queue run at once on this node: a number, at least 1. */
    String concurrency() default "";

    /** How long this node may be silent before other nodes take over its jobs of the queue: a duration, at least 1 s. */
    String lease() default "";

    /**
     * Whether the queue is consumed when the application starts, or only after {@link DelayJobListenerRegistry#start}.
     *
     * @return {@code true} (the default when empty) or {@code false}
     */
    String autoStartup() default "";

    /** Acknowledgment mode: decides how an attempt ended. */
    AckMode ackMode() default AckMode.ON_SUCCESS;

    /** How often a job is tried before it is {@link JobState#DEAD}: a number, at least 1. */
    String maxAttempts() default "";

    /** How long one attempt may run before it is interrupted; it has failed if it then throws: a duration, at least 1 ms. */
    String timeout() default "";

    /**
     * How long after its due time a job may begin; one that has not begun by then is {@link JobState#DEAD}.
     *
     * @return a duration, at least 1 ms
     */
    String timeToLive() default "";

    /**
     * The priority of jobs that this application submits to the topic and whose request states none. It is stored with the job, because a job's turn
     * comes before a node with the listener sees it. Other applications state it in their requests, and so does {@code delayjob-client}, which knows
     * {@link DelayJobPolicy}, but no listeners.
     *
     * @return 0 to 9, of which higher ones begin first; empty for {@value JobOptions#USUAL_PRIORITY}
     */
    String priority() default "";

    /** The wait between attempts; an empty value means the queue's setting. */
    JobBackoff backoff() default @JobBackoff;

    /**
     * Exceptions that are retried although a superclass is in {@link #noRetryFor} or is {@link NonRetryableException}.
     *
     * @return exception classes, which include their subclasses; of several that match, the most specific class decides
     */
    Class<? extends Throwable>[] retryFor() default {};

    /** Exceptions, and their subclasses, after which no further attempt is made. */
    Class<? extends Throwable>[] noRetryFor() default {};
}
