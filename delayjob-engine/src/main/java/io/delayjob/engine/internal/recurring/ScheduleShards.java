package io.delayjob.engine.internal.recurring;

import io.delayjob.engine.internal.calls.Futures;
import io.delayjob.engine.internal.calls.Queues;
import io.delayjob.engine.internal.calls.Shard;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.ScheduleNames;
import io.delayjob.engine.ledger.Schedules;
import io.delayjob.engine.ledger.Schedules.Found;
import io.delayjob.engine.ledger.StoredSchedule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The shards in which schedules are: each in that of its name in its queue, or in another one if it was stored when the queue had another number
 * of shards. Thread-safe.
 *
 * @param names the queue of each schedule
 */
record ScheduleShards(Queues queues, Supplier<ScheduleNames> names) {

    /**
     * A schedule and the shard that it is in.
     *
     * @param found the schedule alone
     */
    record Located(Shard shard, Found found) {

        StoredSchedule stored() {
            return found.schedules().get(0);
        }
    }

    /** Finds a schedule, also in a shard where it no longer belongs. Waits for the ledger. */
    Optional<Located> located(String name) {
        return queueOf(name).flatMap(queue -> {
            Shard shard = home(queue, name);
            Located located = new Located(shard, read(shard, name));
            return located.found().schedules().isEmpty() ? inOtherShards(name, shard) : Optional.of(located);
        });
    }

    /** Whether a schedule is in a shard where it no longer belongs. */
    boolean isMisplaced(Located located) {
        Shard shard = located.shard();
        return !home(shard.id().queue(), located.stored().name()).id().equals(shard.id());
    }

    /** A schedule that was stored when its queue had another number of shards: nobody fires it where it is. */
    Optional<Located> inOtherShards(String name, Shard shard) {
        return others(shard).stream()
                .map(other -> new Located(other, read(other, name)))
                .filter(located -> !located.found().schedules().isEmpty())
                .findFirst();
    }

    /** The shard where a schedule belongs. */
    Shard home(String queue, String name) {
        return queues.shard(queue, name);
    }

    /** The queue of a schedule; empty if there is none. */
    Optional<String> queueOf(String name) {
        return Futures.await(names.get().queueOf(name));
    }

    int count() {
        return Futures.await(names.get().all()).size();
    }

    /** All schedules. */
    List<StoredSchedule> all() {
        Map<Shard, List<String>> byShard = Futures.await(names.get().all()).entrySet().stream()
                .collect(Collectors.groupingBy(
                        named -> home(named.getValue(), named.getKey()),
                        Collectors.mapping(Map.Entry::getKey, Collectors.toList())));
        return byShard.entrySet().stream()
                .flatMap(some -> all(some.getKey(), some.getValue()).stream())
                .toList();
    }

    private List<StoredSchedule> all(Shard home, List<String> some) {
        List<StoredSchedule> found = new ArrayList<>(found(home, some));
        if (found.size() < some.size()) {
            List<String> missing = new ArrayList<>(some);
            missing.removeAll(found.stream().map(StoredSchedule::name).toList());
            others(home).forEach(other -> found.addAll(found(other, missing)));
        }
        return found;
    }

    private List<Shard> others(Shard shard) {
        return queues.shards(shard.id().queue()).stream()
                .filter(other -> !other.id().equals(shard.id()))
                .toList();
    }

    private static List<StoredSchedule> found(Shard shard, List<String> names) {
        List<StoredSchedule> found = new ArrayList<>();
        for (int i = 0; i < names.size(); i += Ledger.MAX_BATCH) {
            List<String> page = names.subList(i, Math.min(names.size(), i + Ledger.MAX_BATCH));
            found.addAll(Futures.await(schedules(shard).find(page)).schedules());
        }
        return found;
    }

    /** Removes a schedule and its name; false if there is none. */
    boolean remove(String name) {
        Optional<String> queue = queueOf(name);
        boolean removed = queue.isPresent() && remove(name, queue.get());
        // A put at the same time may have stored the schedule again before its name was removed.
        queue.ifPresent(was -> {
            Futures.await(names.get().remove(name, was));
            remove(name, was);
        });
        return removed;
    }

    /** Removes a schedule from all shards of a queue, also from one where it is since the queue had another number of them. */
    private boolean remove(String name, String queue) {
        return queues.shards(queue).stream().map(shard -> schedules(shard).remove(name)).toList().stream()
                .map(Futures::await)
                .reduce(false, Boolean::logicalOr);
    }

    static Schedules schedules(Shard shard) {
        return shard.ledger().schedules();
    }

    static Found read(Shard shard, String name) {
        return Futures.await(schedules(shard).find(List.of(name)));
    }
}
