package io.delayjob.engine.extension;

import io.delayjob.EndedQuery;
import io.delayjob.JobStep;
import io.delayjob.engine.ledger.LedgerException;
import io.delayjob.engine.ledger.NewJob;
import io.delayjob.engine.ledger.ShardId;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The application's database, in which jobs are written before the ledger has them. Thread-safe. */
public interface Journal {

    /** Nothing is written. */
    Journal NONE = new Journal() {

        @Override
        public boolean takes(Entry job) {
            return false;
        }

        @Override
        public Written write(List<Entry> jobs) {
            throw new UnsupportedOperationException("there is no journal");
        }
    };

    /**
     * Threads on which jobs are taken and written for a thread that must not wait, outside of any transaction. Asked for each asynchronous
     * submit; must be quick.
     *
     * @return null if that waits for nothing; otherwise an executor that may reject the work
     */
    default @Nullable Executor threadsFor(List<Entry> jobs) {
        return null;
    }

    /**
     * Whether a job that this thread submits is written here first. Asked for each job; may wait where {@link #threadsFor} says so.
     *
     * @throws IllegalStateException if it should be, but the transaction of this thread cannot take it; the message says why
     */
    boolean takes(Entry job);

    /**
     * Writes jobs that it takes. In a transaction of this thread, the jobs are rows of it when this method returns; otherwise they are
     * committed together with those of other threads. May wait as {@link #takes} may.
     *
     * @throws LedgerException if a row cannot be added to the transaction of this thread
     */
    Written write(List<Entry> jobs);

    /** The jobs that only the journal has. */
    default JournaledJobs waiting() {
        return JournaledJobs.NONE;
    }

    /**
     * The last steps of a job, in order. The future fails with a {@link io.delayjob.DelayJobException} if the database cannot be asked.
     *
     * @param limit at most this many, 1 to 1000
     * @throws IllegalStateException if no steps of the queue are kept; the message says how they would be
     */
    default CompletableFuture<List<JobStep>> history(String queue, String id, int limit) {
        throw new IllegalStateException(
                "the history of jobs is kept by a journal, and this application has none: add the dependency"
                        + " io.delayjob:delayjob-journal and a DataSource, and let delayjob.journal.mode not be off");
    }

    /**
     * Looks at some of the jobs that have ended. The future fails with a {@link io.delayjob.DelayJobException} if the database cannot be asked.
     *
     * @param marks how the records of the wanted jobs tell their name and value of the index
     * @throws IllegalArgumentException if the cursor is of no page of such a query
     * @throws IllegalStateException if no jobs of the queue are kept; the message says how they would be
     */
    default CompletableFuture<EndedJobs> ended(EndedQuery query, EndedJobs.Marks marks) {
        throw new IllegalStateException(
                "jobs that have ended are kept by a journal, and this application has none: add the dependency"
                        + " io.delayjob:delayjob-journal and a DataSource, and let delayjob.journal.mode not be off");
    }

    /**
     * A job that is submitted.
     *
     * @param shard where it goes
     * @param job the job
     * @param newId whether its id was made for it, so that no other job can have it
     */
    record Entry(ShardId shard, NewJob job, boolean newId) {}

    /**
     * Jobs that were written.
     *
     * @param inTransaction whether they are rows of the transaction of the thread that wrote them, and nobody knows yet whether it will
     *     commit
     * @param fates the fate of each job, in order; answered once the jobs are committed or are rows of the thread's transaction.
     *     Fails with a {@link LedgerException} if they are not
     * @param committed asked by the thread after a commit: whether it was that of the transaction in which the jobs were written
     */
    record Written(boolean inTransaction, CompletableFuture<List<Fate>> fates, BooleanSupplier committed) {}

    /** The next step for a job that the journal was asked to write: sent to the ledger now, or not. */
    sealed interface Fate {

        /**
         * The ledger gets it at once; if that fails, the journal brings it there later.
         *
         * @param mark with what it is submitted; null if the journal follows no log, and so brings nothing there by itself
         */
        record Send(NewJob.@Nullable Journaled mark) implements Fate {}

        /** It is not sent. */
        enum Stay implements Fate {
            /** It waits in the journal, which brings it to the ledger when it is nearly due, or soon. */
            WAITS,
            /** It was not written: a job of its id waits in the journal alone. */
            EXISTS
        }
    }
}
