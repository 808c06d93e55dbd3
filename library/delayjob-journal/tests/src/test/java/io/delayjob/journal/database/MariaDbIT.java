package io.delayjob.journal.database;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Says once, as a skipped test, that no test of the journal runs on MariaDB where it is not installed. */
@Tag("proof")
class MariaDbIT {

    @Test
    void testsOfTheJournalRunOnMariaDb() {
        MariaDb.assumeInstalled();
    }
}
