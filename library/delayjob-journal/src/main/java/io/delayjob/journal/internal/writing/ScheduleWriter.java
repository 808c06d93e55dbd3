package io.delayjob.journal.internal.writing;

import io.delayjob.engine.ledger.Call;
import io.delayjob.engine.ledger.Flow;
import io.delayjob.engine.ledger.KeptSchedule;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.Schedules;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.journal.internal.tables.Parts;
import io.delayjob.journal.internal.tables.ScheduleRow;
import io.delayjob.journal.internal.tables.ScheduleTable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.SavepointManager;

/**
 * Keeps the rows of a shard's schedules as Redis has the schedules. A step has the whole state of its schedule, so that only the last one of
 * a page is written. Where the steps do not say all, Redis and the rows are compared, and the later state of each schedule gets to both.
 * Runs in transactions that have the lock of the shard.
 */
final class ScheduleWriter {

    private static final Logger log = LoggerFactory.getLogger(ScheduleWriter.class);

    /** The most schedules in one call, whose definitions may have 128 KiB each. */
    private static final int PART = 50;

    private final ShardId shard;
    private final Ledger ledger;
    private final ScheduleTable table;
    private @Nullable String after;
    private boolean compared;

    ScheduleWriter(ShardId shard, Ledger ledger, ScheduleTable table) {
        this.shard = shard;
        this.ledger = ledger;
        this.table = table;
    }

    private Schedules schedules() {
        return ledger.schedules();
    }

    /** Writes steps of schedules, in their order, none of which is written yet. */
    void write(List<Flow.Step> steps, SavepointManager transaction) {
        Map<String, ScheduleRow> rows = rows(names(steps));
        Map<String, ScheduleRow> before = Map.copyOf(rows);
        Set<String> unknown = new HashSet<>();
        for (Flow.Step step : steps) {
            ScheduleRow row = rows.get(step.id());
            KeptSchedule schedule = step.schedule();
            if (schedule == null) {
                rows.computeIfPresent(step.id(), (name, known) -> known.removed(step.atMillis()));
            } else if (schedule.definition() == null && (row == null || row.removedAt() != null)) {
                unknown.add(step.id());
            } else {
                String definition = schedule.definition() == null
                        ? Objects.requireNonNull(row).definition()
                        : schedule.definition();
                rows.put(step.id(), new ScheduleRow(step.id(), definition, schedule.state(), null));
            }
        }
        save(rows.values(), before, transaction);
        compare(unknown, transaction);
    }

    private static Set<String> names(List<Flow.Step> steps) {
        return steps.stream().map(Flow.Step::id).collect(Collectors.toSet());
    }

    private Map<String, ScheduleRow> rows(Collection<String> names) {
        Map<String, ScheduleRow> rows = new HashMap<>();
        Parts.each(
                List.copyOf(names),
                ShardTurn.PAGE,
                some -> table.find(shard, some).forEach(row -> rows.put(row.name(), row)));
        return rows;
    }

    /** Compares the schedules of these steps, some of which may be written already. */
    void writeAgain(List<Flow.Step> steps, SavepointManager transaction) {
        compare(names(steps), transaction);
    }

    /** Begins to compare all schedules. */
    void restart() {
        after = null;
        compared = false;
    }

    /** Compares the next schedules that Redis has; false if there are no more. */
    boolean compareNext(SavepointManager transaction) {
        if (!compared) {
            Schedules.Names part = LedgerReply.of(schedules().names(after));
            compare(part.names(), transaction);
            after = part.next();
            compared = after == null;
        }
        return !compared;
    }

    /** Gets the later state of each of these schedules to Redis and the database, if Redis has the schedule. */
    private void compare(Collection<String> names, SavepointManager transaction) {
        Parts.each(List.copyOf(names), PART, some -> {
            Map<String, ScheduleRow> known = rows(some);
            if (!known.isEmpty()) {
                Call call = new Call("journal:" + UUID.randomUUID(), 1);
                List<KeptSchedule> kept =
                        known.values().stream().map(ScheduleRow::kept).toList();
                if (LedgerReply.of(schedules().restore(call, null, kept)).contains(true)) {
                    log.warn(
                            "schedules of {} were in an older state in Redis than in the journal, which it has again now",
                            shard);
                }
            }
            List<ScheduleRow> found = LedgerReply.of(schedules().kept(some)).stream()
                    .map(schedule -> new ScheduleRow(
                            schedule.name(), Objects.requireNonNull(schedule.definition()), schedule.state(), null))
                    .toList();
            save(found, known, transaction);
        });
    }

    /** Writes rows. One that the database does not take does not keep it from the others. */
    private void save(Collection<ScheduleRow> rows, Map<String, ScheduleRow> before, SavepointManager transaction) {
        List<ScheduleRow> changed =
                rows.stream().filter(row -> !row.equals(before.get(row.name()))).toList();
        if (!changed.isEmpty() && CarefulWriter.refused(() -> put(changed, before), transaction) != null) {
            changed.forEach(row -> {
                RuntimeException failure = CarefulWriter.refused(() -> put(List.of(row), before), transaction);
                if (failure != null) {
                    log.error(
                            "schedule {} of {} is not in the journal as it is, and cannot be restored so: {}",
                            row.name(),
                            shard,
                            CarefulWriter.note(failure),
                            failure);
                }
            });
        }
    }

    private void put(List<ScheduleRow> rows, Map<String, ScheduleRow> before) {
        List<ScheduleRow> added = new ArrayList<>();
        List<ScheduleRow> saved = new ArrayList<>();
        List<ScheduleRow> defined = new ArrayList<>();
        for (ScheduleRow row : rows) {
            ScheduleRow old = before.get(row.name());
            (old == null ? added : saved).add(row);
            if (old != null && !old.definition().equals(row.definition())) {
                defined.add(row);
            }
        }
        table.add(shard, added);
        table.save(shard, saved);
        table.saveDefinitions(shard, defined);
    }
}
