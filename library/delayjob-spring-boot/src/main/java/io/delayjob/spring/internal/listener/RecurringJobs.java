package io.delayjob.spring.internal.listener;

import io.delayjob.RecurringDelayJob;
import io.delayjob.Schedule;
import io.delayjob.ScheduleTiming;
import io.delayjob.engine.handler.DeclaredSchedule;
import io.delayjob.engine.handler.Handler;
import io.delayjob.engine.handler.ParamCodec;
import io.delayjob.support.Checks;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;
import org.springframework.util.StringValueResolver;

/** Makes a schedule of a {@link RecurringDelayJob}. */
final class RecurringJobs {

    private final Attributes attributes;
    private final RecurringDelayJob stated;

    private RecurringJobs(Attributes attributes, RecurringDelayJob stated) {
        this.attributes = attributes;
        this.stated = stated;
    }

    /**
     * A handler with the schedule that it declares.
     *
     * @param label the bean or listener, for messages
     * @param queue the queue of its jobs; null for the default queue
     */
    static Handler declaring(
            RecurringDelayJob stated,
            Handler job,
            String label,
            StringValueResolver resolver,
            @Nullable String queue,
            ParamCodec params) {
        Attributes attributes = new Attributes("@RecurringDelayJob of " + label, resolver);
        boolean enabled = !Boolean.FALSE.equals(attributes.flag("enabled", stated.enabled()));
        // A recurring job has no param.
        String unused = attributes.checked("payload", () -> params.write(job, null));
        return job.with(
                new DeclaredSchedule(new RecurringJobs(attributes, stated).schedule(job.name(), queue), enabled));
    }

    private Schedule schedule(String topic, @Nullable String queue) {
        String name = attributes.name("name", stated.name(), Checks::scheduleName);
        Duration window = attributes.duration("window", stated.window());
        Schedule schedule = attributes
                .checked(
                        "name",
                        () -> Schedule.every(name == null ? topic : name, topic, Duration.ofDays(1))
                                .withTiming(timing()))
                .withOverlap(stated.overlap())
                .withCatchUp(stated.catchUp());
        Schedule onQueue = queue == null ? schedule : schedule.withQueue(queue);
        Schedule pausing = attributes.checked("pauseAfter", () -> onQueue.withPauseAfter(stated.pauseAfter()));
        Schedule revised = attributes.checked("revision", () -> pausing.withRevision(stated.revision()));
        return window == null ? revised : attributes.checked("window", () -> revised.withWindow(window));
    }

    private ScheduleTiming timing() {
        String cron = attributes.text("cron", stated.cron());
        Duration every = attributes.duration("every", stated.every());
        String zone = attributes.text("zone", stated.zone());
        Duration jitter = attributes.duration("jitter", stated.jitter());
        ZoneId zoneId = zone == null ? ZoneOffset.UTC : attributes.checked("zone", () -> ScheduleTiming.zoneOf(zone));
        return attributes.checked(
                cron == null ? "every" : "cron",
                () -> new ScheduleTiming(
                        cron, every, zoneId, stated.gap(), stated.repeated(), jitter == null ? Duration.ZERO : jitter));
    }
}
