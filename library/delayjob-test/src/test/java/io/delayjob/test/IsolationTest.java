package io.delayjob.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.DelayJobAdmin;
import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobRequest;
import io.delayjob.SubmitResult;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.springframework.beans.factory.annotation.Autowired;

/** Each test leaves something behind, and expects nothing to be there. */
@DelayJobTest(classes = Notes.class)
class IsolationTest {

    @Autowired
    private DelayJobProducer producer;

    @Autowired
    private DelayJobAdmin admin;

    @Autowired
    private VirtualClock clock;

    @Autowired
    private SubmittedJobs jobs;

    @RepeatedTest(2)
    void beginsWithEmptyQueuesAndNoneOfThemPaused() {
        assertThat(admin.counts("default").delayed()).isZero();
        assertThat(admin.counts("default").paused()).isFalse();
        jobs.assertNothingSubmitted();
        assertThat(jobs.events()).isEmpty();

        SubmitResult result =
                producer.submit(DelayJobRequest.of(Notes.class, "tea").withId("1"), Duration.ofMinutes(1));
        assertThat(result.outcome()).isEqualTo(SubmitResult.Outcome.STORED);
        admin.pause("default");
    }

    @RepeatedTest(2)
    void beginsNow() {
        assertThat(clock.now()).isBefore(Instant.now().plus(Duration.ofDays(1)));

        clock.advance(Duration.ofDays(365));
    }

    @Nested
    class InANestedClass {

        @RepeatedTest(2)
        void beginsWithEmptyQueues() {
            assertThat(admin.counts("default").delayed()).isZero();
            jobs.assertNothingSubmitted();

            producer.submitDelayJob(Notes.class, "tea", Duration.ofMinutes(1));
        }
    }
}
