package io.delayjob.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.springframework.transaction.TransactionDefinition.PROPAGATION_NESTED;
import static org.springframework.transaction.TransactionDefinition.PROPAGATION_NOT_SUPPORTED;
import static org.springframework.transaction.TransactionDefinition.PROPAGATION_REQUIRED;
import static org.springframework.transaction.TransactionDefinition.PROPAGATION_SUPPORTS;

import io.delayjob.DelayJobException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** When submits that wait for a commit are sent. */
class SpringTransactionsTest {

    private final SpringTransactions transactions = new SpringTransactions();
    private final TestTransactions manager = new TestTransactions();
    private final List<String> sent = new ArrayList<>();

    private boolean submit(String job) {
        return transactions.afterCommit(sending(job));
    }

    private Supplier<CompletableFuture<?>> sending(String job) {
        return () -> {
            sent.add(job);
            return CompletableFuture.completedFuture(job);
        };
    }

    @AfterEach
    void leavesNothingOnTheThread() {
        assertThat(TransactionSynchronizationManager.getResourceMap()).isEmpty();
        assertThat(TransactionSynchronizationManager.isSynchronizationActive()).isFalse();
    }

    @Test
    void waitsForNothingOutsideATransaction() {
        assertThat(submit("now")).isFalse();
        assertThat(sent).isEmpty();
    }

    @Test
    void waitsForNothingWhereThereAreOnlySynchronizations() {
        manager.template(PROPAGATION_SUPPORTS)
                .executeWithoutResult(status -> assertThat(submit("now")).isFalse());
    }

    @Test
    void sendsAllAfterTheCommitInTheirOrder() {
        manager.run(() -> {
            assertThat(submit("one")).isTrue();
            assertThat(submit("two")).isTrue();
            assertThat(sent).isEmpty();
        });
        assertThat(sent).containsExactly("one", "two");
    }

    @Test
    void sendsNothingAfterARollback() {
        manager.rollBack(() -> submit("never"));
        assertThatIllegalStateException()
                .isThrownBy(() -> manager.run(() -> {
                    submit("never");
                    throw new IllegalStateException("rolls back");
                }));
        assertThat(sent).isEmpty();
    }

    @Test
    void sendsWhatAJoinedTransactionSubmitsWithTheOuterOne() {
        manager.run(() -> {
            submit("outer");
            manager.template(PROPAGATION_REQUIRED).executeWithoutResult(status -> submit("inner"));
            assertThat(sent).isEmpty();
        });
        assertThat(sent).containsExactly("outer", "inner");
    }

    @Test
    void keepsASuspendedTransactionApartFromTheInnerOne() {
        manager.run(() -> {
            submit("outer");
            manager.run(() -> submit("inner"));
            assertThat(sent).containsExactly("inner");
            submit("outer again");
        });
        assertThat(sent).containsExactly("inner", "outer", "outer again");
    }

    @Test
    void sendsTheInnerAndNotTheOuterOneThatIsRolledBack() {
        manager.rollBack(() -> {
            submit("outer");
            manager.run(() -> submit("inner"));
        });
        assertThat(sent).containsExactly("inner");
    }

    @Test
    void sendsTheOuterAndNotTheInnerOneThatIsRolledBack() {
        manager.run(() -> {
            submit("outer");
            manager.rollBack(() -> submit("inner"));
        });
        assertThat(sent).containsExactly("outer");
    }

    @Test
    void sendsAtOnceWhileTheTransactionIsSuspended() {
        manager.run(() -> {
            submit("outer");
            manager.template(PROPAGATION_NOT_SUPPORTED)
                    .executeWithoutResult(status -> assertThat(submit("now")).isFalse());
        });
        assertThat(sent).containsExactly("outer");
    }

    @Test
    void forgetsWhatASavepointTakesBack() {
        manager.run(() -> {
            submit("before");
            manager.template(PROPAGATION_NESTED).executeWithoutResult(status -> submit("kept"));
            manager.template(PROPAGATION_NESTED).executeWithoutResult(status -> {
                submit("taken back");
                status.setRollbackOnly();
            });
            submit("after");
        });
        assertThat(sent).containsExactly("before", "kept", "after");
    }

    @Test
    void forgetsAFirstSubmitThatASavepointTakesBack() {
        manager.run(() -> {
            manager.template(PROPAGATION_NESTED).executeWithoutResult(status -> {
                submit("taken back");
                status.setRollbackOnly();
            });
            submit("after");
        });
        assertThat(sent).containsExactly("after");
    }

    @Test
    void startsAllAndThrowsTheFirstFailureWithTheOthers() {
        DelayJobException first = new DelayJobException("first", null);
        DelayJobException second = new DelayJobException("second", null);
        assertThatExceptionOfType(DelayJobException.class)
                .isThrownBy(() -> manager.run(() -> {
                    transactions.afterCommit(() -> CompletableFuture.failedFuture(first));
                    transactions.afterCommit(() -> {
                        throw second;
                    });
                    submit("third");
                }))
                .isSameAs(first)
                .satisfies(failure -> assertThat(failure.getSuppressed()).containsExactly(second));
        assertThat(sent).containsExactly("third");
    }

    private static void afterCommit(Runnable work) {
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void afterCommit() {
                work.run();
            }
        });
    }

    @Test
    void sendsAtOnceWhatIsSubmittedAfterItsOwnCommit() {
        manager.run(() -> {
            submit("first");
            afterCommit(() -> assertThat(submit("now")).isFalse());
        });
        assertThat(sent).containsExactly("first");
    }

    @Test
    void sendsAsTheTransactionCompletesWhatAnotherSynchronizationSubmitsFirst() {
        manager.run(() -> afterCommit(() -> assertThat(submit("late")).isTrue()));
        assertThat(sent).containsExactly("late");
    }

    @Test
    void sendsEvenIfAnotherSynchronizationFailedAfterTheCommit() {
        assertThatIllegalStateException()
                .isThrownBy(() -> manager.run(() -> {
                    afterCommit(() -> {
                        throw new IllegalStateException("another's");
                    });
                    submit("committed");
                }));
        assertThat(sent).containsExactly("committed");
    }

    @Test
    void runsATransactionOfItsOwnAfterTheCommit() {
        manager.run(() -> afterCommit(() -> {
            manager.run(() -> submit("inner"));
            assertThat(sent).containsExactly("inner");
        }));
    }
}
