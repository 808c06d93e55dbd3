package io.delayjob.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.DelayJobRequest;
import io.delayjob.JobSubmissionException;
import io.delayjob.SubmitResult;
import io.delayjob.SubmitResult.Outcome;
import io.delayjob.client.FakeServer.Heard;
import io.delayjob.spring.autoconfigure.TestTransactions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Submits inside a transaction. */
class AfterCommitTest {

    private final FakeServer server = new FakeServer();
    private final HttpDelayJobProducer producer = server.producer();
    private final TestTransactions transactions = new TestTransactions();

    @AfterEach
    void close() {
        server.close();
    }

    private static DelayJobRequest<Void> waiting(String id) {
        return DelayJobRequest.toTopic("t").withId(id).withAfterCommit(true);
    }

    private SubmitResult submit(String id) {
        return producer.submit(waiting(id), Duration.ZERO);
    }

    private List<String> heard() {
        return server.heard().stream().map(Heard::ids).flatMap(List::stream).toList();
    }

    @Test
    void waitsForTheCommitAndTheCommitForTheServer() {
        transactions.run(() -> {
            assertThat(submit("a")).isEqualTo(new SubmitResult("mail", "a", Outcome.DEFERRED));
            assertThat(heard()).isEmpty();
        });

        assertThat(heard()).containsExactly("a");
    }

    @Test
    void isNotSentAfterARollback() {
        transactions.rollBack(() -> submit("a"));

        assertThat(heard()).isEmpty();
    }

    @Test
    void isNotSentIfItsSavepointIsRolledBack() {
        transactions.run(() -> {
            submit("before");
            transactions.template(TransactionDefinition.PROPAGATION_NESTED).executeWithoutResult(nested -> {
                submit("within");
                nested.setRollbackOnly();
            });
            submit("after");
        });

        assertThat(heard()).containsExactlyInAnyOrder("before", "after");
    }

    @Test
    void isNotSentAfterTheCommitOfAnotherTransaction() {
        transactions.run(() -> {
            submit("outer");
            transactions.run(() -> submit("inner"));
            assertThat(heard()).containsExactly("inner");
        });

        assertThat(heard()).containsExactly("inner", "outer");
    }

    @Test
    void isSentAtOnceOutsideATransaction() {
        assertThat(submit("a").outcome()).isEqualTo(Outcome.STORED);
    }

    @Test
    void isSentAlthoughItIsMadeAfterTheCommit() {
        transactions.run(
                () -> TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                    @Override
                    public void afterCommit() {
                        submit("late");
                    }
                }));

        assertThat(heard()).containsExactly("late");
    }

    @Test
    void othersOfTheSameSubmitAreSentAtOnce() {
        transactions.run(() -> {
            List<SubmitResult> results = producer.submitAll(
                    List.of(waiting("a"), DelayJobRequest.toTopic("t").withId("b"), waiting("c")), Duration.ZERO);

            assertThat(results)
                    .extracting(SubmitResult::outcome)
                    .containsExactly(Outcome.DEFERRED, Outcome.STORED, Outcome.DEFERRED);
            assertThat(heard()).containsExactly("b");
        });

        assertThat(heard()).containsExactly("b", "a", "c");
    }

    @Test
    void aFailureIsThrownToTheCommitAndAllAreSent() {
        server.thenProblem(401, "unauthenticated", "revoked").thenProblem(401, "unauthenticated", "revoked");

        assertThatThrownBy(() -> transactions.run(() -> {
                    submit("a");
                    submit("b");
                }))
                .isInstanceOf(JobSubmissionException.class)
                .hasMessageContaining("revoked");

        assertThat(heard()).containsExactlyInAnyOrder("a", "b");
    }
}
