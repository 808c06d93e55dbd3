package io.delayjob.engine;

import io.delayjob.JobState;
import io.delayjob.Limits;
import io.delayjob.engine.internal.calls.Futures;
import io.delayjob.engine.internal.calls.Shard;
import io.delayjob.engine.internal.recurring.ShardSchedules;
import io.delayjob.engine.internal.running.Node;
import io.delayjob.engine.internal.running.ShardRuns;
import io.delayjob.engine.internal.running.Slots;
import io.delayjob.engine.ledger.Call;
import io.delayjob.engine.ledger.ClaimRequest;
import io.delayjob.engine.ledger.Claimed;
import io.delayjob.engine.ledger.Feed;
import io.delayjob.engine.ledger.Schedules;
import io.delayjob.engine.settings.QueueSettings;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs due jobs one at a time on the calling thread, with the same claims, runs and settlements as takers and workers. For tests,
 * with a ledger that answers at once. Not thread-safe.
 */
public final class ManualRuns {

    /** One thread runs all jobs, so that slots never limit them. */
    private static final int UNBOUNDED = 1 << 30;

    private final String node;
    private final List<ManualShard> shards;

    private static final class ManualShard {

        private final Shard shard;
        private final long leaseMillis;
        private final long boostMillis;
        private final ShardRuns runs;
        private final ShardSchedules schedules;
        private final String lane;
        private final Deque<Claimed.Job> early = new ArrayDeque<>();
        private final List<Claimed.Job> unacknowledged = new ArrayList<>();
        private long number;

        ManualShard(Shard shard, QueueSettings settings, Node node) {
            this.shard = shard;
            this.leaseMillis = settings.lease().toMillis();
            this.boostMillis = settings.priorityBoost().toMillis();
            this.runs = new ShardRuns(shard, settings, new Slots(UNBOUNDED), Runnable::run, node);
            this.schedules = new ShardSchedules(shard, node);
            this.lane = shard.laneName("claim");
        }

        Claimed claim(String node) {
            number++;
            declareLimits(node);
            ClaimRequest request =
                    new ClaimRequest(node, 1, leaseMillis, Long.toString(number, 36)).withBoost(boostMillis);
            return Futures.await(shard.ledger().claim(new Call(lane, number), request));
        }

        /** Declares the limits of the queue to a ledger that does not know them, because it is new or was emptied. */
        private void declareLimits(String node) {
            Limits limits = shard.declaredLimits();
            if (!limits.equals(Limits.NONE)
                    && !Futures.await(shard.ledger().limits().read(0))
                            .declared()
                            .equals(limits)) {
                forgetWhatIsOver(node);
            }
        }

        /** The next due job; null if there is none. */
        Claimed.@Nullable Job next(String node) {
            Claimed.Job kept = early.poll();
            if (kept != null) {
                return kept;
            }
            List<Claimed.Job> claimed = claim(node).jobs();
            return claimed.isEmpty() ? null : claimed.get(0);
        }

        /** Runs a job. If the attempt still holds the job afterwards, its listener has yet to acknowledge it. */
        void run(Claimed.Job job) {
            runs.dispatch(job, System.nanoTime());
            if (leaseEnd(job).isPresent()) {
                unacknowledged.add(job);
            }
        }

        /** When the lease of an attempt ends, by the ledger's clock; empty if the lease or the attempt has ended. */
        private OptionalLong leaseEnd(Claimed.Job job) {
            return Futures.await(shard.ledger().find(job.lease().id()))
                    .filter(now -> now.state() == JobState.RESERVED
                            && now.attempt().number() == job.attempt().number())
                    .map(now -> OptionalLong.of(now.atMillis()))
                    .orElseGet(OptionalLong::empty);
        }

        Stream<String> unacknowledgedUntil(long millis) {
            unacknowledged.removeIf(job -> leaseEnd(job).isEmpty());
            return unacknowledged.stream()
                    .filter(job -> leaseEnd(job).orElse(Long.MAX_VALUE) <= millis)
                    .map(job -> job.lease().id());
        }

        /**
         * Repeats the feed until it removes nothing more: one feed removes a bounded number, and in production the next follows
         * within seconds.
         */
        void forgetWhatIsOver(String node) {
            Feed.Request nobody = new Feed.Request(
                    new Feed.Presence(node, 0, 0, 0, null),
                    new Feed.Terms(0, leaseMillis, 0, 1, shard.declaredLimits()),
                    0,
                    Feed.Pulse.NONE);
            long before;
            long after = finished();
            do {
                before = after;
                Futures.await(shard.ledger().feed(nobody));
                after = finished();
            } while (after < before);
        }

        /** Decides all instants that have come. */
        void fire() {
            Schedules.Fired fired;
            do {
                fired = Futures.await(schedules.fireDue(Runnable::run));
            } while (!fired.decisions().isEmpty());
        }

        @Nullable Long millisToInstant() {
            return Futures.await(shard.ledger().schedules().due(0)).nextMillis();
        }

        private long finished() {
            return Futures.await(shard.ledger().tally()).counts().finished();
        }

        /** If this claim hands out a job that was submitted in the meantime, the job is kept for the next run. */
        @Nullable Long millisToNext(String node) {
            Claimed claimed = claim(node);
            early.addAll(claimed.jobs());
            return early.isEmpty() ? claimed.nextMillis() : Long.valueOf(0);
        }
    }

    ManualRuns(Node node, Collection<String> queues, Function<String, QueueSettings> settings) {
        this.node = node.settings().node();
        this.shards = queues.stream()
                .flatMap(queue -> node.queues().shards(queue).stream()
                        .map(shard -> new ManualShard(shard, settings.apply(queue), node)))
                .toList();
    }

    /** Runs one due job; false if none is due. */
    public boolean runOne() {
        for (ManualShard shard : shards) {
            Claimed.Job due = shard.next(node);
            if (due != null) {
                shard.run(due);
                return true;
            }
        }
        return false;
    }

    /**
     * The ids of jobs whose listeners have returned without acknowledging, and whose leases end by the given time.
     *
     * @param millis the time by the ledger's clock
     */
    public List<String> unacknowledgedUntil(long millis) {
        return shards.stream()
                .flatMap(shard -> shard.unacknowledgedUntil(millis))
                .toList();
    }

    /** Removes finished jobs and dedupe windows whose time is over, as the holder's feeds do in production. Registers no node. */
    public void forgetWhatIsOver() {
        shards.forEach(shard -> shard.forgetWhatIsOver(node));
    }

    /** Decides the instants of schedules that have come, as the holder does in production. */
    public void fireSchedules() {
        shards.forEach(ManualShard::fire);
    }

    /** The time to the next instant of a schedule, in milliseconds; empty if none is to fire. */
    public OptionalLong millisToInstant() {
        return shards.stream()
                .map(ManualShard::millisToInstant)
                .filter(Objects::nonNull)
                .flatMapToLong(ManualRuns::stream)
                .min();
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
