package io.delayjob.journal.internal.restoring;

import io.delayjob.engine.ledger.Flow;
import io.delayjob.engine.ledger.KeptSchedule;
import io.delayjob.engine.ledger.ScheduleNames;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.engine.ledger.StoredSchedule;
import io.delayjob.journal.internal.tables.Database;
import io.delayjob.journal.internal.tables.ScheduleRow;
import io.delayjob.journal.internal.tables.ScheduleTable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the schedules of a shard that the ledger does not have. As with {@link LostJobs}, the ledger is asked first, then the journal
 * catches up, and only then do the rows say which of them were not removed.
 */
final class LostSchedules {

    private static final Logger log = LoggerFactory.getLogger(LostSchedules.class);

    /** The most schedules in one call, whose definitions may have 128 KiB each. */
    static final int PART = 50;

    private final ScheduleTable table;
    private final WrittenFlow written;
    private final Supplier<ScheduleNames> names;

    LostSchedules(Database database, WrittenFlow written, Supplier<ScheduleNames> names) {
        this.table = database.schedules();
        this.written = written;
        this.names = names;
    }

    /**
     * The names of schedules that the ledger did not have. Those that were removed since are still among them. The others have their queue
     * again.
     *
     * @param goOn called before each page and each wait; throws if it is not to go on
     */
    List<String> find(JournaledShard shard, Runnable goOn) {
        List<String> lost = findOrName(shard, goOn);
        if (!lost.isEmpty()) {
            Flow.Missing none = Answers.repeated(() -> shard.ledger().missing(List.of()));
            written.await(shard.id(), none.last());
            goOn.run();
        }
        return lost;
    }

    /**
     * Lets the schedules of a shard that has lost nothing be found by their names, which all queues have in one place.
     *
     * @param goOn called before each page; throws if it is not to go on
     */
    void name(JournaledShard shard, Runnable goOn) {
        var unused = findOrName(shard, goOn);
    }

    private List<String> findOrName(JournaledShard shard, Runnable goOn) {
        List<String> lost = new ArrayList<>();
        String after = "";
        List<String> page;
        do {
            goOn.run();
            page = table.existing(shard.id(), after, PART).stream()
                    .map(ScheduleRow::name)
                    .toList();
            Set<String> found = found(shard, page);
            page.forEach(name -> {
                if (!found.contains(name)) {
                    lost.add(name);
                } else if (!isNamed(shard.id(), name)) {
                    log.warn("schedule '{}' of {} is also one of another queue: put it again", name, shard.id());
                }
            });
            after = page.isEmpty() ? after : page.get(page.size() - 1);
        } while (!page.isEmpty());
        return lost;
    }

    private static Set<String> found(JournaledShard shard, List<String> names) {
        return names.isEmpty()
                ? Set.of()
                : Answers.repeated(() -> shard.ledger().schedules().find(names)).schedules().stream()
                        .map(StoredSchedule::name)
                        .collect(Collectors.toSet());
    }

    /** Picks those of lost schedules that were not removed, and that are in no other queue by now. Each has its name again then. */
    List<KeptSchedule> named(ShardId shard, Collection<String> lost) {
        return table.find(shard, lost).stream()
                .filter(row -> row.removedAt() == null && isRestored(shard, row.name()))
                .map(ScheduleRow::kept)
                .toList();
    }

    private boolean isRestored(ShardId shard, String name) {
        boolean named = isNamed(shard, name);
        if (!named) {
            log.warn("schedule '{}' of {} is not restored, because another queue has one of its name", name, shard);
        }
        return named;
    }

    /** Whether a name belongs to the queue of a shard; it does if it belonged to none. */
    private boolean isNamed(ShardId shard, String name) {
        return Answers.repeated(() -> names.get().put(name, shard.queue(), null))
                .equals(shard.queue());
    }
}
