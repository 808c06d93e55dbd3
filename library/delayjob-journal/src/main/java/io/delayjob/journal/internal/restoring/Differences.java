package io.delayjob.journal.internal.restoring;

import io.delayjob.JournalDiff;
import io.delayjob.JournalDiff.Difference;
import io.delayjob.RestoreReport;
import java.util.ArrayList;
import java.util.List;

/** Adds up the differences between journal and ledger. */
final class Differences {

    private static final int MOST_SAMPLES = 100;

    private final List<Difference> samples = new ArrayList<>();
    private long missingInRedis;
    private long missingInJournal;
    private long different;

    void add(Difference one) {
        if (one.redis() == null) {
            missingInRedis++;
        } else if (one.journal() == null) {
            missingInJournal++;
        } else {
            different++;
        }
        if (samples.size() < MOST_SAMPLES) {
            samples.add(one);
        }
    }

    /** All of them, with what the search for lost jobs has counted. */
    JournalDiff diff(RestoreReport looked) {
        return new JournalDiff(
                looked.present() + missingInRedis,
                missingInRedis,
                missingInJournal,
                different,
                looked.journaled(),
                samples);
    }
}
