package io.delayjob.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.DelayJobProducer;
import io.delayjob.JobEvent;
import io.delayjob.spi.JobEventListener;
import jakarta.annotation.PostConstruct;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.event.EventListener;

/** The application hears of its jobs, and the test can rely on when. */
@DelayJobTest(classes = {Notes.class, EventsTest.Ears.class, EventsTest.EarlyBird.class})
class EventsTest {

    static class Ears implements JobEventListener {

        private final List<JobEvent> heard = new CopyOnWriteArrayList<>();
        private final List<JobEvent> published = new CopyOnWriteArrayList<>();

        @Override
        public void onEvent(JobEvent event) {
            heard.add(event);
            throw new AssertionError("a failure of a listener is not one of the job");
        }

        @EventListener
        void on(JobEvent event) {
            published.add(event);
        }
    }

    /** Submits while the context starts. */
    static class EarlyBird {

        private final DelayJobProducer producer;

        EarlyBird(DelayJobProducer producer) {
            this.producer = producer;
        }

        @PostConstruct
        void submit() {
            producer.submitDelayJob(Notes.class, "early", Duration.ofMinutes(1));
        }
    }

    private static boolean heardTheEarlyBird;

    @Autowired
    private DelayJobProducer producer;

    @Autowired
    private Ears ears;

    @Autowired
    private VirtualClock clock;

    @Autowired
    private SubmittedJobs jobs;

    @BeforeEach
    void listen() {
        heardTheEarlyBird |= ears.heard.stream()
                .anyMatch(event -> event instanceof JobEvent.Submitted submit
                        && "early".equals(submit.request().param()));
        ears.heard.clear();
        ears.published.clear();
    }

    @Test
    void hearsOfEveryStepBeforeTheClockStops() {
        producer.submitDelayJob(Notes.class, "tea", Duration.ZERO);
        clock.runDue();

        assertThat(ears.heard).isEqualTo(jobs.events()).hasSize(3);
        assertThat(ears.published).isEqualTo(ears.heard);
    }

    @Test
    void hearsAfterwardsOfWhatHappenedAtTheStart() {
        assertThat(heardTheEarlyBird).isTrue();
        jobs.assertNothingSubmitted();
    }
}
