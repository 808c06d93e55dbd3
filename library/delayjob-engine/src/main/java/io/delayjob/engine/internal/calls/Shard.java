package io.delayjob.engine.internal.calls;

import io.delayjob.ActionResult;
import io.delayjob.Limits;
import io.delayjob.SubmitResult;
import io.delayjob.engine.internal.records.JobIds;
import io.delayjob.engine.ledger.Backend;
import io.delayjob.engine.ledger.Call;
import io.delayjob.engine.ledger.Edge;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.LedgerException;
import io.delayjob.engine.ledger.NewJob;
import io.delayjob.engine.ledger.Pointer;
import io.delayjob.engine.ledger.Pointers;
import io.delayjob.engine.ledger.Settlement;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.engine.settings.EngineSettings;
import io.delayjob.engine.settings.LimitShares;
import io.delayjob.engine.settings.QueueSettings;
import java.time.Duration;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** This node's access to one shard: its ledger, and a lane for each kind of call that must take effect once. */
public final class Shard {

    /** The shortest time between two calls that complete jobs. No caller waits for them, so they can share calls. */
    private static final Duration COMPLETES_APART = Duration.ofMillis(3);

    /**
     * Jobs that a journal has are left to it after a short time. Their calls are never repeated: by the time of a repeat, a job may have
     * been stored by the first try, and have run, and the memo that tells of that may be gone if this process stood still in between.
     */
    private static final Lane.Terms JOURNALED = new Lane.Terms(Duration.ofMillis(400), false, Duration.ZERO);

    /** The assumed length of a record, in characters, where the caller does not know it; it is copied if the queue retains the job. */
    public static final int ASSUMED_RECORD = 10_000;

    /** The edges of settlements; each has a script and a lane of its own. */
    private static final Set<Edge> SETTLEMENTS = EnumSet.of(Edge.COMPLETE, Edge.RETRY, Edge.BURY, Edge.RELEASE);

    /** How long a settlement must be refused before the node counts as unable to settle: a few tries. */
    private static final Duration REFUSED = Duration.ofSeconds(1);

    /** How long a settlement must be unanswered before the node counts as unable to settle. */
    private static final Duration UNANSWERED = Duration.ofSeconds(5);

    private final ShardId id;
    private final String node;
    private final Ledger ledger;
    private final ScheduledExecutorService scheduler;

    private final Limits declaredLimits;
    private final Submits submits;
    private final Lane<NewJob, SubmitResult> journaled;
    private final Lane<Pointers.Wanted, Optional<Pointer>> point;
    private final Lane<Pointer, Boolean> revoke;
    private final Lane<String, ActionResult> cancel;
    private final Lane<Ledger.Rescheduled, ActionResult> reschedule;
    private final Lane<String, ActionResult> redrive;
    private final Lane<String, ActionResult> purge;
    private final Lane<Ledger.Renewal, Boolean> extend;
    private final Lane<Ledger.Report, Boolean> report;
    private final Map<Edge, Lane<Settlement, Boolean>> settlements = new EnumMap<>(Edge.class);

    public Shard(ShardId id, Backend backend, EngineSettings settings, ScheduledExecutorService scheduler) {
        this.id = id;
        this.node = settings.node();
        QueueSettings queue = settings.queues().of(id.queue());
        this.ledger = backend.ledger(id, queue.retention(), queue.replication());
        this.declaredLimits = LimitShares.share(queue.limits(), id.number(), queue.shards());
        boolean retains = queue.retention().keeps();
        this.scheduler = scheduler;
        Duration timeout = settings.submitting().timeout();
        this.submits = new Submits(
                unknown -> lane(
                        "submit",
                        ledger::submit,
                        job -> job.content().record().length(),
                        Lane.Terms.within(timeout),
                        unknown),
                ledger::outcome,
                scheduler);
        this.journaled =
                lane("journaled", ledger::submit, job -> job.content().record().length(), JOURNALED, null);
        this.point = lane("point", (call, wanted) -> ledger.pointers().point(wanted), one -> 1, timeout);
        this.revoke = lane("revoke", (call, pointers) -> ledger.pointers().revoke(pointers), one -> 1, timeout);
        this.cancel = lane("cancel", ledger::cancel, jobId -> retains ? ASSUMED_RECORD : jobId.length(), timeout);
        this.reschedule = lane("reschedule", ledger::reschedule, job -> 1, timeout);
        this.redrive = lane("redrive", ledger::redrive, String::length, timeout);
        this.purge = lane("purge", ledger::purge, String::length, timeout);
        this.extend = lane("extend", (call, renewals) -> ledger.renew(renewals), job -> 1, timeout);
        this.report = lane("report", (call, reports) -> ledger.report(reports), job -> 1, timeout);
        for (Edge edge : SETTLEMENTS) {
            settlements.put(edge, settlements(edge, retains));
        }
    }

    /** A settlement is repeated however long Redis is away, because only this node knows how the run ended. */
    private Lane<Settlement, Boolean> settlements(Edge edge, boolean retains) {
        Duration apart = edge == Edge.COMPLETE ? COMPLETES_APART : Duration.ZERO;
        return new Lane<>(
                () -> laneName(edge.script()),
                ledger::settle,
                settlement -> weight(settlement, retains),
                new Lane.Terms(null, true, apart),
                null,
                scheduler);
    }

    private static int weight(Settlement settlement, boolean retains) {
        int copied = retains && settlement instanceof Settlement.Complete done ? done.recordLength() : 0;
        return 1 + settlement.length() + copied;
    }

    private <I, A> Lane<I, A> lane(
            String kind,
            BiFunction<Call, List<I>, CompletableFuture<List<A>>> send,
            ToIntFunction<I> weight,
            @Nullable Duration timeout) {
        return lane(kind, send, weight, Lane.Terms.within(timeout), null);
    }

    private <I, A> Lane<I, A> lane(
            String kind,
            BiFunction<Call, List<I>, CompletableFuture<List<A>>> send,
            ToIntFunction<I> weight,
            Lane.Terms terms,
            @Nullable BiConsumer<Batch<I, A>, BitSet> unknown) {
        return new Lane<>(() -> laneName(kind), send, weight, terms, unknown, scheduler);
    }

    /** A new name for a sender of calls. Always unused, because the numbers of its calls start from the beginning. */
    public String laneName(String kind) {
        return node + ":" + kind + ":" + JobIds.random();
    }

    public ShardId id() {
        return id;
    }

    public Ledger ledger() {
        return ledger;
    }

    /** The shard's share of the limits that the queue has by this node's settings. */
    public Limits declaredLimits() {
        return declaredLimits;
    }

    public List<CompletableFuture<SubmitResult>> submit(List<NewJob> jobs) {
        return submit(jobs, submits.deadline());
    }

    /** Submits jobs with a deadline, a {@link System#nanoTime}. */
    public List<CompletableFuture<SubmitResult>> submit(List<NewJob> jobs, long deadlineNanos) {
        return submits.addAll(jobs, deadlineNanos);
    }

    /** When a submit that begins now ends, a {@link System#nanoTime}. */
    public long submitDeadline() {
        return submits.deadline();
    }

    /** Points an id of this shard to another one, see {@link Pointers#point}. */
    public CompletableFuture<Optional<Pointer>> point(Pointers.Wanted wanted, long deadlineNanos) {
        return point.add(wanted, deadlineNanos);
    }

    /** Revokes a pointer to this shard, see {@link Pointers#revoke}. */
    public CompletableFuture<Boolean> revoke(Pointer pointer, long deadlineNanos) {
        return revoke.add(pointer, deadlineNanos);
    }

    /** Submits jobs that a journal has, and that it brings here later if this fails. */
    public List<CompletableFuture<SubmitResult>> submitJournaled(List<NewJob> jobs) {
        return Bulk.send(journaled, jobs, journaled.deadline());
    }

    public CompletableFuture<ActionResult> cancel(String jobId) {
        return cancel.add(jobId);
    }

    public CompletableFuture<ActionResult> reschedule(Ledger.Rescheduled job) {
        return reschedule.add(job);
    }

    public CompletableFuture<ActionResult> redrive(String jobId) {
        return redrive.add(jobId);
    }

    public CompletableFuture<ActionResult> purge(String jobId) {
        return purge.add(jobId);
    }

    /** Each call has a lane of its own: it is rare, and several may be under way at once. */
    public CompletableFuture<List<String>> redriveAll(int limit, long startMicros, long spacingMicros) {
        return ledger.redriveAll(new Call(laneName("redrive_all"), 1), limit, startMicros, spacingMicros);
    }

    /** Each call has a lane of its own: it is rare, and several may be under way at once. */
    public CompletableFuture<Integer> purgeDead(long olderThanMillis, int limit) {
        return ledger.purgeDead(new Call(laneName("purge_dead"), 1), olderThanMillis, limit);
    }

    /** Extends a lease; answers false if it was lost. */
    public CompletableFuture<Boolean> extend(Ledger.Renewal lease) {
        return extend.add(lease);
    }

    public CompletableFuture<Boolean> report(Ledger.Report progress) {
        return report.add(progress);
    }

    /** Settles a job; answers false if its lease was lost. */
    public CompletableFuture<Boolean> settle(Settlement settlement) {
        return Objects.requireNonNull(settlements.get(settlement.edge())).add(settlement);
    }

    /** Whether all settlements have been answered. */
    public boolean settled() {
        return settlements.values().stream().allMatch(Lane::idle);
    }

    /** Why settlements have not been stored for a while; null if they are. */
    public @Nullable LedgerException obstacle() {
        return settlements.values().stream()
                .map(lane -> lane.obstacle(REFUSED, UNANSWERED))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    /** Whether no call is under way and no submit is remembered. */
    boolean idle() {
        return submits.idle()
                && settled()
                && Stream.of(journaled, point, revoke, cancel, reschedule, redrive, purge, extend, report)
                        .allMatch(Lane::idle);
    }
}
