package io.delayjob.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.DelayJobProducer;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;

/** An application that observes its jobs. */
@DelayJobTest(
        classes = {ObservedSubmitsTest.Application.class, Notes.class},
        properties = "delayjob.observation-enabled=true")
class ObservedSubmitsTest {

    private static final List<String> observed = new CopyOnWriteArrayList<>();

    @EnableAutoConfiguration
    static class Application {

        @Bean
        ObservationRegistry registry() {
            ObservationRegistry registry = ObservationRegistry.create();
            registry.observationConfig().observationHandler(new Ends());
            return registry;
        }
    }

    private static final class Ends implements ObservationHandler<Observation.Context> {

        @Override
        public void onStop(Observation.Context context) {
            observed.add(String.valueOf(context.getName()));
        }

        @Override
        public boolean supportsContext(Observation.Context context) {
            return true;
        }
    }

    @Autowired
    private DelayJobProducer producer;

    @Autowired
    private VirtualClock clock;

    @BeforeEach
    void forget() {
        observed.clear();
    }

    @Test
    void observesSubmitsAndAttempts() {
        producer.submitDelayJob(Notes.class, "tea", Duration.ofHours(1));
        assertThat(observed).containsExactly("delayjob.send");

        clock.drain();
        assertThat(observed).containsExactly("delayjob.send", "delayjob.process");
    }

    @Test
    @WithDelayJobMode(DelayJobMode.INLINE)
    void observesASubmitBeforeItsJobsRun() {
        producer.submitDelayJob(Notes.class, "tea", Duration.ofHours(1));

        assertThat(observed).containsExactly("delayjob.send", "delayjob.process");
    }
}
