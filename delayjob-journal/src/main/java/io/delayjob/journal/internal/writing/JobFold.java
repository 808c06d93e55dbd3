package io.delayjob.journal.internal.writing;

import io.delayjob.engine.ledger.Flow;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.journal.internal.tables.Content;
import io.delayjob.journal.internal.tables.JobRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Applies the steps of one id, in their order, to its rows: the live one, whose job Redis has or will have, and those that were
 * submitted and not confirmed. A step of a job without a row changes nothing.
 */
final class JobFold {

    private final ShardId shard;
    private final Changes changes;
    private final List<JobRow> pending = new ArrayList<>();
    private @Nullable JobRow live;
    private boolean changed;
    private boolean otherContent;
    private boolean unknown;

    /**
     * Begins with the rows as they are.
     *
     * @param rows the unfinished rows of the id, in order
     */
    JobFold(ShardId shard, List<JobRow> rows, Changes changes) {
        this.shard = shard;
        this.changes = changes;
        for (JobRow row : rows) {
            if (row.status().live()) {
                live = row;
            } else {
                pending.add(row);
            }
        }
    }

    /** Applies the next step. */
    void apply(Flow.Step step) {
        Flow.Stored stored = step.stored();
        if (step.kind() == Flow.Kind.REFUSE) {
            refuse(step);
        } else if (stored != null) {
            store(step, stored);
            unknown = false;
        } else if (live != null) {
            change(step, live);
        } else {
            unknown = !Statuses.ends(step);
        }
    }

    /** Whether Redis has a job of the id and the tables do not, because its log did not say that it was stored. */
    boolean isUnknown() {
        return unknown;
    }

    private void change(Flow.Step step, JobRow row) {
        live = row.with(Statuses.after(row.status(), step));
        changed = true;
        if (!live.status().live()) {
            end();
        }
    }

    /** Puts what is left among the changes. */
    void end() {
        if (live != null && changed) {
            changes.put(live, otherContent);
        }
        live = null;
        changed = false;
        otherContent = false;
    }

    /** A job that is restored has the row that it was restored from; a submitted one has what Redis has of it. */
    private void store(Flow.Step step, Flow.Stored stored) {
        changed = true;
        if (step.kind() == Flow.Kind.RESTORE && live != null) {
            live = live.with(Statuses.stored(step));
            return;
        }
        Content content = Content.of(stored);
        JobRow row = rowOf(step, content);
        otherContent |= row != null && !row.content().equals(content);
        live = new JobRow(
                row == null ? 0 : row.seq(),
                shard,
                step.id(),
                content,
                Statuses.submittedAt(stored.record(), step.atMillis()),
                Statuses.stored(step));
    }

    /**
     * The row of a job that was stored. If its id has a live row, the job is in its place: it was postponed, or is a far job whose time
     * has come. Else it is a submit that was not confirmed: that with its content, or else the first.
     */
    private @Nullable JobRow rowOf(Flow.Step step, Content content) {
        JobRow submit =
                step.kind() == Flow.Kind.SUBMIT ? take(row -> row.content().equals(content)) : null;
        if (live == null) {
            return submit == null && step.kind() == Flow.Kind.SUBMIT ? take(row -> true) : submit;
        }
        if (submit != null) {
            changes.remove(submit);
        }
        return live;
    }

    /** Takes the first submit that is not confirmed; null if there is none such. */
    private @Nullable JobRow take(Predicate<JobRow> which) {
        JobRow first = pending.stream().filter(which).findFirst().orElse(null);
        pending.remove(first);
        return first;
    }

    /**
     * A submit stored nothing, so its row is of no job. Which one it is, the step does not say; but a far job that was brought to Redis
     * has the id that is there.
     */
    private void refuse(Flow.Step step) {
        boolean taken = Objects.equals(step.text(), step.id());
        JobRow submit = take(row -> taken || row.content().dedupe() != null);
        if (submit != null) {
            changes.remove(submit);
        } else if (taken && live != null && live.status().relayAt() != null) {
            live = live.with(Statuses.confirmed(live.status(), step));
            changed = true;
        }
    }
}
