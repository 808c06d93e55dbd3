package io.delayjob;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.JobSubmissionException.Outcome;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class JobSubmissionExceptionTest {

    private final Throwable cause = new IllegalStateException("Redis cannot be reached (submit)");

    @Test
    void saysThatAJobWhichIsNotStoredWillNotRun() {
        assertThat(new JobSubmissionException("orders", List.of("close-42"), Outcome.NOT_STORED, cause))
                .hasMessage("job 'close-42' for queue 'orders' is not stored and will not run:"
                        + " Redis cannot be reached (submit)")
                .hasCause(cause);
    }

    @Test
    void saysWhatToDoWhenTheOutcomeIsUnknown() {
        assertThat(new JobSubmissionException("orders", List.of("close-42"), Outcome.UNKNOWN, cause))
                .hasMessage("job 'close-42' for queue 'orders' may or may not be stored; submit again with the same id"
                        + " (an id that exists adds nothing): Redis cannot be reached (submit)");
    }

    @Test
    void countsManyJobsAndNamesTheFirst() {
        assertThat(new JobSubmissionException("orders", List.of("a", "b", "c"), Outcome.NOT_STORED, cause))
                .hasMessage("3 jobs, the first 'a', for queue 'orders' are not stored and will not run:"
                        + " Redis cannot be reached (submit)");
        assertThat(new JobSubmissionException("orders", List.of("a", "b", "c"), Outcome.UNKNOWN, cause))
                .hasMessage(
                        "3 jobs, the first 'a', for queue 'orders' may or may not be stored; submit again with the same"
                                + " ids (an id that exists adds nothing): Redis cannot be reached (submit)");
    }

    @Test
    void saysThatAJobRunsUnlessTheMasterIsLostWhenTooFewReplicasHaveIt() {
        Throwable few = new IllegalStateException("1 of 2 replicas acknowledged it");
        ReplicationException failure = new ReplicationException("orders", List.of("close-42"), 2, 1, few);
        assertThat(failure)
                .hasMessage(
                        "job 'close-42' for queue 'orders' is stored on the master and will run unless the master is"
                                + " lost before its replicas have it; to wait for them again, submit again with the same id (an id"
                                + " that exists adds nothing): 1 of 2 replicas acknowledged it")
                .hasCause(few);
        assertThat(failure.outcome()).isEqualTo(Outcome.NOT_REPLICATED);
        assertThat(failure.required()).isEqualTo(2);
        assertThat(failure.reached()).isEqualTo(1);
        assertThat(new ReplicationException("orders", List.of("a", "b"), 2, 1, few))
                .hasMessageStartingWith(
                        "2 jobs, the first 'a', for queue 'orders' are stored on the master and will run"
                                + " unless the master is lost before its replicas have them; to wait for them again, submit again"
                                + " with the same ids (");
    }

    @Test
    void holdsQueueIdsAndOutcome() {
        List<String> ids = new ArrayList<>(List.of("a", "b"));
        JobSubmissionException failure = new JobSubmissionException("orders", ids, Outcome.UNKNOWN, cause);
        ids.clear();
        assertThat(failure.queue()).isEqualTo("orders");
        assertThat(failure.jobIds()).containsExactly("a", "b").isUnmodifiable();
        assertThat(failure.outcome()).isEqualTo(Outcome.UNKNOWN);
        assertThat(failure.results())
                .containsExactly(
                        new SubmitResult("orders", "a", SubmitResult.Outcome.UNCONFIRMED),
                        new SubmitResult("orders", "b", SubmitResult.Outcome.UNCONFIRMED));
    }
}
