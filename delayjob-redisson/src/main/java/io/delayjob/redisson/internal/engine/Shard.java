package io.delayjob.redisson.internal.engine;

import io.delayjob.redisson.internal.ledger.Backend;
import io.delayjob.redisson.internal.ledger.Call;
import io.delayjob.redisson.internal.ledger.Ledger;
import io.delayjob.redisson.internal.ledger.NewJob;
import io.delayjob.redisson.internal.ledger.Settlement;
import io.delayjob.redisson.internal.ledger.ShardId;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.BiFunction;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** This node's side of one shard: its ledger, and a lane for each kind of call that must take effect once. */
final class Shard {

    private final ShardId id;
    private final String node;
    private final Ledger ledger;
    private final ScheduledExecutorService scheduler;

    private final Lane<NewJob> submit;
    private final Lane<String> cancel;
    private final Lane<Ledger.Rescheduled> reschedule;
    private final Lane<String> redrive;
    private final Lane<Settlement.Complete> complete;
    private final Lane<Settlement.Retry> retry;
    private final Lane<Settlement.Bury> bury;
    private final Lane<Settlement.Release> release;

    Shard(ShardId id, Backend backend, EngineSettings settings, ScheduledExecutorService scheduler) {
        this.id = id;
        this.node = settings.node();
        this.ledger = backend.ledger(id);
        this.scheduler = scheduler;
        Duration patience = settings.submitTimeout();
        this.submit = lane("submit", ledger::submit, job -> job.body().length(), patience);
        this.cancel = lane("cancel", ledger::cancel, String::length, patience);
        this.reschedule = lane("reschedule", ledger::reschedule, job -> 1, patience);
        this.redrive = lane("redrive", ledger::redrive, String::length, patience);
        // A run that ended is reported however long Redis is away: until then nobody else can know.
        this.complete = lane("complete", ledger::complete, job -> 1, null);
        this.retry = lane("retry", ledger::retry, job -> job.error().length(), null);
        this.bury = lane("bury", ledger::bury, job -> job.reason().length(), null);
        this.release = lane("release", ledger::release, job -> 1, null);
    }

    private <I> Lane<I> lane(
            String kind,
            BiFunction<Call, List<I>, CompletableFuture<List<Boolean>>> send,
            ToIntFunction<I> weight,
            @Nullable Duration patience) {
        return new Lane<>(laneName(kind), send, weight, patience, scheduler);
    }

    /** A name for a new sender of calls. Never used before, because the numbers of its calls begin anew. */
    String laneName(String kind) {
        return node + ":" + kind + ":" + JobIds.random();
    }

    ShardId id() {
        return id;
    }

    Ledger ledger() {
        return ledger;
    }

    List<CompletableFuture<Boolean>> submit(List<NewJob> jobs) {
        return submit.addAll(jobs);
    }

    CompletableFuture<Boolean> cancel(String jobId) {
        return cancel.add(jobId);
    }

    CompletableFuture<Boolean> reschedule(Ledger.Rescheduled job) {
        return reschedule.add(job);
    }

    CompletableFuture<Boolean> redrive(String jobId) {
        return redrive.add(jobId);
    }

    /** Each call has a lane of its own: it is rare, and several may be under way at once. */
    CompletableFuture<Integer> redriveAll(int limit) {
        return ledger.redriveAll(new Call(laneName("redrive_all"), 1), limit);
    }

    /** Ends a claim; false if it had been lost. */
    CompletableFuture<Boolean> settle(Settlement settlement) {
        if (settlement instanceof Settlement.Complete done) {
            return complete.add(done);
        } else if (settlement instanceof Settlement.Retry failed) {
            return retry.add(failed);
        } else if (settlement instanceof Settlement.Bury given) {
            return bury.add(given);
        }
        return release.add((Settlement.Release) settlement);
    }

    /** Whether every settlement has been answered. */
    boolean settled() {
        return Stream.of(complete, retry, bury, release).allMatch(Lane::idle);
    }
}
