package io.delayjob.journal.internal.writing;

import io.delayjob.journal.internal.pointing.PointedIds;
import io.delayjob.journal.internal.tables.Database;

/** Makes the parts of a writer from a database, for tests. */
final class JournalTables {

    private JournalTables() {}

    /** The ids of queues with so many shards, none of which is pointed. */
    static PointedIds ids(int shards) {
        return new PointedIds(
                shard -> {
                    throw new AssertionError("no id points from one shard to another");
                },
                queue -> shards);
    }

    static ShardWriter.Parts parts(Database database, AfterDrain after, LossListener losses) {
        return new ShardWriter.Parts(database, new ShardTurn(database, ids(1), after), losses, (shard, fence) -> {});
    }
}
