package io.delayjob.engine.internal.claiming;

import io.delayjob.ClaimedJob;
import io.delayjob.DelayJobClaims;
import io.delayjob.JobClaim;
import io.delayjob.JobSettlement;
import io.delayjob.engine.internal.calls.Futures;
import io.delayjob.engine.internal.consuming.NodeActors;
import io.delayjob.engine.internal.running.Node;
import io.delayjob.engine.ledger.Feed;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.engine.settings.QueueSettings;
import io.delayjob.engine.telemetry.ClaimVitals;
import io.delayjob.support.Checks;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Claims for workers elsewhere, of any queue. A queue is watched from its first claim until it has had none for a minute. */
public final class Claims implements DelayJobClaims {

    private static final Duration UNUSED = Duration.ofMinutes(1);

    /** How long a stop waits for the answers to claims that are under way. */
    private static final Duration CALL = Duration.ofSeconds(4);

    private final Node node;
    private final String name;
    private final Function<String, QueueSettings> settings;
    private final Executor callbacks;
    private final Duration unused;
    private final Settler settler;
    private final Map<String, QueueClaims> queues = new HashMap<>();
    private @Nullable NodeActors actors;
    private boolean byHand;
    private Collection<QueueClaims> stopped = List.of();
    private long stoppedNanos;

    /**
     * Claims of a node.
     *
     * @param settings of each queue
     * @param callbacks runs what callers hang on futures
     */
    public Claims(Node node, Function<String, QueueSettings> settings, Executor callbacks) {
        this(node, settings, callbacks, UNUSED);
    }

    /**
     * Claims of a node.
     *
     * @param unused how long a queue is watched without claims
     */
    Claims(Node node, Function<String, QueueSettings> settings, Executor callbacks, Duration unused) {
        this.node = node;
        this.name = Feed.Presence.claims(node.settings().node());
        this.settings = settings;
        this.callbacks = callbacks;
        this.unused = unused;
        this.settler = new Settler(node, settings);
    }

    /** From now on jobs can be claimed. */
    public synchronized void start(NodeActors started) {
        actors = started;
        started.chores().add(() -> closeUnused(started));
    }

    /** From now on jobs can be claimed without waiting, and nothing is watched. */
    public synchronized void startByHand() {
        byHand = true;
    }

    @Override
    public CompletableFuture<List<ClaimedJob>> claimAsync(JobClaim claim) {
        Checks.notNull(claim, "claim");
        return join(claim).begin(node.scheduler());
    }

    /** Under the lock, so that a stop finds the claim, a queue that has a claim is not closed, and all lines have the same order. */
    private synchronized Waiter join(JobClaim claim) {
        List<QueueClaims> its = claim.queues().stream().map(this::open).toList();
        Waiter waiter = new Waiter(claim, its, node.settings().submitting().timeout(), callbacks);
        waiter.join();
        return waiter;
    }

    @Override
    public List<ClaimedJob> claim(JobClaim claim) throws InterruptedException {
        CompletableFuture<List<ClaimedJob>> answer = claimAsync(claim);
        try {
            return answer.get();
        } catch (ExecutionException e) {
            throw Futures.ledgerException(e);
        } catch (InterruptedException e) {
            answer.cancel(true);
            throw e;
        }
    }

    private QueueClaims open(String queue) {
        NodeActors running = actors;
        if (running == null && !byHand) {
            throw new IllegalStateException(
                    "this node claims no jobs: it has not started, is stopped, or delayjob.consume is false");
        }
        return queues.computeIfAbsent(queue, opened -> {
            QueueClaims claims = new QueueClaims(queue, name, settings.apply(queue), node);
            if (running != null) {
                claims.start(running);
            }
            return claims;
        });
    }

    /** Jobs of a shard were passed on to nodes that can take them, which this one can if it claims there. */
    public synchronized void passedOn(ShardId shard) {
        QueueClaims claims = queues.get(shard.queue());
        if (claims != null) {
            claims.passedOn(shard);
        }
    }

    /** How it is doing. */
    public synchronized ClaimVitals vitals() {
        long waiting = queues.values().stream()
                .flatMap(claims -> claims.waiting().stream())
                .distinct()
                .count();
        return new ClaimVitals(
                queues.size(),
                waiting,
                queues.values().stream().flatMap(QueueClaims::faults).toList());
    }

    private synchronized boolean closeUnused(NodeActors started) {
        boolean running = actors == started;
        long since = System.nanoTime() - unused.toNanos();
        Iterator<QueueClaims> all = queues.values().iterator();
        while (running && all.hasNext()) {
            QueueClaims claims = all.next();
            if (claims.usedNanos() - since < 0) {
                all.remove();
                claims.stop(started);
                claims.leave();
            }
        }
        return running;
    }

    /** First step of a stop: ends the waits, and claims nothing any more. Does not block. */
    public synchronized void stop() {
        NodeActors running = actors;
        if (running != null) {
            actors = null;
            stopped = List.copyOf(queues.values());
            stoppedNanos = System.nanoTime();
            queues.clear();
            stopped.forEach(claims -> claims.stop(running));
        }
    }

    /**
     * Last step: waits for the answers to claims that were under way, so that their jobs still reach their claims or are given back. Then
     * this node leaves the fleet. Also of a stop that is interrupted.
     */
    public void leave() {
        Collection<QueueClaims> left;
        long deadline;
        synchronized (this) {
            left = stopped;
            stopped = List.of();
            deadline = stoppedNanos + CALL.toNanos();
        }
        try {
            while (!left.stream().allMatch(QueueClaims::isIdle) && deadline - System.nanoTime() > 0) {
                Thread.sleep(5);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            left.forEach(QueueClaims::leave);
        }
    }

    /** Gives back jobs of this node's answer to a claim that the caller did not get. */
    public void undelivered(List<ClaimedJob> jobs, boolean hasId) {
        settler.giveBack(jobs, hasId, "its claim was not answered");
    }

    @Override
    public CompletableFuture<List<Boolean>> settleAsync(List<? extends JobSettlement> settlements) {
        return settler.settle(settlements).thenApplyAsync(Function.identity(), callbacks);
    }

    @Override
    public List<Boolean> settle(List<? extends JobSettlement> settlements) {
        return Futures.await(settler.settle(settlements));
    }
}
