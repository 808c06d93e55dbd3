package io.delayjob.journal.internal.writing;

import io.delayjob.journal.internal.tables.Database;

/** Makes the parts of a writer from a database, for tests. */
final class JournalTables {

    private JournalTables() {}

    static ShardWriter.Parts parts(Database database, AfterDrain after, LossListener losses) {
        return new ShardWriter.Parts(database, new ShardTurn(database, after), losses, (shard, fence) -> {});
    }
}
