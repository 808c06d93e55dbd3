package io.delayjob.spring.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.springframework.transaction.SavepointManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

/** Transactions of nothing, with all that Spring does around them. */
public final class TestTransactions extends AbstractPlatformTransactionManager {

    private static final long serialVersionUID = 1L;

    private boolean active;

    public TestTransactions() {
        setNestedTransactionAllowed(true);
    }

    /** With savepoints. */
    private static final class Transaction implements SavepointManager {

        @Override
        public Object createSavepoint() {
            return new Object();
        }

        @Override
        public void rollbackToSavepoint(Object savepoint) {}

        @Override
        public void releaseSavepoint(Object savepoint) {}
    }

    public TransactionTemplate template(int propagation) {
        TransactionTemplate template = new TransactionTemplate(this);
        template.setPropagationBehavior(propagation);
        return template;
    }

    /** Runs in a transaction of its own. */
    public void run(Runnable work) {
        template(TransactionDefinition.PROPAGATION_REQUIRES_NEW).executeWithoutResult(status -> work.run());
    }

    /** Runs in a transaction of its own that is rolled back. */
    public void rollBack(Runnable work) {
        template(TransactionDefinition.PROPAGATION_REQUIRES_NEW).executeWithoutResult(status -> {
            work.run();
            status.setRollbackOnly();
        });
    }

    @Override
    protected Object doGetTransaction() {
        return new Transaction();
    }

    @Override
    protected boolean isExistingTransaction(Object transaction) {
        return active;
    }

    @Override
    protected void doBegin(Object transaction, TransactionDefinition definition) {
        active = true;
    }

    @Override
    protected Object doSuspend(Object transaction) {
        active = false;
        return transaction;
    }

    @Override
    protected void doResume(@Nullable Object transaction, Object suspendedResources) {
        active = true;
    }

    @Override
    protected void doCommit(DefaultTransactionStatus status) {}

    @Override
    protected void doRollback(DefaultTransactionStatus status) {}

    @Override
    protected void doSetRollbackOnly(DefaultTransactionStatus status) {}

    @Override
    protected void doCleanupAfterCompletion(Object transaction) {
        active = false;
    }
}
