package io.delayjob.engine.internal.running;

import io.delayjob.engine.ledger.Claimed;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.support.Logged;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles jobs that this node cannot run, because it has no handler for them or their record has a newer format. They are given
 * back to other nodes without spending an attempt, and buried once no node could run them for a given time. Thread-safe.
 */
final class JobsWithoutHandler {

    private static final Logger log = LoggerFactory.getLogger(JobsWithoutHandler.class);
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(5);
    private static final int MOST_WARNINGS = 1000;

    private final ShardId shard;
    private final Duration timeout;
    private final Endings endings;
    private final Set<String> warned = ConcurrentHashMap.newKeySet();

    /**
     * Handles the jobs of one shard.
     *
     * @param timeout how long such a job is offered to nodes before it is buried
     */
    JobsWithoutHandler(ShardId shard, Duration timeout, Endings endings) {
        this.shard = shard;
        this.timeout = timeout;
        this.endings = endings;
    }

    /** The record has a newer format than this node can read. */
    Ending.Settle newer(Run run, String reason) {
        return settle(run, null, reason, reason + "; no node could read it for " + timeout);
    }

    /** This node has no handler with the name. */
    Ending.Settle unknown(Run run, String name, Set<String> names) {
        String reason = "this node has no handler for '" + name + "'; it has handlers for " + names;
        String verdict =
                "no node has had a handler for '" + name + "' for " + timeout + "; this node has handlers for " + names;
        return settle(run, name, reason, verdict);
    }

    private Ending.Settle settle(Run run, @Nullable String missingHandler, String reason, String verdict) {
        Claimed.Job job = run.job();
        long since = job.attempt().noHandlerSinceMillis() == null
                ? job.nowMillis()
                : job.attempt().noHandlerSinceMillis();
        long passed = job.nowMillis() - since;
        if (passed >= timeout.toMillis()) {
            return endings.refuse(run, verdict);
        }
        warnOnce(job, reason);
        long left = timeout.toMillis() - passed;
        return endings.release(run, Math.min(left, LONGEST_WAIT.toMillis()), missingHandler, reason);
    }

    private void warnOnce(Claimed.Job job, String reason) {
        if (warned.size() < MOST_WARNINGS && warned.add(reason)) {
            log.warn(
                    "job {} in {} is left to other nodes, and buried if none can run it within {}: {}",
                    job.lease().id(),
                    shard,
                    timeout,
                    Logged.text(reason));
        }
    }
}
