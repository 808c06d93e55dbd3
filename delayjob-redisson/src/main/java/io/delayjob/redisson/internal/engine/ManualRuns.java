package io.delayjob.redisson.internal.engine;

import io.delayjob.redisson.internal.ledger.Call;
import io.delayjob.redisson.internal.ledger.ClaimRequest;
import io.delayjob.redisson.internal.ledger.Claimed;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Runs due jobs one after the other on the thread that asks for it: what takers and workers do on theirs, with the same claim, the
 * same run and the same settlement. For tests, with a ledger that answers at once. Not thread-safe.
 */
public final class ManualRuns {

    /** One thread runs all; nothing is ever in the way of a job but another one's place in the order. */
    private static final int UNBOUNDED = 1 << 30;

    private final String node;
    private final List<ManualShard> shards;

    private static final class ManualShard {

        private final Shard shard;
        private final long leaseMillis;
        private final ShardRuns runs;
        private final String lane;
        private final Deque<Claimed.Job> early = new ArrayDeque<>();
        private long number;

        ManualShard(Shard shard, QueueSettings settings, NodeParts parts) {
            this.shard = shard;
            this.leaseMillis = settings.lease().toMillis();
            this.runs = parts.runs(shard, settings, new Slots(UNBOUNDED), Runnable::run);
            this.lane = shard.laneName("claim");
        }

        Claimed claim(String node) {
            number++;
            ClaimRequest request = new ClaimRequest(node, 1, leaseMillis, Long.toString(number, 36));
            return Futures.await(shard.ledger().claim(new Call(lane, number), request));
        }

        /** The next due job, or null. */
        Claimed.@Nullable Job next(String node) {
            Claimed.Job kept = early.poll();
            if (kept != null) {
                return kept;
            }
            List<Claimed.Job> claimed = claim(node).jobs();
            return claimed.isEmpty() ? null : claimed.get(0);
        }

        /** A job that was submitted since none was due is handed out with the answer, and kept to be run. */
        @Nullable Long millisToNext(String node) {
            Claimed claimed = claim(node);
            early.addAll(claimed.jobs());
            return early.isEmpty() ? claimed.nextMillis() : Long.valueOf(0);
        }
    }

    ManualRuns(NodeParts parts, Collection<String> queues, Function<String, QueueSettings> settings) {
        this.node = parts.settings().node();
        this.shards = queues.stream()
                .flatMap(queue -> parts.queues().shards(queue).stream()
                        .map(shard -> new ManualShard(shard, settings.apply(queue), parts)))
                .toList();
    }

    /** Runs one due job; false if none is due. */
    public boolean runOne() {
        for (ManualShard shard : shards) {
            Claimed.Job due = shard.next(node);
            if (due != null) {
                shard.runs.dispatch(due, System.nanoTime());
                return true;
            }
        }
        return false;
    }

    /** The time to the next due job, in milliseconds; empty if no job waits; zero if one is due. */
    public OptionalLong millisToNext() {
        return shards.stream()
                .map(shard -> shard.millisToNext(node))
                .filter(Objects::nonNull)
                .flatMapToLong(ManualRuns::stream)
                .min();
    }

    private static LongStream stream(@Nullable Long millis) {
        return millis == null ? LongStream.empty() : LongStream.of(millis);
    }
}
