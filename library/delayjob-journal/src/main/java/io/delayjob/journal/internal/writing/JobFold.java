package io.delayjob.journal.internal.writing;

import io.delayjob.engine.ledger.Flow;
import io.delayjob.engine.ledger.JobContent;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.journal.internal.tables.JobRow;
import io.delayjob.journal.internal.tables.Status;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Applies the steps of one id, in their order, to its rows: the live one, whose job Redis has or will have, and those that were
 * submitted and not confirmed. A step of a job without a row changes nothing. If a job of another shard had the id, that one has ended, or waits in the
 * tables alone: no two shards have unfinished jobs of one id.
 */
final class JobFold {

    private final ShardId shard;
    private final boolean adopted;
    private final Changes changes;
    private final List<JobRow> pending = new ArrayList<>();
    private final List<JobRow> ofOthers = new ArrayList<>();
    private @Nullable JobRow live;
    private @Nullable JobRow overtaken;
    private boolean changed;
    private boolean otherContent;
    private boolean unknown;

    /**
     * Begins with the rows as they are.
     *
     * @param adopted whether the tables know all jobs of the shard
     * @param rows the unfinished rows of the id in all shards, in order
     */
    JobFold(ShardId shard, boolean adopted, List<JobRow> rows, Changes changes) {
        this.shard = shard;
        this.adopted = adopted;
        this.changes = changes;
        for (JobRow row : rows) {
            boolean isLive = row.status().live();
            if (!row.shard().equals(shard)) {
                if (isLive) {
                    ofOthers.add(row);
                }
            } else if (isLive) {
                live = row;
            } else if (row.status().isOvertaken()) {
                overtaken = row;
            } else {
                pending.add(row);
            }
        }
    }

    /** Applies the next step. */
    void apply(Flow.Step step) {
        JobContent stored = step.content();
        if (step.kind() == Flow.Kind.REFUSE) {
            refuse(step);
        } else if (stored != null) {
            store(step, stored);
            unknown = false;
        } else if (live != null && isInRedis(live.status())) {
            change(step, live);
        } else if (overtaken != null) {
            changeOvertaken(step, overtaken);
        } else {
            giveWay();
            unknown = !Statuses.ends(step);
        }
    }

    /** Whether a step of the id can be of this row. Redis may have had the job of one that is held. */
    private static boolean isInRedis(Status status) {
        return status.relayAt() == null || status.isHeld();
    }

    /** Whether Redis has a job of the id and the tables do not, because its log did not say that it was stored. */
    boolean isUnknown() {
        return unknown;
    }

    /** A job that was overtaken has the id once more if it goes on, and no other has it: clocks of masters differ. */
    private void changeOvertaken(Flow.Step step, JobRow row) {
        if (live == null && ofOthers.isEmpty() && !Statuses.ends(step)) {
            overtaken = null;
            change(step, row.with(row.status().withLive(true)));
            return;
        }
        JobRow next = row.with(Statuses.after(row.status(), step));
        changes.put(next, false);
        overtaken = Statuses.ends(step) ? null : next;
    }

    private void change(Flow.Step step, JobRow row) {
        live = row.with(Statuses.after(row.status(), step));
        changed = true;
        if (Statuses.ends(step)) {
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
    private void store(Flow.Step step, JobContent stored) {
        changed = true;
        long submittedAt = stored.submittedAt(step.atMillis());
        Status status = Statuses.stored(step).withLive(overtakes(submittedAt));
        if (step.kind() == Flow.Kind.RESTORE && live != null) {
            live = live.with(status);
            return;
        }
        JobContent content = stored.asSubmitted();
        JobRow row = rowOf(step);
        otherContent |= row != null && !row.content().equals(content);
        live = new JobRow(
                row == null ? 0 : row.seq(),
                shard,
                step.id(),
                content,
                submittedAt,
                status,
                row == null ? null : row.mark());
    }

    /**
     * Whether a job that was stored has the id now, which jobs of other shards then do not have any more. One of those may have been submitted later, if
     * its log was read first: then this job has ended since.
     */
    private boolean overtakes(long submittedAt) {
        if (ofOthers.stream().anyMatch(row -> row.isSubmittedToRedisAfter(submittedAt))) {
            return false;
        }
        ofOthers.forEach(changes::overtake);
        ofOthers.clear();
        return true;
    }

    /**
     * The row of a job that was stored: that of its submit. If Redis already had a job of the id, the new one is in its place, because
     * it was postponed.
     */
    private @Nullable JobRow rowOf(Flow.Step step) {
        JobRow before = live;
        if (before == null || before.isOf(step.tag())) {
            return before == null ? take(step.tag()) : before;
        }
        JobRow submit = take(step.tag());
        if (before.status().relayAt() == null) {
            if (submit != null) {
                changes.remove(submit);
            }
            return before;
        }
        giveWay();
        return submit;
    }

    /**
     * Redis has another job of the id than the one that waits here alone, which was written while the other was on its way. That one
     * keeps its row, and its turn to be brought to Redis, but not the id.
     */
    private void giveWay() {
        if (live != null) {
            JobRow waiting = live.with(live.status().notLive());
            changes.put(waiting, false);
            pending.add(waiting);
            live = null;
        }
    }

    /** Takes the row of a submit from those that are not confirmed; null if it is not among them. */
    private @Nullable JobRow take(@Nullable Long tag) {
        JobRow submit =
                pending.stream().filter(row -> row.isOf(tag)).findFirst().orElse(null);
        pending.remove(submit);
        return submit;
    }

    /**
     * A submit stored nothing, so its row is of no job. If it had the id here, Redis has a job that is not known here. While not all jobs of the shard are
     * known, the job in its way may be one that has ended, which an older state of Redis brought back: then its row stays, and a relay asks again.
     */
    private void refuse(Flow.Step step) {
        if (!adopted) {
            return;
        }
        JobRow submit = take(step.tag());
        if (submit != null) {
            changes.remove(submit);
        } else if (live != null && live.isOf(step.tag()) && live.status().relayAt() != null) {
            changes.remove(live);
            live = null;
            changed = false;
            unknown = true;
        }
    }
}
