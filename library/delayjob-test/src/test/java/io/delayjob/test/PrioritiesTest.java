package io.delayjob.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.delayjob.DelayJob;
import io.delayjob.DelayJobAdmin;
import io.delayjob.DelayJobListener;
import io.delayjob.DelayJobPolicy;
import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobRequest;
import io.delayjob.JobExecution;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

@DelayJobTest(
        classes = {PrioritiesTest.Urgent.class, PrioritiesTest.Reports.class, Notes.class},
        properties = "reports.priority=1")
class PrioritiesTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    @DelayJobPolicy(priority = "7")
    static class Urgent implements DelayJob<String> {

        @Override
        public void execute(JobExecution<String> execution) {}
    }

    static class Reports {

        private final List<String> written = new CopyOnWriteArrayList<>();

        @DelayJobListener(topic = "reports", priority = "${reports.priority}")
        void write(String report) {
            written.add(report);
        }
    }

    @Autowired
    private DelayJobProducer producer;

    @Autowired
    private DelayJobAdmin admin;

    @Autowired
    private Reports reports;

    @Autowired
    private VirtualClock clock;

    @Autowired
    private SubmittedJobs jobs;

    @BeforeEach
    void forget() {
        reports.written.clear();
    }

    private @Nullable Integer stored(DelayJobRequest<?> request) {
        String id = producer.submitDelayJob(request, MINUTE);
        return admin.find("default", id).orElseThrow().options().priority();
    }

    @Test
    void aSubmitHasThePriorityOfItsRequestElseThatOfItsHandler() {
        assertThat(stored(DelayJobRequest.of(Urgent.class, "a"))).isEqualTo(7);
        assertThat(stored(DelayJobRequest.of(Urgent.class, "b").withPriority(2)))
                .isEqualTo(2);
        assertThat(stored(DelayJobRequest.toTopic(Urgent.class.getName(), "c"))).isEqualTo(7);
        assertThat(stored(DelayJobRequest.toTopic("reports", "d"))).isEqualTo(1);
        assertThat(stored(DelayJobRequest.of(Notes.class, "e"))).isNull();

        jobs.assertSubmitted(Urgent.class).withPriority(2).withParam("b").times(1);
        jobs.assertSubmitted("reports").withPriority(1).times(1);
        jobs.assertSubmitted(Notes.class).withPriority(4).times(1);
    }

    @Test
    void jobsThatAreDueAtOnceRunByTheirPriority() {
        for (int priority : new int[] {4, 0, 9, 3, 5}) {
            producer.submitDelayJob(
                    DelayJobRequest.toTopic("reports", String.valueOf(priority)).withPriority(priority), MINUTE);
        }

        clock.advance(MINUTE);

        assertThat(reports.written).containsExactly("9", "5", "4", "3", "0");
    }

    @Test
    void nothingIsSubmittedWithAPriorityThatIsNone() {
        for (int priority : new int[] {-1, 10}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> producer.submitDelayJob(
                            DelayJobRequest.toTopic("reports", "late").withPriority(priority), MINUTE))
                    .withMessage(
                            "priority must be 0 to 9, of which higher ones go first, or left out for 4: " + priority);
        }
        jobs.assertNothingSubmitted();
    }
}
