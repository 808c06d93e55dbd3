package io.delayjob.engine.internal.claiming;

import io.delayjob.Backoff;
import io.delayjob.ClaimedJob;
import io.delayjob.engine.internal.calls.Futures;
import io.delayjob.engine.internal.calls.Shard;
import io.delayjob.engine.internal.consuming.NodeActors;
import io.delayjob.engine.internal.consuming.Presence;
import io.delayjob.engine.internal.consuming.Wake;
import io.delayjob.engine.internal.records.JobRecord;
import io.delayjob.engine.internal.running.Node;
import io.delayjob.engine.internal.running.RemoteRuns;
import io.delayjob.engine.ledger.Call;
import io.delayjob.engine.ledger.ClaimRequest;
import io.delayjob.engine.ledger.Claimed;
import io.delayjob.engine.ledger.LedgerException;
import io.delayjob.engine.settings.QueueSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Claims the due jobs of one shard for whoever waits for them, and watches for the next one. Thread-safe. */
final class ShardClaims implements Wake {

    private static final Backoff PAUSE = Backoff.exponential(Duration.ofMillis(100), Duration.ofSeconds(2));

    private final Shard shard;
    private final String name;
    private final QueueSettings settings;
    private final ScheduledExecutorService scheduler;
    private final Consumer<ShardClaims> due;
    private final RemoteRuns runs;
    private final Presence presence;
    private final Queue<Lane> lanes = new ConcurrentLinkedQueue<>();

    private @Nullable ScheduledFuture<?> alarm;
    private long alarmNanos;
    private boolean watching;
    private int failures;
    private @Nullable Runnable onceClaimed;

    /** The calls of one claimer at a time; its number grows with each. */
    private static final class Lane {

        private final String name;
        private long number;

        Lane(String name) {
            this.name = name;
        }

        Call next() {
            return new Call(name, ++number);
        }
    }

    /**
     * What a claim got.
     *
     * @param jobs the jobs to hand out
     * @param more whether more jobs are due
     */
    record Taken(List<Held> jobs, boolean more) {}

    /** A job that is to be handed out, and its shard, which takes it back if nobody wants it. */
    record Held(ClaimedJob job, Claimed.Job claimed, ShardClaims shard) {

        void release(String why) {
            shard.runs.release(claimed, why);
        }
    }

    /**
     * A call that a claim makes.
     *
     * @param shared whether any node may make it at any time, because it is of a claim with an id; else it is the next of a lane
     */
    private record Attempt(Call call, String random, int max, long leaseMillis, boolean shared) {

        ClaimRequest request(String node, int bytes, boolean unsure, boolean mixed) {
            ClaimRequest.Limits limits = new ClaimRequest.Limits(max, Math.max(1, max), bytes);
            return new ClaimRequest(node, limits, leaseMillis, random, unsure, mixed, 0);
        }
    }

    /**
     * The claims of one shard.
     *
     * @param name the name of this node as one that claims for others
     * @param due called when a job is, or may be, due
     */
    ShardClaims(Shard shard, String name, QueueSettings settings, QueueClaims queue, Consumer<ShardClaims> due, Node node) {
        this.shard = shard;
        this.name = name;
        this.settings = settings;
        this.scheduler = node.scheduler();
        this.due = due;
        this.runs = new RemoteRuns(shard, settings, node);
        this.presence = Presence.of(shard, name, settings.lease(), queue, this, node);
    }

    void start(NodeActors actors) {
        presence.start(actors);
    }

    void stop(NodeActors actors) {
        presence.stop(actors);
        cancelAlarm();
    }

    void leave() {
        presence.leave();
    }

    Shard shard() {
        return shard;
    }

    /** Jobs were passed on to nodes that can run them, as this one can. */
    void passedOn() {
        presence.passedOn();
    }

    /** Claims due jobs. */
    CompletableFuture<Taken> take(int max, @Nullable Duration lease, long deadlineNanos) {
        Lane lane = lanes.poll();
        Lane used = lane == null ? new Lane(shard.laneName("claims")) : lane;
        String random = Long.toUnsignedString(ThreadLocalRandom.current().nextLong(), 36);
        return take(new Attempt(used.next(), random, max, millis(lease), false), deadlineNanos)
                // A lane whose call was not answered is not used again, so that nothing follows a call that may still arrive.
                .whenComplete((taken, failure) -> {
                    if (failure == null) {
                        lanes.add(used);
                    }
                });
    }

    /**
     * The same for a claim with an id. If one with this id got jobs here before, on any node, it gets those that are still held.
     *
     * @param max the most jobs; 0 to get only those of before
     */
    CompletableFuture<Taken> takeAs(String id, int max, @Nullable Duration lease, long deadlineNanos) {
        Call call = new Call("claims:" + id, 1);
        return take(new Attempt(call, ClaimIds.random(id), max, millis(lease), true), deadlineNanos);
    }

    private long millis(@Nullable Duration lease) {
        return (lease == null ? settings.lease() : lease).toMillis();
    }

    private CompletableFuture<Taken> take(Attempt attempt, long deadlineNanos) {
        long asked = System.nanoTime();
        return send(attempt, ClaimRequest.Limits.of(1).bytes(), false, deadlineNanos)
                .whenComplete((claimed, failure) -> heard(claimed, failure))
                .thenApply(claimed -> taken(claimed, attempt, asked));
    }

    /**
     * Sends a call, and repeats it while its outcome is unknown; each repeat asks for an answer of a quarter of the size. After a
     * repeat that found nothing, an earlier try of a lane gets nothing if it arrives; that of a shared call gets jobs, which the next
     * repeat returns.
     */
    private CompletableFuture<Claimed> send(Attempt attempt, int bytes, boolean unsure, long deadlineNanos) {
        return Futures.call(() -> shard.ledger().claim(attempt.call(), attempt.request(name, bytes, unsure, presence.isMixed())))
                .exceptionallyCompose(failure -> {
                    LedgerException known = Futures.ledgerException(failure);
                    boolean again =
                            known.kind() == LedgerException.Kind.UNKNOWN && deadlineNanos - System.nanoTime() > 0;
                    return again
                            ? send(attempt, bytes / 4, !attempt.shared(), deadlineNanos)
                            : CompletableFuture.failedFuture(known);
                });
    }

    private Taken taken(Claimed claimed, Attempt attempt, long askedNanos) {
        List<Held> jobs = new ArrayList<>(claimed.jobs().size());
        for (Claimed.Job job : claimed.jobs()) {
            runs.admit(job, askedNanos).ifPresent(record -> jobs.add(held(job, record, attempt.leaseMillis())));
        }
        return new Taken(jobs, isMoreDue(claimed));
    }

    private Held held(Claimed.Job job, JobRecord record, long leaseMillis) {
        long lease = job.leaseMillis() == null ? leaseMillis : job.leaseMillis();
        ClaimedJob claimed = new ClaimedJob(
                shard.id().queue(),
                job.lease().id(),
                record.job(),
                record.param(),
                record.headers(),
                job.attempt().number(),
                Instant.ofEpochMilli(job.dueMillis()),
                Instant.ofEpochMilli(job.beginsMillis() + lease),
                ClaimHandle.of(shard.id(), job, record.job()).text());
        return new Held(claimed, job, this);
    }

    private static boolean isMoreDue(Claimed claimed) {
        return claimed.nextMillis() != null && claimed.nextMillis() == 0;
    }

    /** Sets the alarm by the answer to a claim. */
    private void heard(@Nullable Claimed claimed, @Nullable Throwable failure) {
        Runnable then;
        synchronized (this) {
            then = onceClaimed;
            onceClaimed = null;
            if (claimed == null) {
                failures++;
                alarmIn(PAUSE.waitAfter(failures, failure));
            } else {
                failures = 0;
                alarmIn(presence.claimed(claimed, watching));
                watching = false;
            }
        }
        if (then != null) {
            then.run();
        }
    }

    @Override
    public void ring() {
        synchronized (this) {
            watching = true;
        }
        due.accept(this);
    }

    @Override
    public synchronized void alarmBy(long nanos) {
        if (alarm == null || alarm.isDone() || nanos - alarmNanos < 0) {
            alarmAt(nanos);
        }
    }

    @Override
    public synchronized void onceClaimed(Runnable then) {
        onceClaimed = then;
    }

    private void alarmIn(Duration wait) {
        alarmAt(System.nanoTime() + wait.toNanos());
    }

    private void alarmAt(long nanos) {
        cancelAlarm();
        alarmNanos = nanos;
        try {
            alarm = scheduler.schedule(() -> due.accept(this), nanos - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            // The engine is closed.
        }
    }

    private synchronized void cancelAlarm() {
        if (alarm != null) {
            alarm.cancel(false);
        }
    }
}
