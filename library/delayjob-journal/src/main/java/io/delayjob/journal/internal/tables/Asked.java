package io.delayjob.journal.internal.tables;

import io.delayjob.DelayJobException;
import java.time.Duration;
import java.util.function.Supplier;
import org.springframework.core.retry.RetryPolicy;
import org.springframework.core.retry.RetryTemplate;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.PessimisticLockingFailureException;
import org.springframework.transaction.TransactionException;

/** Asks a database on behalf of a caller that knows nothing of databases. */
public final class Asked {

    /** A database that ends one of two transactions which wait for each other has undone it, and does it when it is asked again. */
    private static final RetryTemplate AFTER_DEADLOCKS = new RetryTemplate(RetryPolicy.builder()
            .includes(PessimisticLockingFailureException.class)
            .maxRetries(4)
            .delay(Duration.ofMillis(20))
            .jitter(Duration.ofMillis(20))
            .multiplier(2)
            .build());

    private Asked() {}

    /**
     * The answer to a question, which is put again after a deadlock: it is one statement, or opens its own transaction.
     *
     * @param database its name, for messages
     * @throws DelayJobException if the database could not answer
     */
    public static <T> T of(String database, Supplier<T> question) {
        try {
            return AFTER_DEADLOCKS.invoke(question);
        } catch (DataAccessException | TransactionException e) {
            throw new DelayJobException(
                    "the journal's database '" + database + "' could not be asked: " + e.getMessage(), e);
        }
    }
}
