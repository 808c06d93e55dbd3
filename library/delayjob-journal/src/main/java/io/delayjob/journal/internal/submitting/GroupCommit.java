package io.delayjob.journal.internal.submitting;

import io.delayjob.engine.ledger.LedgerException;
import io.delayjob.engine.ledger.LedgerException.Kind;
import io.delayjob.journal.internal.tables.Database;
import io.delayjob.journal.internal.tables.Submission;
import io.delayjob.journal.internal.tables.Submission.Result;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.TransactionException;

/** Commits the submits of many threads together, one commit at a time: what comes during a commit is in the next one. Thread-safe. */
final class GroupCommit implements AutoCloseable {

    /** The most jobs of one commit, unless a single submit has more. */
    private static final int MOST_JOBS = 1000;

    /** The most jobs that wait. */
    private static final int MOST_WAITING = 50_000;

    private final Database database;
    private final Duration timeout;
    private final Thread thread = new Thread(this::run, "delayjob-journal-submit");
    private final Deque<Write> waiting = new ArrayDeque<>();
    private int waitingJobs;
    private boolean closed;

    /** A submit. */
    private record Write(List<Submission> jobs, CompletableFuture<List<Result>> answer) {}

    /**
     * Into a database.
     *
     * @param timeout how long a submit may take
     */
    GroupCommit(Database database, Duration timeout) {
        this.database = database;
        this.timeout = timeout;
        thread.setDaemon(true);
        thread.start();
    }

    /** Adds jobs to the next commit. Answers what became of each, as {@link io.delayjob.journal.internal.tables.SubmitTable#add}. */
    CompletableFuture<List<Result>> write(List<Submission> jobs) {
        Write write = new Write(jobs, new CompletableFuture<>());
        synchronized (waiting) {
            if (closed) {
                return CompletableFuture.failedFuture(
                        new LedgerException(Kind.SHUT_DOWN, "the journal is closed", null));
            }
            if (waitingJobs + jobs.size() > MOST_WAITING && !waiting.isEmpty()) {
                return CompletableFuture.failedFuture(new LedgerException(
                        Kind.NOT_RUN, waitingJobs + " jobs already wait for the journal's database", null));
            }
            waiting.add(write);
            waitingJobs += jobs.size();
            waiting.notifyAll();
        }
        return bounded(write);
    }

    private CompletableFuture<List<Result>> bounded(Write write) {
        CompletableFuture<List<Result>> bounded = write.answer().copy();
        CompletableFuture<Boolean> late = new CompletableFuture<>();
        late.completeOnTimeout(true, timeout.toMillis(), TimeUnit.MILLISECONDS).thenAccept(isLate -> {
            if (isLate) {
                bounded.completeExceptionally(tooLate(isWithdrawn(write)));
            }
        });
        bounded.whenComplete((added, failure) -> late.complete(false));
        return bounded;
    }

    private boolean isWithdrawn(Write write) {
        synchronized (waiting) {
            boolean withdrawn = waiting.remove(write);
            waitingJobs -= withdrawn ? write.jobs().size() : 0;
            return withdrawn;
        }
    }

    private LedgerException tooLate(boolean withdrawn) {
        return new LedgerException(
                withdrawn ? Kind.NOT_RUN : Kind.UNKNOWN,
                "the journal's database '" + database.name() + "' did not answer within " + timeout,
                null);
    }

    private void run() {
        for (List<Write> writes = next(); !writes.isEmpty(); writes = next()) {
            commit(writes);
        }
    }

    /** The writes of the next commit; none once this is closed. */
    private List<Write> next() {
        synchronized (waiting) {
            try {
                while (waiting.isEmpty() && !closed) {
                    waiting.wait();
                }
            } catch (InterruptedException e) {
                closed = true;
            }
            List<Write> next = new ArrayList<>();
            int jobs = 0;
            while (!waiting.isEmpty()
                    && (jobs == 0 || jobs + waiting.getFirst().jobs().size() <= MOST_JOBS)) {
                Write write = waiting.removeFirst();
                jobs += write.jobs().size();
                next.add(write);
            }
            waitingJobs -= jobs;
            return next;
        }
    }

    private void commit(List<Write> writes) {
        LedgerException failure = committed(writes);
        if (failure == null) {
            return;
        }
        if (writes.size() == 1 || failure.kind() != Kind.REFUSED) {
            writes.forEach(write -> write.answer().completeExceptionally(failure));
        } else {
            // One of them may be at fault.
            writes.forEach(write -> commit(List.of(write)));
        }
    }

    private @Nullable LedgerException committed(List<Write> writes) {
        List<Submission> jobs =
                writes.stream().flatMap(write -> write.jobs().stream()).toList();
        AtomicBoolean inserted = new AtomicBoolean();
        List<Result> added;
        try {
            added = database.own().execute(status -> {
                List<Result> each = database.submits().add(jobs);
                inserted.set(true);
                return each;
            });
        } catch (RuntimeException | Error e) {
            // A failure after the last statement is one of the commit, which may have happened.
            return failure(inserted.get() ? Kind.UNKNOWN : kind(e), e);
        }
        int from = 0;
        for (Write write : writes) {
            int to = from + write.jobs().size();
            write.answer().complete(added.subList(from, to));
            from = to;
        }
        return null;
    }

    /** That of a transaction that failed before its commit. */
    private static Kind kind(Throwable failure) {
        if (failure instanceof CannotCreateTransactionException
                || failure instanceof DataAccessResourceFailureException) {
            return Kind.NOT_RUN;
        }
        return failure instanceof TransactionException ? Kind.UNKNOWN : Kind.REFUSED;
    }

    private LedgerException failure(Kind kind, Throwable cause) {
        return new LedgerException(
                kind, "the journal's database '" + database.name() + "' did not take it: " + cause.getMessage(), cause);
    }

    /** Commits what waits, and ends. */
    @Override
    public void close() {
        synchronized (waiting) {
            closed = true;
            waiting.notifyAll();
        }
        try {
            thread.join(timeout.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
