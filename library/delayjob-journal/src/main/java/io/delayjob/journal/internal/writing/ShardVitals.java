package io.delayjob.journal.internal.writing;

import io.delayjob.engine.ledger.Flow;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** How far a node knows a shard to be written. Thread-safe. */
final class ShardVitals {

    private final AtomicLong steps = new AtomicLong();
    private volatile Look look = new Look(0, null, 0, System.nanoTime());

    /**
     * Last snapshot of the flow log.
     *
     * @param entries how many entries the log had
     * @param oldest the time of the first entry that was not written, by Redis' clock; null if all were
     * @param now Redis' clock then
     * @param nanos this node's clock then
     */
    private record Look(long entries, @Nullable Long oldest, long now, long nanos) {}

    /** Everything is written. */
    void written(Flow.Page page) {
        look = new Look(page.entries(), null, page.nowMillis(), System.nanoTime());
    }

    /** Something is not written. */
    void behind(Flow.Page page, long oldestMillis) {
        look = new Look(page.entries(), oldestMillis, page.nowMillis(), System.nanoTime());
    }

    /** Whether it is known since when something is not written. */
    boolean isBehind() {
        return look.oldest() != null;
    }

    /** Whether nobody has looked for so long. */
    boolean isOlderThan(Duration time) {
        return System.nanoTime() - look.nanos() > time.toNanos();
    }

    void wrote(int more) {
        steps.addAndGet(more);
    }

    /** How many steps this node has written. */
    long steps() {
        return steps.get();
    }

    /** For how long the oldest entry that is not written has been there; 0 if all are. */
    long lagMillis() {
        Look last = look;
        Long oldest = last.oldest();
        if (oldest == null) {
            return 0;
        }
        long since = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - last.nanos());
        return Math.max(0, last.now() + since - oldest);
    }

    /** How many entries the log has; one that is written always stays. */
    long entries() {
        return look.entries();
    }
}
