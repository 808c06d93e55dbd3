package io.delayjob.engine.internal.claiming;

import io.delayjob.ClaimedJob;
import io.delayjob.DelayJobClaims;
import io.delayjob.JobClaim;
import io.delayjob.JobSettlement;
import io.delayjob.engine.internal.calls.Futures;
import io.delayjob.engine.internal.consuming.NodeActors;
import io.delayjob.engine.internal.running.Node;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.engine.settings.QueueSettings;
import io.delayjob.support.Checks;
import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Claims for workers elsewhere, of any queue. A queue is watched from its first claim until it has had none for a while. */
public final class Claims implements DelayJobClaims {

    /** A queue without claims for this long is no longer watched. */
    private static final Duration UNUSED = Duration.ofMinutes(1);

    private final Node node;
    private final String name;
    private final Function<String, QueueSettings> settings;
    private final Executor callbacks;
    private final Settler settler;
    private final Map<String, QueueClaims> queues = new HashMap<>();
    private @Nullable NodeActors actors;

    /**
     * Claims of a node.
     *
     * @param settings of each queue
     * @param callbacks runs what callers hang on futures
     */
    public Claims(Node node, Function<String, QueueSettings> settings, Executor callbacks) {
        this.node = node;
        this.name = node.settings().node() + "~claims";
        this.settings = settings;
        this.callbacks = callbacks;
        this.settler = new Settler(node, settings);
    }

    /** From now on jobs can be claimed. */
    public synchronized void start(NodeActors started) {
        actors = started;
        started.chores().add(this::closeUnused);
    }

    @Override
    public CompletableFuture<List<ClaimedJob>> claimAsync(JobClaim claim) {
        Checks.notNull(claim, "claim");
        List<QueueClaims> its = claim.queues().stream().map(this::open).toList();
        Duration timeout = node.settings().submitting().timeout();
        return new Waiter(claim, its, timeout, callbacks).begin(node.scheduler());
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

    private synchronized QueueClaims open(String queue) {
        NodeActors running = actors;
        if (running == null) {
            throw new IllegalStateException(
                    "this node claims no jobs: it has not started, is stopped, or delayjob.consume is false");
        }
        return queues.computeIfAbsent(queue, opened -> {
            QueueClaims claims = new QueueClaims(queue, name, settings.apply(queue), node);
            claims.start(running);
            return claims;
        });
    }

    /** Jobs of a shard were passed on to nodes that can run them, which this one can if it claims there. */
    public synchronized void passedOn(ShardId shard) {
        QueueClaims claims = queues.get(shard.queue());
        if (claims != null) {
            claims.shards().get(shard.number()).passedOn();
        }
    }

    private synchronized boolean closeUnused() {
        NodeActors running = actors;
        long since = System.nanoTime() - UNUSED.toNanos();
        Iterator<QueueClaims> all = queues.values().iterator();
        while (running != null && all.hasNext()) {
            QueueClaims claims = all.next();
            if (claims.usedNanos() - since < 0) {
                all.remove();
                claims.stop(running);
                claims.leave();
            }
        }
        return running != null;
    }

    /** Answers the claims that wait, and claims nothing any more. */
    public synchronized void stop() {
        NodeActors running = actors;
        if (running != null) {
            actors = null;
            queues.values().forEach(claims -> claims.stop(running));
            queues.values().forEach(claims -> claims.waiting().forEach(Waiter::end));
            queues.values().forEach(QueueClaims::leave);
            queues.clear();
        }
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
