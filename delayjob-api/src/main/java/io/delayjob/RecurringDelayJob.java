package io.delayjob;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Runs a {@link DelayJobListener} method that takes no payload, or a {@code DelayJob<Void>} bean, at instants that repeat: once for each
 * instant in the whole fleet.
 *
 * <pre>{@code
 * @DelayJobListener(topic = "report")
 * @RecurringDelayJob(name = "nightly-report", cron = "0 0 3 * * *", zone = "Europe/Berlin")
 * void report(JobExecution<Void> execution) { … }
 * }</pre>
 *
 * <p>The application stores the schedule when it starts, as {@link DelayJobSchedules#put} does. From then on it is in Redis: a node without the
 * annotation deletes nothing, so remove a schedule that is no longer wanted with {@link DelayJobSchedules#remove}, or state {@code enabled =
 * "false"} in one release. Two beans of an application cannot declare the same name.
 *
 * <p>Text attributes may contain property placeholders ({@code "${…}"}) and SpEL ({@code "#{…}"}). Durations are written as in Spring Boot's
 * properties: {@code 30s}, {@code 10m}, {@code PT1H}.
 */
@Documented
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface RecurringDelayJob {

    /** The name of the schedule, one in all queues: 1 to 128 characters without control characters; empty for the topic. */
    String name() default "";

    /** A cron expression; see {@link ScheduleTiming#cron()}. Either this or {@link #every} is stated. */
    String cron() default "";

    /** The distance of two instants, at least 1 s; see {@link ScheduleTiming#every()}. */
    String every() default "";

    /** The zone whose clocks show the times of the expression, such as {@code Europe/Berlin}; empty for UTC. */
    String zone() default "";

    /** The policy for an instant whose occurrence before is not over: it waits, runs or is being retried. */
    Schedule.Overlap overlap() default Schedule.Overlap.SKIP;

    /** The policy for missed instants, which nobody could serve in time: which of them are made up for. */
    Schedule.CatchUp catchUp() default Schedule.CatchUp.LAST;

    /** How long after its instant an occurrence can be made up for, at least 10 s; empty for a day. */
    String window() default "";

    /** How much later an occurrence may be due than its instant, by a fixed amount for each instant; empty for not at all. */
    String jitter() default "";

    /** The policy for a local time that does not exist, because clocks are put forward. */
    ScheduleTiming.Gap gap() default ScheduleTiming.Gap.SHIFT;

    /** The policy for a local time that exists twice, because clocks are put back. */
    ScheduleTiming.Repeated repeated() default ScheduleTiming.Repeated.FIRST;

    /**
     * How many occurrences in a row may be dead before the schedule pauses itself; see {@link Schedule#withPauseAfter}.
     *
     * @return 0 or more; 0 (the default) for any number
     */
    int pauseAfter() default 0;

    /**
     * Says which of two releases of the application has the newer definition: the higher number wins, whichever node starts last. Of equal ones
     * the node that starts last wins, and logs a warning.
     *
     * @return 0 or more
     */
    int revision() default 0;

    /**
     * Whether the schedule is wanted.
     *
     * @return {@code true} (the default when empty); or {@code false} to remove what is stored under its name, unless that has a higher revision
     */
    String enabled() default "";
}
