package io.delayjob.journal.internal.writing;

import io.delayjob.engine.ledger.Fence;
import io.delayjob.engine.ledger.Flow;
import io.delayjob.engine.ledger.FlowPosition;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.journal.internal.pointing.PointedIds;
import io.delayjob.journal.internal.tables.Database;
import io.delayjob.journal.internal.tables.Loss;
import io.delayjob.journal.internal.tables.RelayTable;
import io.delayjob.journal.internal.tables.ShardRow;
import io.delayjob.journal.internal.tables.ShardTable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.SavepointManager;

/**
 * One transaction on a shard: locks its row, and writes a page of its flow log with the position of the end of the page. So each step
 * is written once, whichever node writes it, and at whatever point that node dies.
 */
final class ShardTurn {

    /** The most entries of a page: few enough that a transaction is short, many enough that its costs do not matter. */
    static final int PAGE = 500;

    private final ShardTable shards;
    private final RelayTable relays;
    private final PageWriter fast;
    private final CarefulWriter careful;
    private final AfterDrain after;

    ShardTurn(Database database, PointedIds ids, AfterDrain after) {
        this.shards = database.shards();
        this.relays = database.relays();
        PageWriter pages = new PageWriter(database.jobs(), database.flow(), ids);
        this.fast = pages;
        this.careful = new CarefulWriter(pages);
        this.after = after;
    }

    /**
     * The work on a shard in one transaction.
     *
     * @param read reads a page after a position, and tells Redis whether the journal knows all jobs of the shard, see {@link Flow.Request#compares}
     * @param newTerm begins a new term of the fence in Redis, and ends restores that are under way
     * @param adoption adopts the jobs that the log says nothing of
     * @param schedules writes the schedules
     * @param limits writes the limits
     * @param carefully whether to write job by job, because writing the page at once was refused
     * @param beyond whether to do the work of {@link AfterDrain} at the end of the log
     */
    record Task(
            ShardId shard,
            BiFunction<FlowPosition, Boolean, Flow.Page> read,
            Runnable newTerm,
            Adoption adoption,
            ScheduleWriter schedules,
            LimitWriter limits,
            boolean carefully,
            boolean beyond) {}

    /**
     * The result of the transaction.
     *
     * @param page the page that was read
     * @param written the position that the shard is written up to
     * @param complete whether the tables know all jobs of the shard
     * @param steps how many steps were written
     * @param lost the loss that was found; null if none
     * @param more whether there is more to do at once
     * @param failure why {@link AfterDrain} failed, to be thrown once the page is committed; null if it did not
     */
    record Done(
            Flow.Page page,
            FlowPosition written,
            boolean complete,
            int steps,
            ShardRow.@Nullable Lost lost,
            boolean more,
            @Nullable AfterDrainFailed failure) {}

    /** Result of the work after a page. */
    private record After(boolean more, @Nullable AfterDrainFailed failure) {

        static final After MORE = new After(true, null);
        static final After NOTHING = new After(false, null);
    }

    /** Does it in a transaction; empty if another one has the shard. */
    Optional<Done> take(Task task, SavepointManager transaction) {
        return shards.lock(task.shard()).map(row -> {
            Flow.Page page = task.read().apply(row.written(), row.adopted());
            return page.anchored() ? write(task, row, page, transaction) : startAgain(task, row, page);
        });
    }

    /**
     * The log may go on after an older state than the one that is written, and its clock may have been behind. So all that it has
     * is read, and what is written already is left out.
     */
    private Done startAgain(Task task, ShardRow row, Flow.Page page) {
        FlowPosition last = FlowPosition.of(page.last());
        // An older state of Redis has an older fence, which would let in what came too late once.
        task.newTerm().run();
        Loss loss = Loss.REPLACED;
        Flow.Page beginning = task.read().apply(FlowPosition.START, false);
        if (wentBack(row, beginning)) {
            loss = Loss.UNLOGGED;
            // A job that waits here may have come to Redis, and may have ended, in the time that this database has
            // forgotten.
            relays.hold(row.id());
        }
        boolean mayBeWritten = last.compareTo(row.written()) > 0 && !beganAnew(row, beginning);
        shards.startAgain(row.id(), mayBeWritten ? last : row.written());
        return new Done(page, FlowPosition.START, false, 0, lose(row, loss), true, null);
    }

    /**
     * Whether not Redis but this database is an older copy: the log was trimmed beyond what is written here. The log of a Redis that
     * was emptied begins with START, and that of an older copy of Redis at what is written here, or before.
     */
    private static boolean wentBack(ShardRow row, Flow.Page beginning) {
        if (beginning.steps().isEmpty()) {
            return false;
        }
        Flow.Step first = beginning.steps().get(0);
        return first.kind() != Flow.Kind.START
                && FlowPosition.of(first.position()).compareTo(row.written()) > 0;
    }

    /** Whether the log is that of a Redis that was emptied, so that none of its steps is written. */
    private static boolean beganAnew(ShardRow row, Flow.Page beginning) {
        return !beginning.steps().isEmpty()
                && beginning.steps().get(0).kind() == Flow.Kind.START
                && FlowPosition.of(beginning.steps().get(0).position()).compareTo(row.written()) > 0;
    }

    private Done write(Task task, ShardRow row, Flow.Page page, SavepointManager transaction) {
        List<Flow.Step> ofSchedules = of(page, kind -> kind == Flow.Kind.SCHEDULE);
        List<Flow.Step> ofLimits = of(page, Flow.Kind::isOfLimits);
        List<Flow.Step> steps = of(page, Flow.Kind::isOfJob);
        boolean again = row.written().compareTo(row.again()) < 0;
        Map<String, List<Flow.Step>> byJob = PageWriter.byJob(steps);
        Set<String> unknown = again || task.carefully()
                ? careful.write(row.id(), row.adopted(), byJob, transaction)
                : fast.write(row.id(), row.adopted(), byJob);
        task.adoption().find(unknown, transaction);
        if (again) {
            task.schedules().writeAgain(ofSchedules, transaction);
        } else {
            task.schedules().write(ofSchedules, transaction);
        }
        // Those that are read again may be older than what is written.
        task.limits().write(ofLimits.stream().filter(step -> isNew(row, step)).toList(), transaction);
        FlowPosition read = FlowPosition.of(page.read());
        if (!read.equals(row.written())) {
            shards.moveTo(row.id(), read);
        }
        boolean end = page.read().equals(page.last());
        ShardRow.Lost lost = unlogged(row, page);
        After next = lost != null || !end ? After.MORE : atEnd(task, row, page.fence(), transaction);
        return new Done(
                page,
                read,
                row.adopted() && lost == null,
                steps.size() + ofSchedules.size() + ofLimits.size(),
                lost,
                next.more(),
                next.failure());
    }

    private static List<Flow.Step> of(Flow.Page page, Predicate<Flow.Kind> kind) {
        return page.steps().stream().filter(step -> kind.test(step.kind())).toList();
    }

    private After atEnd(Task task, ShardRow row, Fence fence, SavepointManager transaction) {
        After drained = task.beyond() ? drained(row.id(), fence, transaction) : After.NOTHING;
        if (row.adopted()) {
            // Another node may have adopted them, after this one had begun.
            task.adoption().restart();
            return drained;
        }
        ShardRow.Lost lost = row.lost();
        if (!task.adoption().next(lost != null && lost.loss() == Loss.UNLOGGED, transaction)) {
            shards.adopted(row.id());
        }
        return new After(true, drained.failure());
    }

    /** Its failure takes nothing back but its own: else a page would be written again and again while Redis refuses jobs. */
    private After drained(ShardId shard, Fence fence, SavepointManager transaction) {
        Object before = transaction.createSavepoint();
        try {
            boolean more = after.drained(shard, fence);
            transaction.releaseSavepoint(before);
            return more ? After.MORE : After.NOTHING;
        } catch (RuntimeException e) {
            transaction.rollbackToSavepoint(before);
            return new After(false, new AfterDrainFailed(e));
        }
    }

    private ShardRow.@Nullable Lost unlogged(ShardRow row, Flow.Page page) {
        List<Flow.Step> steps = page.steps();
        for (int i = 0; i < steps.size(); i++) {
            boolean first = i == 0 && row.written().equals(FlowPosition.START);
            if (steps.get(i).kind() == Flow.Kind.START && !first && isNew(row, steps.get(i))) {
                return lose(row, Loss.UNLOGGED);
            }
        }
        return null;
    }

    private static boolean isNew(ShardRow row, Flow.Step step) {
        return FlowPosition.of(step.position()).compareTo(row.again()) > 0;
    }

    /** Records a loss of a shard. One that is recorded as {@link Loss#UNLOGGED} stays so, whatever else is lost. */
    private ShardRow.Lost lose(ShardRow row, Loss found) {
        ShardRow.Lost before = row.lost();
        Loss loss = before != null && before.loss() == Loss.UNLOGGED ? Loss.UNLOGGED : found;
        return new ShardRow.Lost(loss, shards.lose(row.id(), loss));
    }
}
