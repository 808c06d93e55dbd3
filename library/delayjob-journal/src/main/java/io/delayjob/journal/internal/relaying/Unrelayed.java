package io.delayjob.journal.internal.relaying;

import io.delayjob.engine.ledger.ShardId;
import io.delayjob.journal.internal.tables.DueRow;
import io.delayjob.journal.internal.tables.RelayTable;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;

/**
 * The rows that wait to be brought to Redis, and since when this node has seen them. A row is ripe once it was seen for half a
 * second, not once it is so old: a transaction may take long, and the node that has just committed it brings the job to Redis itself. A row that
 * only a relay may bring is ripe at once.
 *
 * <p>The rows of a shard are gone through page by page, round and round, so that those that cannot be brought now hold up no others.
 */
final class Unrelayed {

    /** The most jobs in one transaction: so many that its costs do not matter, and so few that the log is written soon. */
    static final int PAGE = 2000;

    private static final long RIPE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private static final NavigableMap<DueRow, Long> NOTHING = Collections.emptyNavigableMap();

    private final RelayTable relays;

    /** The last rows before the next pages, where those are not the first ones. */
    private final Map<ShardId, DueRow> places = new ConcurrentHashMap<>();

    private final Map<ShardId, NavigableMap<DueRow, Long>> seen = new ConcurrentHashMap<>();

    Unrelayed(RelayTable relays) {
        this.relays = relays;
    }

    /** Only these shards have any. */
    void only(Set<ShardId> shards) {
        places.keySet().retainAll(shards);
        seen.keySet().retainAll(shards);
    }

    /**
     * The page of a shard that is to be brought next.
     *
     * @param untilMillis now, by the database's clock
     * @param nanos now, by this node's clock
     */
    List<DueRow> page(ShardId shard, long untilMillis, long nanos) {
        DueRow place = places.getOrDefault(shard, DueRow.NONE);
        List<DueRow> page = relays.due(shard, place, untilMillis, PAGE);
        see(shard, place, page, nanos);
        if (page.isEmpty() && places.remove(shard) != null) {
            return page(shard, untilMillis, nanos);
        }
        return page;
    }

    private void see(ShardId shard, DueRow place, List<DueRow> page, long nanos) {
        NavigableMap<DueRow, Long> since = seen.computeIfAbsent(shard, unseen -> new ConcurrentSkipListMap<>());
        NavigableMap<DueRow, Long> there = since.tailMap(place, false);
        if (isFull(page)) {
            there = there.headMap(last(page), true);
        }
        there.keySet().retainAll(Set.copyOf(page));
        page.stream().filter(row -> !row.isOfRelays()).forEach(row -> since.putIfAbsent(row, nanos));
    }

    /** Goes on after a page; answers whether there is another one in this round. */
    boolean passed(ShardId shard, List<DueRow> page) {
        if (isFull(page)) {
            places.put(shard, last(page));
        } else {
            places.remove(shard);
        }
        return isFull(page);
    }

    private static boolean isFull(List<DueRow> page) {
        return page.size() == PAGE;
    }

    private static DueRow last(List<DueRow> page) {
        return page.get(page.size() - 1);
    }

    /** Whether a relay is to go through rows of a shard: some are ripe, or it is in the middle of a round. */
    boolean isWaiting(ShardId shard, long untilMillis, long nanos) {
        List<DueRow> page = page(shard, untilMillis, nanos);
        return places.containsKey(shard) || page.stream().anyMatch(row -> isRipe(shard, row, nanos));
    }

    /** Whether a row of a shard has waited long enough for a relay. */
    boolean isRipe(ShardId shard, DueRow row, long nanos) {
        return row.isOfRelays() || nanos - seen.getOrDefault(shard, NOTHING).getOrDefault(row, nanos) >= RIPE_NANOS;
    }
}
