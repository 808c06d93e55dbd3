package io.delayjob.modulith;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Makes a delayed job of each event of this class that is published in a transaction.
 *
 * <pre>{@code
 * @DelayJobExternalized(topic = "close-order", delay = "30m", id = "close-#{orderId()}")
 * record OrderPlaced(String orderId) {}
 *
 * @DelayJobListener(topic = "close-order")
 * void close(OrderPlaced order) { … }
 * }</pre>
 *
 * <p>Spring Modulith's event publication registry keeps the event in the transaction that publishes it, and until Redis has
 * confirmed the job. A process that dies between the commit and the submit, or a submit that fails, leaves the publication
 * incomplete; it is submitted again when incomplete publications are resubmitted, as Modulith is told to. After a rollback there is
 * neither publication nor job. The event is the job's param, written as JSON by the application's own mapper.
 *
 * <p>Text may hold property placeholders ({@code ${…}}), and where it says so SpEL about the event ({@code #{…}}). Text that cannot
 * be read fails the publication when the first event of the class is published.
 */
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface DelayJobExternalized {

    /**
     * The name of what runs the jobs: the topic of a listener, or the name of a {@link io.delayjob.DelayJob} bean.
     *
     * @return 1 to 256 characters without control characters
     */
    String topic();

    /**
     * The queue of the jobs.
     *
     * @return 1 to 64 of {@code A-Z a-z 0-9 . _ -}; empty for the queue of the listener of the topic, else the default queue
     */
    String queue() default "";

    /**
     * How long after the publication the job is due; what has passed when the publication is resubmitted is taken off.
     *
     * @return a duration as in Boot's properties, 0 or more, such as {@code 30s}, {@code PT1H} or
     *     {@code #{timeToPay()}}
     */
    String delay() default "0s";

    /**
     * The id of the job. While a job of an id is unfinished, a further event with that id adds nothing.
     *
     * @return such as {@code close-#{orderId()}}, to find or cancel the job by; empty for the identifier of the publication,
     *     so that each event has a job of its own and a repeated submit adds nothing
     */
    String id() default "";
}
