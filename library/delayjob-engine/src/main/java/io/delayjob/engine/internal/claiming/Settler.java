package io.delayjob.engine.internal.claiming;

import io.delayjob.ClaimedJob;
import io.delayjob.JobSettlement;
import io.delayjob.engine.internal.calls.Futures;
import io.delayjob.engine.internal.calls.Shard;
import io.delayjob.engine.internal.running.Node;
import io.delayjob.engine.internal.running.RemoteAttempt;
import io.delayjob.engine.internal.running.RemoteRuns;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.engine.settings.QueueSettings;
import io.delayjob.support.Checks;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Settles attempts by their handles, in the shard that each names. Thread-safe. */
final class Settler {

    private static final int MOST = 1000;

    private final Node node;
    private final Function<String, QueueSettings> settings;

    /**
     * A settler.
     *
     * @param settings of each queue
     */
    Settler(Node node, Function<String, QueueSettings> settings) {
        this.node = node;
        this.settings = settings;
    }

    /** All settlements are checked before the first is sent, so that an invalid one leaves everything as it was. */
    CompletableFuture<List<Boolean>> settle(List<? extends JobSettlement> settlements) {
        if (Checks.notNull(settlements, "settlements").size() > MOST) {
            throw new IllegalArgumentException(
                    "at most " + MOST + " settlements fit into one call: " + settlements.size());
        }
        Map<ShardId, RemoteRuns> runs = new HashMap<>();
        List<Supplier<CompletableFuture<Boolean>>> checked = settlements.stream()
                .map(settlement -> checked(settlement, runs))
                .toList();
        List<CompletableFuture<Boolean>> applied =
                checked.stream().map(Futures::call).toList();
        CompletableFuture<List<Boolean>> all = CompletableFuture.allOf(applied.toArray(CompletableFuture[]::new))
                .thenApply(done -> applied.stream().map(CompletableFuture::join).toList());
        long deadline =
                System.nanoTime() + node.settings().submitting().timeout().toNanos();
        return Futures.by(deadline, all, node.scheduler());
    }

    /** Gives back claimed jobs that nobody got. If that fails, it is logged, and they run when their leases end. */
    void giveBack(List<ClaimedJob> jobs, boolean hasId, String why) {
        Map<ShardId, RemoteRuns> known = new HashMap<>();
        for (ClaimedJob job : jobs) {
            ClaimHandle handle = ClaimHandle.parse(job.handle());
            RemoteRuns runs = known.computeIfAbsent(handle.shard(), this::runs);
            if (hasId) {
                runs.giveBackUnlessRepeated(handle.remote(), job.leaseEndsAt(), why);
            } else {
                runs.giveBack(handle.remote(), why);
            }
        }
    }

    private Supplier<CompletableFuture<Boolean>> checked(
            @Nullable JobSettlement settlement, Map<ShardId, RemoteRuns> known) {
        JobSettlement given = Checks.notNull(settlement, "settlement");
        ClaimHandle handle = ClaimHandle.parse(given.handle());
        RemoteRuns runs = known.computeIfAbsent(handle.shard(), this::runs);
        RemoteAttempt attempt = handle.remote();
        if (given instanceof JobSettlement.Complete complete) {
            String result = complete.result();
            String json = result == null ? null : node.params().checkedResult(handle.topic(), result);
            return () -> runs.complete(attempt, json);
        } else if (given instanceof JobSettlement.Retry retry) {
            return () -> runs.retry(attempt, retry.delay(), retry.error());
        } else if (given instanceof JobSettlement.Bury bury) {
            return () -> runs.bury(attempt, bury.reason());
        } else if (given instanceof JobSettlement.Release release) {
            Duration slow = release.slowKey();
            return () -> slow == null ? runs.release(attempt) : runs.slowDown(attempt, slow);
        } else if (given instanceof JobSettlement.Extend extend) {
            return () -> runs.extend(attempt, extend.lease());
        } else if (given instanceof JobSettlement.Report report) {
            return () -> runs.report(attempt, report.progress());
        }
        throw new IllegalStateException("unknown settlement: " + given.getClass());
    }

    private RemoteRuns runs(ShardId id) {
        List<Shard> shards = node.queues().shards(id.queue());
        if (id.number() >= shards.size()) {
            throw new IllegalArgumentException("the handle is of shard " + id + ", but the queue has " + shards.size()
                    + " shards on this node; set the same delayjob.shards on all nodes");
        }
        return new RemoteRuns(shards.get(id.number()), settings.apply(id.queue()), node);
    }
}
