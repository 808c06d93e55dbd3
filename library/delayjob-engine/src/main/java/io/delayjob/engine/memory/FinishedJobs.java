package io.delayjob.engine.memory;

import io.delayjob.engine.ledger.Listing.Position;
import io.delayjob.engine.ledger.Retention;
import io.delayjob.engine.ledger.StoredJob;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The retained finished jobs. */
final class FinishedJobs {

    final ScoredIds order = new ScoredIds();
    private final Map<String, StoredJob> jobs = new HashMap<>();

    void retain(String id, StoredJob job) {
        order.put(id, job.atMillis());
        jobs.put(id, job);
    }

    @Nullable StoredJob get(String id) {
        return jobs.get(id);
    }

    /** Removes finished jobs that are too old or too many, those that ended first first. */
    void prune(Retention retention, long now, int limit) {
        long time = retention.keeps() ? retention.time().toMillis() : 0;
        int count = retention.keeps() ? retention.count() : 0;
        for (int i = 0; i < limit; i++) {
            Position first = order.first();
            if (first == null || (first.millis() > now - time && order.size() <= count)) {
                return;
            }
            remove(first.id());
        }
    }

    void remove(String id) {
        order.remove(id);
        jobs.remove(id);
    }
}
