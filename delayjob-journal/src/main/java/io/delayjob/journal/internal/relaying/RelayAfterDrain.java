package io.delayjob.journal.internal.relaying;

import io.delayjob.engine.ledger.Fence;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.engine.settings.EngineSettings;
import io.delayjob.journal.internal.tables.Database;
import io.delayjob.journal.internal.writing.AfterDrain;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Looks for jobs that are in the database alone, in all shards, whether or not this node runs their queue, and relays them at the end
 * of their flow log.
 */
public final class RelayAfterDrain implements AfterDrain {

    /** The rows of a shard that are watched. */
    private static final int MOST_WATCHED = 2000;

    private final Database database;
    private final Predicate<ShardId> journaled;
    private final Relay relay;
    private final Unrelayed unrelayed = new Unrelayed();

    /**
     * Relays from a database.
     *
     * @param ledgers opens the ledger of a shard
     * @param journaled whether a shard has a journal
     */
    public RelayAfterDrain(
            Database database,
            Function<ShardId, Ledger> ledgers,
            EngineSettings settings,
            Predicate<ShardId> journaled) {
        this.database = database;
        this.journaled = journaled;
        this.relay = new Relay(
                database, ledgers, settings.node(), settings.submitting().timeout());
    }

    @Override
    public Collection<ShardId> waiting() {
        long now = database.jobs().now();
        List<ShardId> due =
                database.shards().withDue(now).stream().filter(journaled).toList();
        unrelayed.only(due);
        due.forEach(
                shard -> unrelayed.see(shard, database.jobs().dueSeqs(shard, now, MOST_WATCHED), System.nanoTime()));
        return unrelayed.ripe(System.nanoTime());
    }

    @Override
    public boolean drained(ShardId shard, Fence fence) {
        return relay.relay(shard, unrelayed.ripe(shard, System.nanoTime()), fence);
    }
}
