package io.delayjob.engine.internal.recurring;

import io.delayjob.engine.internal.calls.Futures;
import io.delayjob.engine.internal.calls.Queues;
import io.delayjob.engine.internal.calls.Shard;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.ScheduleNames;
import io.delayjob.engine.ledger.Schedules;
import io.delayjob.engine.ledger.Schedules.Found;
import io.delayjob.engine.ledger.StoredSchedule;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BinaryOperator;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The shards in which schedules are: each in that of its key, or else of its name, in its queue; or in another one if it was stored when the queue
 * had another number of shards. Thread-safe.
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

        /** The schedule as it is now; empty if it is no longer there. */
        Optional<Located> again() {
            return of(shard, read(shard, stored().name()));
        }

        /** Whether its next instant has come, and is to be decided. */
        boolean isDue() {
            Long next = stored().nextMillis();
            return !stored().paused() && next != null && next <= found.nowMillis();
        }

        /** Whether it was stopped to be moved, and does not fire here: each timing has a next instant. */
        boolean isStopped() {
            return stored().nextMillis() == null;
        }

        static Optional<Located> of(Shard shard, Found found) {
            return found.schedules().isEmpty() ? Optional.empty() : Optional.of(new Located(shard, found));
        }
    }

    /** Finds a schedule, also in a shard where it no longer belongs. Waits for the ledger. */
    Optional<Located> located(String name) {
        return queueOf(name).flatMap(queue -> {
            Shard shard = home(queue, name);
            return Located.of(shard, read(shard, name))
                    .filter(located -> !located.isStopped())
                    .or(() -> copies(name, Set.of(queue)).current());
        });
    }

    /** Whether a schedule is in a shard where it no longer belongs; the place is that of its definition, or else its name. */
    boolean isMisplaced(Located located, String place) {
        Shard shard = located.shard();
        return !home(shard.id().queue(), place).id().equals(shard.id());
    }

    /**
     * The copies of a schedule in some queues: in the shard of its key or its name, in one where it was stored when its queue had another number of
     * shards, and where a move has left one.
     */
    Copies copies(String name, Set<String> some) {
        List<CompletableFuture<Optional<Located>>> asked = some.stream()
                .flatMap(queue -> queues.shards(queue).stream())
                .map(shard -> schedules(shard).find(List.of(name)).thenApply(found -> Located.of(shard, found)))
                .toList();
        return new Copies(
                asked.stream().map(Futures::await).flatMap(Optional::stream).toList());
    }

    /** Removes copies of a schedule. */
    void remove(Copies copies) {
        copies.all()
                .forEach(one ->
                        Futures.await(schedules(one.shard()).remove(one.stored().name())));
    }

    /** The shard where a schedule belongs. */
    Shard home(String queue, String place) {
        return queues.shard(queue, place);
    }

    /** The queue of a schedule; empty if there is none. */
    Optional<String> queueOf(String name) {
        return Futures.await(names.get().queueOf(name));
    }

    /** Notes that a node declares schedules of a queue now, or that none does; whichever shards have them. */
    void declare(String queue, List<String> some, boolean declared) {
        pages(some)
                .flatMap(page -> queues.shards(queue).stream()
                        .map(shard -> schedules(shard).declare(page, declared)))
                .toList()
                .forEach(Futures::await);
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
        Map<String, StoredSchedule> found = new HashMap<>();
        asked(home, some).toList().forEach(asked -> keepLater(found, asked));
        List<String> elsewhere = some.stream()
                .filter(name -> !found.containsKey(name) || found.get(name).nextMillis() == null)
                .toList();
        if (!elsewhere.isEmpty()) {
            others(home).stream()
                    .flatMap(other -> asked(other, elsewhere))
                    .toList()
                    .forEach(asked -> keepLater(found, asked));
        }
        return List.copyOf(found.values());
    }

    private static void keepLater(Map<String, StoredSchedule> found, CompletableFuture<Found> asked) {
        Futures.await(asked)
                .schedules()
                .forEach(one -> found.merge(one.name(), one, BinaryOperator.maxBy(Copies.LATER)));
    }

    private List<Shard> others(Shard shard) {
        return queues.shards(shard.id().queue()).stream()
                .filter(other -> !other.id().equals(shard.id()))
                .toList();
    }

    /** Asks a shard for schedules, in as many calls as it takes. */
    private static Stream<CompletableFuture<Found>> asked(Shard shard, List<String> names) {
        return pages(names).map(page -> schedules(shard).find(page));
    }

    private static Stream<List<String>> pages(List<String> names) {
        return IntStream.iterate(0, from -> from < names.size(), from -> from + Ledger.MAX_BATCH)
                .mapToObj(from -> names.subList(from, Math.min(names.size(), from + Ledger.MAX_BATCH)));
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
