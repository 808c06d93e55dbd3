package io.delayjob.journal.internal.relaying;

import io.delayjob.engine.ledger.Fence;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.engine.settings.EngineSettings;
import io.delayjob.journal.internal.pointing.PointedIds;
import io.delayjob.journal.internal.tables.Database;
import io.delayjob.journal.internal.tables.DueRow;
import io.delayjob.journal.internal.writing.AfterDrain;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Looks for jobs that are in the database alone, in all shards, whether or not this node runs their queue, and relays them at the end
 * of their flow log.
 */
public final class RelayAfterDrain implements AfterDrain {

    private final Database database;
    private final Predicate<ShardId> journaled;
    private final Relay relay;
    private final Unrelayed unrelayed = new Unrelayed();
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
        List<ShardId> due =
                database.shards().withDue(now).stream().filter(journaled).toList();
        unrelayed.only(due);
        vitals.only(Set.copyOf(due));
        due.forEach(shard -> see(shard, database.relays().due(shard, now, Relay.MOST_JOBS), now));
        return unrelayed.ripe(System.nanoTime());
    }

    private void see(ShardId shard, List<DueRow> rows, long now) {
        unrelayed.see(shard, rows, System.nanoTime());
        if (!rows.isEmpty()) {
            vitals.waits(shard, now - rows.get(0).relayAt());
        }
    }

    @Override
    public boolean drained(ShardId shard, Fence fence) {
        return relay.relay(shard, unrelayed.ripe(shard, System.nanoTime()), fence);
    }
}
