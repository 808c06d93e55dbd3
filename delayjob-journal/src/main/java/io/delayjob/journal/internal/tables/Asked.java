package io.delayjob.journal.internal.tables;

import io.delayjob.DelayJobException;
import java.util.function.Supplier;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

/** Asks a database on behalf of a caller that knows nothing of databases. */
public final class Asked {

    private Asked() {}

    /**
     * The answer to a question.
     *
     * @param database its name, for messages
     * @throws DelayJobException if the database could not answer
     */
    public static <T> T of(String database, Supplier<T> question) {
        try {
            return question.get();
        } catch (DataAccessException | TransactionException e) {
            throw new DelayJobException(
                    "the journal's database '" + database + "' could not be asked: " + e.getMessage(), e);
        }
    }
}
