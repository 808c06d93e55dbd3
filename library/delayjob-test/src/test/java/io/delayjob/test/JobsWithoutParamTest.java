package io.delayjob.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.delayjob.DelayJob;
import io.delayjob.DelayJobAdmin;
import io.delayjob.DelayJobListener;
import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobRequest;
import io.delayjob.JobExecution;
import io.delayjob.JobState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

@DelayJobTest(classes = {JobsWithoutParamTest.Sweep.class, JobsWithoutParamTest.Bells.class})
class JobsWithoutParamTest {

    private static final List<String> RUN = new ArrayList<>();

    static class Sweep implements DelayJob<Void> {
        @Override
        public void execute(JobExecution<Void> execution) {
            assertThat(execution.hasParam()).isFalse();
            assertThatIllegalStateException()
                    .isThrownBy(execution::param)
                    .withMessage("job '" + execution.id() + "' in queue 'default' has no param");
            RUN.add("sweep");
        }
    }

    static class Bells {
        @DelayJobListener(topic = "ring")
        void ring() {
            RUN.add("ring");
        }

        @DelayJobListener(topic = "toll")
        void toll(JobExecution<Void> execution) {
            RUN.add("toll " + execution.hasParam());
        }

        @DelayJobListener(topic = "chime")
        void chime(Object tune) {
            RUN.add("chime " + tune);
        }
    }

    @Autowired
    private DelayJobProducer producer;

    @Autowired
    private DelayJobAdmin admin;

    @Autowired
    private VirtualClock clock;

    @Autowired
    private SubmittedJobs jobs;

    @BeforeEach
    void forget() {
        RUN.clear();
    }

    @Test
    void runsAJobThatTakesNone() {
        producer.submitDelayJob(DelayJobRequest.of(Sweep.class), Duration.ofMinutes(1));
        producer.submitDelayJob(Sweep.class, null, Duration.ofMinutes(2));
        clock.drain();
        jobs.assertNoneFailed();
        assertThat(RUN).containsExactly("sweep", "sweep");
    }

    @Test
    void runsAListenerThatTakesNone() {
        producer.submitDelayJob(DelayJobRequest.toTopic("ring"), Duration.ofMinutes(1));
        producer.submitDelayJob(DelayJobRequest.toTopic("toll"), Duration.ofMinutes(2));
        clock.drain();
        jobs.assertNoneFailed();
        assertThat(RUN).containsExactly("ring", "toll false");
    }

    @Test
    void buriesAJobWithoutAPayloadForAListenerThatTakesAny() {
        String id = producer.submitDelayJob(DelayJobRequest.toTopic("chime"), Duration.ZERO);
        clock.drain();
        assertThat(admin.find("default", id)).hasValueSatisfying(dead -> {
            assertThat(dead.state()).isEqualTo(JobState.DEAD);
            assertThat(dead.lastError()).contains("takes a payload, and job '" + id + "' of queue 'default' has none");
        });
        assertThat(RUN).isEmpty();
    }

    @Test
    void refusesAParamForAJobThatTakesNone() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> producer.submitDelayJob("toll", "loudly", Duration.ZERO))
                .withMessageContaining("takes java.lang.Void, but the param is a java.lang.String");
    }
}
