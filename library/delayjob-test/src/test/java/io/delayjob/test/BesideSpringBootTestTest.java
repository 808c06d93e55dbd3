package io.delayjob.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.DelayJobProducer;
import java.time.Duration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.core.env.Environment;
import org.springframework.test.context.NestedTestConfiguration;
import org.springframework.test.context.NestedTestConfiguration.EnclosingConfiguration;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

/** Tests that have their own way to an application context. */
@NestedTestConfiguration(EnclosingConfiguration.OVERRIDE)
class BesideSpringBootTestTest {

    abstract static class Uses {

        @Autowired
        private DelayJobProducer producer;

        @Autowired
        private Notes notes;

        @Autowired
        private VirtualClock clock;

        @Autowired
        private SubmittedJobs jobs;

        @Autowired
        protected Environment environment;

        @Test
        void drivesTheJobs() {
            notes.clear();
            producer.submitDelayJob(Notes.class, "tea", Duration.ofHours(1));
            jobs.assertSubmitted(Notes.class);

            clock.advance(Duration.ofHours(1));

            assertThat(notes.taken()).containsExactly("tea");
        }
    }

    @Nested
    @SpringBootTest(classes = Notes.class, properties = "shop=open")
    @AutoConfigureDelayJobTest
    class BesideIt extends Uses {

        @Test
        void leavesItsAttributesAlone() {
            assertThat(environment.getProperty("shop")).isEqualTo("open");
        }
    }

    @Nested
    @SpringBootTest(classes = Notes.class, properties = "shop=open")
    @DelayJobTest
    class WithBoth extends Uses {

        @Test
        void leavesItsAttributesAlone() {
            assertThat(environment.getProperty("shop")).isEqualTo("open");
        }
    }

    @Nested
    @SpringJUnitConfig(Notes.class)
    @AutoConfigureDelayJobTest
    class BesidePlainSpring extends Uses {}

    @Nested
    @SpringBootTest(classes = Notes.class)
    @AutoConfigureDelayJobTest(mode = DelayJobMode.INLINE)
    class InlineBesideIt {

        @Autowired
        private DelayJobProducer producer;

        @Autowired
        private SubmittedJobs jobs;

        @Test
        void runsAtOnce() {
            producer.submitDelayJob(Notes.class, "tea", Duration.ofHours(1));

            jobs.assertCompleted(Notes.class);
        }
    }
}
