package io.delayjob.spring.internal.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.JobEvent;
import io.delayjob.engine.extension.JobEvents;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;

class EventMetersTest {

    private final JobEvents events = Mockito.mock();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    @Test
    void countsWhatWasDroppedByItsKind() {
        Mockito.when(events.dropped(JobEvent.Buried.class)).thenReturn(7L);
        new EventMeters(events).bindTo(registry);

        assertThat(dropped("buried")).isEqualTo(7);
        assertThat(dropped("completed")).isZero();
    }

    private double dropped(String kind) {
        return registry.get("delayjob.events.dropped")
                .tag("event", kind)
                .functionCounter()
                .count();
    }
}
