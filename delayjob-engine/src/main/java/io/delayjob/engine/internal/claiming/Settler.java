package io.delayjob.engine.internal.claiming;

import io.delayjob.JobEvent;
import io.delayjob.JobSettlement;
import io.delayjob.JobState;
import io.delayjob.engine.internal.calls.Futures;
import io.delayjob.engine.internal.calls.Shard;
import io.delayjob.engine.internal.records.ErrorText;
import io.delayjob.engine.internal.records.RecordCodec;
import io.delayjob.engine.internal.records.UnreadableRecordException;
import io.delayjob.engine.internal.running.Node;
import io.delayjob.engine.internal.running.RemoteRuns;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.Settlement;
import io.delayjob.engine.ledger.StoredJob;
import io.delayjob.engine.settings.AttemptPolicy;
import io.delayjob.engine.settings.QueueSettings;
import io.delayjob.support.Checks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Settles attempts by their handles, in the shard that each names. Thread-safe. */
final class Settler {

    private static final int MOST = 1000;

    /** The assumed length of a job's record, which is copied if the queue retains it. */
    private static final int KEPT = 10_000;

    private final Node node;
    private final Function<String, QueueSettings> settings;

    /** A settlement whose handle was read. */
    private record Parsed(JobSettlement settlement, ClaimHandle handle) {}

    /** Why an attempt of a worker elsewhere failed. */
    private static final class WorkerFailedException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        WorkerFailedException(String error) {
            super(error, null, false, false);
        }
    }

    Settler(Node node, Function<String, QueueSettings> settings) {
        this.node = node;
        this.settings = settings;
    }

    CompletableFuture<List<Boolean>> settle(List<? extends JobSettlement> settlements) {
        if (Checks.notNull(settlements, "settlements").size() > MOST) {
            throw new IllegalArgumentException(
                    "at most " + MOST + " settlements fit into one call: " + settlements.size());
        }
        // All are read before the first is sent, so that an invalid handle leaves everything as it was.
        List<Parsed> parsed = settlements.stream()
                .map(settlement -> new Parsed(settlement, ClaimHandle.parse(settlement.handle())))
                .toList();
        long deadline = System.nanoTime() + node.settings().submitting().timeout().toNanos();
        List<CompletableFuture<Boolean>> applied = new ArrayList<>(parsed.size());
        parsed.forEach(one -> applied.add(Futures.by(deadline, settle(one), node.scheduler())));
        return CompletableFuture.allOf(applied.toArray(CompletableFuture[]::new))
                .thenApply(done -> applied.stream().map(CompletableFuture::join).toList());
    }

    private CompletableFuture<Boolean> settle(Parsed parsed) {
        ClaimHandle handle = parsed.handle();
        Shard shard = shard(handle);
        JobSettlement settlement = parsed.settlement();
        if (settlement instanceof JobSettlement.Complete complete) {
            return completed(shard, handle, complete);
        } else if (settlement instanceof JobSettlement.Retry retry) {
            return failed(shard, handle, retry);
        } else if (settlement instanceof JobSettlement.Bury bury) {
            return buried(shard, handle, ErrorText.of(bury.reason(), null), null);
        } else if (settlement instanceof JobSettlement.Release) {
            return released(shard, handle);
        } else if (settlement instanceof JobSettlement.Extend extend) {
            return extended(shard, handle, extend);
        } else if (settlement instanceof JobSettlement.Report report) {
            return shard.report(new Ledger.Report(handle.lease(), report.progress()));
        }
        throw new IllegalStateException("unknown settlement: " + settlement);
    }

    private CompletableFuture<Boolean> completed(Shard shard, ClaimHandle handle, JobSettlement.Complete complete) {
        Settlement settlement = new Settlement.Complete(handle.lease(), complete.result(), KEPT);
        return shard.settle(settlement)
                .thenApply(applied -> published(
                        applied,
                        JobEvent.Completed.class,
                        () -> new JobEvent.Completed(
                                handle.queue(), handle.id(), handle.topic(), handle.attempt(), handle.elapsed())));
    }

    private CompletableFuture<Boolean> released(Shard shard, ClaimHandle handle) {
        return shard.settle(new Settlement.Release(handle.lease(), null, null))
                .thenApply(applied -> published(
                        applied,
                        JobEvent.Released.class,
                        () -> new JobEvent.Released(
                                handle.queue(),
                                handle.id(),
                                handle.topic(),
                                handle.attempt(),
                                "its worker gave it back")));
    }

    private CompletableFuture<Boolean> extended(Shard shard, ClaimHandle handle, JobSettlement.Extend extend) {
        Ledger.Renewal renewal = new Ledger.Renewal(handle.lease(), extend.lease().toMillis());
        return shard.ledger()
                .renew(List.of(renewal))
                .thenApply(renewed -> published(
                        renewed.get(0),
                        JobEvent.Renewed.class,
                        () -> new JobEvent.Renewed(
                                handle.queue(), handle.id(), handle.topic(), handle.attempt(), extend.lease())));
    }

    /** Only the job's record says how often it may be tried, so it is read first. */
    private CompletableFuture<Boolean> failed(Shard shard, ClaimHandle handle, JobSettlement.Retry retry) {
        return shard.ledger().find(handle.id()).thenCompose(found -> found.flatMap(job -> policy(shard, job))
                .map(policy -> failed(shard, handle, retry, policy))
                .orElseGet(() -> CompletableFuture.completedFuture(false)));
    }

    private Optional<AttemptPolicy> policy(Shard shard, StoredJob job) {
        String record = job.record();
        return job.state() != JobState.RESERVED || record == null
                ? Optional.empty()
                : new RemoteRuns(shard, settings.apply(shard.id().queue()), node).policy(record);
    }

    private CompletableFuture<Boolean> failed(
            Shard shard, ClaimHandle handle, JobSettlement.Retry retry, AttemptPolicy policy) {
        WorkerFailedException failure = new WorkerFailedException(retry.error());
        if (handle.attempt() >= policy.attempts()) {
            String reason = "attempt " + handle.attempt() + " of " + policy.attempts() + " failed: " + retry.error();
            return buried(shard, handle, ErrorText.of(reason, null), failure);
        }
        long wait = retry.delay() == null
                ? policy.waitMillis(handle.attempt(), failure)
                : Checks.ceilMillis(retry.delay());
        return shard.settle(new Settlement.Retry(handle.lease(), wait, ErrorText.of(retry.error(), null)))
                .thenApply(applied -> published(
                        applied,
                        JobEvent.Retried.class,
                        () -> new JobEvent.Retried(
                                handle.queue(),
                                handle.id(),
                                handle.topic(),
                                handle.attempt(),
                                failure,
                                Duration.ofMillis(wait))));
    }

    /** Reads the job first, because the event of its death has its param. */
    private CompletableFuture<Boolean> buried(
            Shard shard, ClaimHandle handle, String reason, @Nullable WorkerFailedException failure) {
        return shard.ledger().find(handle.id()).thenCompose(found -> shard.settle(
                        new Settlement.Bury(handle.lease(), reason, true))
                .thenApply(applied -> published(
                        applied,
                        JobEvent.Buried.class,
                        () -> new JobEvent.Buried(
                                handle.queue(),
                                handle.id(),
                                handle.topic(),
                                handle.attempt(),
                                reason,
                                failure,
                                found.map(Settler::param).orElse("")))));
    }

    private static String param(StoredJob job) {
        try {
            return new RecordCodec().read(job.record()).param();
        } catch (UnreadableRecordException e) {
            return String.valueOf(job.record());
        }
    }

    private <E extends JobEvent> boolean published(boolean applied, Class<E> kind, Supplier<E> event) {
        if (applied) {
            node.hooks().events().publish(kind, event);
        }
        return applied;
    }

    private Shard shard(ClaimHandle handle) {
        List<Shard> shards = node.queues().shards(handle.shard().queue());
        if (handle.shard().number() >= shards.size()) {
            throw new IllegalArgumentException("the handle is of shard " + handle.shard() + ", but the queue has "
                    + shards.size() + " shards on this node; set the same delayjob.shards on all nodes");
        }
        return shards.get(handle.shard().number());
    }
}
