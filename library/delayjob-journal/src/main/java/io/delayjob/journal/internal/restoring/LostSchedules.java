package io.delayjob.journal.internal.restoring;

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
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the schedules of a shard that the ledger does not have. The ledger is asked first, then the journal catches up, and
 * only then do the rows say which of them were not removed, as with {@link LostJobs}.
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
     * The names of schedules that the ledger did not have, also of schedules that were removed since. The schedules that it had belong to the
     * queue again.
     *
     * @param goOn called before each page and each wait; throws if it is not to go on
     */
    List<String> find(JournaledShard shard, Runnable goOn) {
        List<String> lost = findOrName(shard, goOn);
        if (!lost.isEmpty()) {
            written.await(shard.id(), shard.last());
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
            lost.addAll(without(page, found));
            List<String> elsewhere = without(found, named(shard.id(), found));
            if (!elsewhere.isEmpty()) {
                log.warn("schedules of {} are also in other queues: put these again: {}", shard.id(), elsewhere);
            }
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

    private static List<String> without(Collection<String> names, Set<String> others) {
        return names.stream().filter(name -> !others.contains(name)).toList();
    }

    /** Picks those of lost schedules that were not removed, and that are in no other queue by now. Each has its name again then. */
    List<KeptSchedule> restorable(ShardId shard, Collection<String> lost) {
        List<ScheduleRow> rows = table.find(shard, lost).stream()
                .filter(row -> row.removedAt() == null)
                .toList();
        List<String> wanted = rows.stream().map(ScheduleRow::name).toList();
        Set<String> named = named(shard, wanted);
        List<String> elsewhere = without(wanted, named);
        if (!elsewhere.isEmpty()) {
            log.warn("schedules of {} are not restored, because other queues have their names: {}", shard, elsewhere);
        }
        return rows.stream()
                .filter(row -> named.contains(row.name()))
                .map(ScheduleRow::kept)
                .toList();
    }

    /** Picks the names that belong to the queue of a shard; those that belonged to none do from now on. */
    private Set<String> named(ShardId shard, Collection<String> wanted) {
        Map<String, String> queues = Answers.repeated(() ->
                Answers.ofEach(wanted, name -> names.get().put(name, shard.queue(), null)));
        return queues.keySet().stream()
                .filter(name -> shard.queue().equals(queues.get(name)))
                .collect(Collectors.toSet());
    }
}
