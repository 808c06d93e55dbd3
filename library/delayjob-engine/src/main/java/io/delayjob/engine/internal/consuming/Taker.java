package io.delayjob.engine.internal.consuming;

import io.delayjob.engine.internal.actors.Actor;
import io.delayjob.engine.internal.actors.Failures;
import io.delayjob.engine.internal.calls.Futures;
import io.delayjob.engine.internal.calls.Shard;
import io.delayjob.engine.internal.running.Slots;
import io.delayjob.engine.ledger.Call;
import io.delayjob.engine.ledger.ClaimRequest;
import io.delayjob.engine.ledger.Claimed;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.LedgerException;
import io.delayjob.engine.telemetry.QueueTelemetry;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Claims due jobs of a shard and hands them to workers.
 *
 * <p>It claims when the doorbell rings, when its alarm is reached, and at once while more jobs are due. Each claim asks for as many
 * jobs as there are free slots; the ledger alone decides which jobs it gets.
 */
final class Taker extends Actor {

    /*
     * Jobs are claimed shortly before they are due, and begin on this node when they are due. After a claim in a quiet queue, the
     * node that watches sets its alarm to just before the next due time. The holder watches, which also learns of the next job from
     * its feeds, and so does a node that was rung. It has a head start: the other nodes set their alarm later, so that they claim
     * only what was left. A watching node without a free worker rings another node. The alarm goes off after LOOK at the latest, or
     * after a longer time on nodes that take turns; that is how late a job can be if everything else fails. In a busy queue no
     * doorbell rings and all nodes poll.
     */
    private static final Duration WAIT_FOR_WORKER = Duration.ofSeconds(1);

    /** Between two looks at whether settlements are stored again. */
    private static final Duration WAIT_FOR_SETTLEMENTS = Duration.ofMillis(100);

    /** How long a stop waits to give back the jobs that a lost answer handed out. */
    private static final Duration ONCE_MORE = Duration.ofSeconds(1);

    /** How long an unanswered claim may keep workers from the other shards of the queue. */
    private static final Duration HOLD = Duration.ofMillis(100);

    private static final Logger log = LoggerFactory.getLogger(Taker.class);

    private final Shard shard;
    private final String node;
    private final Slots slots;
    private final WakeSignal signal;
    private final Fleet fleet;
    private final DoorbellWatch watch;
    private final SettlementWatch settlements;
    private final FlowWatch flow;
    private final QueueTelemetry telemetry;
    private final long leaseMillis;
    private final long boostMillis;
    private final ObjLongConsumer<Claimed.Job> dispatch;
    private final Runnable passOn;

    private final String lane;
    private final ClaimBytes bytes = new ClaimBytes();
    private long number;
    private @Nullable Pending unanswered;
    /** Whether a try of a claim may still arrive, or may have run, without an answer. */
    private boolean unsure;

    private long askedNanos;
    /** True at the start: jobs that became due before this node started do not mean that the doorbell failed. */
    private boolean moreIsDue = true;

    private boolean rung;
    private boolean byAlarm;
    /** Whether it has not looked for a free worker since it was woken. */
    private boolean awoken;

    private long alarmNanos = System.nanoTime();
    private volatile long aliveNanos = alarmNanos;

    /**
     * A claim that waits for its answer. It is repeated unchanged if the answer is lost, so that the jobs it handed out are not
     * lost.
     */
    private record Pending(Call call, String random) {}

    Taker(
            ServedShard served,
            Duration priorityBoost,
            Slots slots,
            WakeSignal signal,
            QueueTelemetry telemetry,
            ObjLongConsumer<Claimed.Job> dispatch,
            Runnable passOn) {
        super("delayjob-" + served.shard().id() + "-taker", Failures.PATIENT);
        this.shard = served.shard();
        this.node = served.node();
        this.slots = slots;
        this.signal = signal;
        this.fleet = served.fleet();
        this.watch = new DoorbellWatch(shard.id(), telemetry);
        this.settlements = new SettlementWatch(shard);
        this.flow = new FlowWatch(shard.id());
        this.telemetry = telemetry;
        this.leaseMillis = served.lease().toMillis();
        this.boostMillis = priorityBoost.toMillis();
        this.lane = shard.laneName("claim");
        this.dispatch = dispatch;
        this.passOn = passOn;
    }

    @Override
    public void stop() {
        super.stop();
        signal.close();
    }

    @Override
    protected void step() throws InterruptedException {
        if (!moreIsDue) {
            rung = signal.await(alarmNanos);
            byAlarm = !rung;
            awoken = true;
            moreIsDue = true;
            return;
        }
        int free = awaitFree();
        if (free > 0) {
            takeUpTo(free);
        }
    }

    /** Why nothing is handed out; null if that is not so. */
    @Nullable String fullFlow() {
        return flow.fault();
    }

    /** When it last got an answer or found no free worker; a {@link System#nanoTime}. */
    long aliveNanos() {
        return aliveNanos;
    }

    /** Waits for free slots and takes them; none if this is stopped. */
    private int awaitFree() throws InterruptedException {
        int free = takeFree();
        if (free == 0 && awoken && isForAnother()) {
            passOn.run();
        }
        awoken = false;
        while (free == 0 && !isStopped()) {
            byAlarm = false;
            aliveNanos = System.nanoTime();
            if (settlements.holds()) {
                pause(WAIT_FOR_SETTLEMENTS);
            } else {
                slots.awaitFree(WAIT_FOR_WORKER);
            }
            free = takeFree();
        }
        return free;
    }

    /** Whether another node has to hear of what woke this one, if no worker is free here. */
    private boolean isForAnother() {
        return rung ? fleet.hasOthers() : fleet.isHolder();
    }

    private int takeFree() {
        return settlements.holds() ? 0 : slots.take(Ledger.MAX_BATCH);
    }

    private void takeUpTo(int free) throws InterruptedException {
        int held = free;
        int taken = 0;
        try {
            CompletableFuture<Claimed> answer = claim(free, bytes.most());
            if (!Futures.isDoneWithin(HOLD, answer)) {
                // Only the master of this shard may be silent, so other shards get the workers. Jobs that this claim
                // still hands out wait for a worker.
                slots.giveBack(held);
                held = 0;
            }
            Claimed claimed = answered(answer);
            taken = claimed.jobs().size();
            claimed.jobs().forEach(job -> dispatch.accept(job, askedNanos));
            plan(claimed);
        } finally {
            slots.giveBack(held - taken);
        }
    }

    /** Gives back the jobs of a claim whose answer was lost, which would otherwise wait until their leases end. */
    @Override
    protected void ended() {
        if (unanswered == null || !unsure) {
            return;
        }
        try {
            if (!Futures.isDoneWithin(ONCE_MORE, claim(1, 0))) {
                log.debug("jobs that the last claim of {} may have handed out wait until their leases end", lane);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private CompletableFuture<Claimed> claim(int limit, int maxBytes) {
        Pending claim = unanswered;
        if (claim == null) {
            String random = Long.toUnsignedString(ThreadLocalRandom.current().nextLong(), 36);
            claim = new Pending(new Call(lane, ++number), random);
            unanswered = claim;
        }
        // The time of the latest try: a repeat gives fresh leases.
        askedNanos = System.nanoTime();
        return shard.ledger()
                .claim(
                        claim.call(),
                        new ClaimRequest(
                                node,
                                node,
                                new ClaimRequest.Limits(limit, slots.total(), maxBytes),
                                leaseMillis,
                                claim.random(),
                                unsure,
                                fleet.isMixed(),
                                (int) fleet.ahead().toMillis(),
                                boostMillis));
    }

    private Claimed answered(CompletableFuture<Claimed> answer) {
        try {
            Claimed claimed = Futures.await(answer);
            unanswered = null;
            unsure = false;
            bytes.answered();
            aliveNanos = System.nanoTime();
            fleet.claimed(claimed);
            flow.claimed(claimed.mode());
            signal.claimed();
            telemetry.claimed(claimed.jobs().size(), aliveNanos - askedNanos);
            return claimed;
        } catch (LedgerException e) {
            // Jobs that are late after an outage do not mean that the doorbell failed.
            byAlarm = false;
            if (e.kind() == LedgerException.Kind.UNKNOWN) {
                unsure = true;
                bytes.unanswered();
            }
            if (e.kind() == LedgerException.Kind.GARBLED) {
                unanswered = null;
            }
            throw e;
        }
    }

    private void plan(Claimed claimed) {
        if (byAlarm) {
            watch.alarmFound(claimed);
            byAlarm = false;
        }
        Long next = claimed.nextMillis();
        moreIsDue = next != null && next == 0;
        alarmNanos = System.nanoTime() + fleet.untilNext(claimed, isWatching()).toNanos();
    }

    /** Whether this node watches for the next job, because it was rung or is the holder. The others claim only what is left. */
    private boolean isWatching() {
        return rung || fleet.isHolder();
    }
}
