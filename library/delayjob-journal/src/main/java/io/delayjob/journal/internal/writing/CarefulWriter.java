package io.delayjob.journal.internal.writing;

import io.delayjob.DelayJobException;
import io.delayjob.engine.ledger.Flow;
import io.delayjob.engine.ledger.ShardId;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.transaction.SavepointManager;
import org.springframework.transaction.TransactionException;

/**
 * Writes steps job by job. What is written already is left as it is, and one job that the database does not take, or whose steps
 * cannot be read, does not keep it from the others: of such a job only what is short is written, and the log says so.
 */
final class CarefulWriter {

    private static final Logger log = LoggerFactory.getLogger(CarefulWriter.class);
    private static final int LONGEST_NOTE = 500;

    private final PageWriter pages;

    CarefulWriter(PageWriter pages) {
        this.pages = pages;
    }

    /** Whether a failure is about what was to be written, so that writing it once more would fail again. */
    static boolean isAboutData(RuntimeException failure) {
        return failure instanceof DataIntegrityViolationException
                || !(failure instanceof DataAccessException
                        || failure instanceof TransactionException
                        || failure instanceof DelayJobException);
    }

    /**
     * Writes what happened to jobs; answers the ids of those that Redis has and that have no rows.
     *
     * @param adopted whether the tables know all jobs of the shard
     */
    Set<String> write(
            ShardId shard, boolean adopted, Map<String, List<Flow.Step>> byJob, SavepointManager transaction) {
        Set<String> unknown = new HashSet<>();
        byJob.forEach((id, steps) -> {
            List<Flow.Step> unwritten = pages.unwritten(shard, id, steps);
            if (!unwritten.isEmpty()) {
                write(shard, adopted, id, unwritten, unknown, transaction);
            }
        });
        return unknown;
    }

    private void write(
            ShardId shard,
            boolean adopted,
            String id,
            List<Flow.Step> unwritten,
            Set<String> unknown,
            SavepointManager transaction) {
        RuntimeException failure =
                refused(() -> unknown.addAll(pages.write(shard, adopted, Map.of(id, unwritten))), transaction);
        if (failure != null) {
            String note = note(failure);
            List<Flow.Step> plain =
                    unwritten.stream().map(step -> plain(step, note)).toList();
            boolean known = refused(() -> pages.write(shard, adopted, Map.of(id, plain)), transaction) == null
                    || refused(() -> pages.note(shard, plain), transaction) == null;
            log.error(
                    "job {} of {} is not in the journal as it is, and cannot be restored so: the database refused {} of its steps,"
                            + " from {} on, {}: {}",
                    id,
                    shard,
                    unwritten.size(),
                    unwritten.get(0).position(),
                    known ? "which are there without texts" : "which are not there",
                    note,
                    failure);
        }
    }

    /** Does it, or nothing if the data are refused; then answers why. */
    static @Nullable RuntimeException refused(Runnable work, SavepointManager transaction) {
        Object before = transaction.createSavepoint();
        try {
            work.run();
            transaction.releaseSavepoint(before);
            return null;
        } catch (RuntimeException e) {
            if (!isAboutData(e)) {
                throw e;
            }
            transaction.rollbackToSavepoint(before);
            return e;
        }
    }

    /** The step without what may be refused: texts from outside. */
    private static Flow.Step plain(Flow.Step step, String note) {
        return new Flow.Step(
                step.position(),
                step.item(),
                step.kind(),
                step.atMillis(),
                step.id(),
                step.state(),
                step.attempt(),
                step.dueMillis(),
                null,
                switch (step.kind()) {
                    case REFUSE, REPLACE -> step.text();
                    case COMPLETE -> null;
                    default -> note;
                },
                step.content(),
                step.tag());
    }

    static String note(RuntimeException failure) {
        Throwable cause = failure;
        while (cause.getCause() != null && cause.getCause() != cause) {
            cause = cause.getCause();
        }
        String text = "not written: " + cause.getClass().getSimpleName() + ": " + cause.getMessage();
        return text.length() > LONGEST_NOTE ? text.substring(0, LONGEST_NOTE) : text;
    }
}
