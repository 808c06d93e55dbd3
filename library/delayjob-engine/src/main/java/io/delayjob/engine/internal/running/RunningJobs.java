package io.delayjob.engine.internal.running;

import io.delayjob.engine.ledger.Lease;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The runs of one shard on this node. Thread-safe. */
final class RunningJobs {

    private final Map<String, Run> byId = new ConcurrentHashMap<>();

    /**
     * Adds a run. An older run of the same job has lost its lease, since this node claimed the job again, and is interrupted; or it is
     * settled, and left alone.
     */
    void add(Run run) {
        Run older = byId.put(run.lease().id(), run);
        if (older != null) {
            older.interrupt(Run.Interruption.LEASE_LOST);
        }
    }

    /** Removes this run, but not a later one of the same job. */
    void remove(Run run) {
        byId.remove(run.lease().id(), run);
    }

    /** Removes the run of a claim and returns it; null if this node has none. */
    @Nullable Run remove(Lease lease) {
        Run run = byId.get(lease.id());
        return run != null && run.lease().equals(lease) && byId.remove(lease.id(), run) ? run : null;
    }

    boolean isEmpty() {
        return byId.isEmpty();
    }

    Stream<Run> all() {
        return byId.values().stream();
    }
}
