package io.delayjob.spring.internal.metrics;

import io.delayjob.engine.extension.JobEvents;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Locale;

/** Counts the events that the application's listeners were too slow for. */
public final class EventMeters implements MeterBinder {

    private final JobEvents events;

    public EventMeters(JobEvents events) {
        this.events = events;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        JobEvents.KINDS.forEach(
                kind -> FunctionCounter.builder("delayjob.events.dropped", events, all -> all.dropped(kind))
                        .description("Events that were dropped because their listeners are slower than the jobs")
                        .tag("event", kind.getSimpleName().toLowerCase(Locale.ROOT))
                        .register(registry));
    }
}
