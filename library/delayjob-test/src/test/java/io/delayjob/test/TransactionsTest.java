package io.delayjob.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

@DelayJobTest(
        classes = {Notes.class, NoDatabase.class},
        properties = "delayjob.submit-after-commit=true")
class TransactionsTest {

    @Autowired
    private DelayJobProducer producer;

    @Autowired
    private PlatformTransactionManager transactions;

    @Autowired
    private Notes notes;

    @Autowired
    private SubmittedJobs jobs;

    @Autowired
    private VirtualClock clock;

    @BeforeEach
    void forget() {
        notes.clear();
    }

    private void inTransaction(Runnable work) {
        new TransactionTemplate(transactions).executeWithoutResult(status -> work.run());
    }

    private void submit() {
        producer.submitDelayJob(Notes.class, "tea", Duration.ofDays(1));
    }

    @Test
    void recordsASubmitAfterTheCommit() {
        inTransaction(() -> {
            submit();
            jobs.assertNothingSubmitted();
        });

        jobs.assertSubmitted(Notes.class).times(1);
        assertThat(clock.drain()).isEqualTo(1);
    }

    @Test
    @Transactional
    void saysThatASubmitWaitsForACommit() {
        submit();

        assertThat(clock.drain()).isZero();
        assertThatThrownBy(() -> jobs.assertSubmitted(Notes.class))
                .hasMessageEndingWith("Not among them: 1 whose submit waits for the commit of its transaction.");
    }

    @Test
    @Transactional
    void runsAJobWithinTheTransactionOfTheTest() {
        notes.on(
                "tea",
                execution -> assertThat(TransactionSynchronizationManager.isActualTransactionActive())
                        .isTrue());
        producer.submitDelayJob(DelayJobRequest.of(Notes.class, "tea").withAfterCommit(false), Duration.ZERO);

        assertThat(clock.runDue()).isEqualTo(1);
        jobs.assertNoneFailed();
    }

    @Test
    @WithDelayJobMode(DelayJobMode.INLINE)
    void runsInlineAfterTheCommitAndOutsideTheTransaction() {
        List<Boolean> inTransaction = new ArrayList<>();
        notes.on("tea", execution -> inTransaction.add(TransactionSynchronizationManager.isActualTransactionActive()));

        inTransaction(() -> {
            submit();
            submit();
            assertThat(inTransaction).isEmpty();
        });

        assertThat(inTransaction).containsExactly(false, false);
    }

    @Test
    @WithDelayJobMode(DelayJobMode.INLINE)
    void runsWhatAJobSubmitsInATransactionOfItsOwn() {
        notes.on("a", execution -> inTransaction(this::submit));

        producer.submitDelayJob(Notes.class, "a", Duration.ZERO);

        assertThat(notes.taken()).containsExactly("a", "tea");
    }
}
