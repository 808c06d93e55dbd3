package io.delayjob.journal.internal.relaying;

import io.delayjob.engine.ledger.Fence;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.engine.settings.EngineSettings;
import io.delayjob.journal.internal.pointing.PointedIds;
import io.delayjob.journal.internal.tables.Database;
import io.delayjob.journal.internal.writing.AfterDrain;
import java.util.Collection;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Looks for jobs that are in the database alone, in all shards, whether or not this node runs their queue, and relays them at the end
 * of their flow log.
 */
public final class RelayAfterDrain implements AfterDrain {

    private final Database database;
    private final Predicate<ShardId> journaled;
    private final Relay relay;
    private final Unrelayed unrelayed;
    private final RelayVitals vitals = new RelayVitals();

    /**
     * Relays from a database.
     *
     * @param ledgers opens the ledger of a shard
     * @param ids points the ids of jobs to their shards
     * @param journaled whether a shard has a journal
     */
    public RelayAfterDrain(
            Database database,
            Function<ShardId, Ledger> ledgers,
            PointedIds ids,
            EngineSettings settings,
            Predicate<ShardId> journaled) {
        this.database = database;
        this.journaled = journaled;
        this.unrelayed = new Unrelayed(database.relays());
        this.relay = new Relay(
                database, ledgers, ids, settings.node(), settings.submitting().timeout(), vitals);
    }

    @Override
    public long lagMillis(String queue) {
        return vitals.lagMillis(queue);
    }

    @Override
    public double done(String queue) {
        return vitals.relayed(queue);
    }

    @Override
    public Collection<ShardId> waiting() {
        long now = database.relays().now();
        Set<ShardId> due =
                database.shards().withDue(now).stream().filter(journaled).collect(Collectors.toSet());
        unrelayed.only(due);
        vitals.only(due);
        return due.stream().filter(shard -> isWaiting(shard, now)).toList();
    }

    private boolean isWaiting(ShardId shard, long now) {
        database.relays().due(shard, now, 1).forEach(first -> vitals.waits(shard, now - first.relayAt()));
        return unrelayed.isWaiting(shard, now, System.nanoTime());
    }

    @Override
    public boolean drained(ShardId shard, Fence fence) {
        return relay.relay(shard, unrelayed, fence);
    }
}
