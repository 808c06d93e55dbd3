package io.delayjob.engine.internal.recurring;

import io.delayjob.engine.internal.actors.Failures;
import io.delayjob.engine.internal.calls.Futures;
import io.delayjob.engine.internal.calls.Shard;
import io.delayjob.engine.internal.running.Node;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.LedgerException;
import io.delayjob.engine.ledger.Schedules;
import io.delayjob.engine.ledger.Schedules.Decision;
import io.delayjob.engine.ledger.Schedules.Fired;
import io.delayjob.engine.ledger.Schedules.Found;
import io.delayjob.engine.ledger.Schedules.Occurrence;
import io.delayjob.engine.ledger.Schedules.Proposal;
import io.delayjob.engine.ledger.Schedules.Skip;
import io.delayjob.engine.ledger.StoredSchedule;
import io.delayjob.engine.telemetry.QueueTelemetry;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/*
 * The feeds of the holder say when the next instant of the shard comes. Then this reads the schedules whose instants have come, and proposes
 * what becomes of them; the ledger decides each instant once, so that it does not matter if two nodes think that they are the holder,
 * or if a call is repeated or lost. Instants stay due until they are decided, so the next holder goes on where one stopped.
 */
/** Fires the schedules of one shard, on the node that is the holder. Thread-safe. */
public final class ShardSchedules implements ScheduleWatch {

    private static final Logger log = LoggerFactory.getLogger(ShardSchedules.class);

    /** An alarm is set for instants that come within this time; of later ones a feed tells in time. */
    private static final long HORIZON_MILLIS = 3000;

    /** The most schedules in one round. */
    private static final int MOST = 100;

    /** About as many characters as the proposals of one round have at most. */
    private static final long MOST_CHARACTERS = 512 * 1024L;

    private static final Set<Decision> PROGRESS =
            EnumSet.of(Decision.STORED, Decision.SKIPPED, Decision.OVERLAP, Decision.EXISTS, Decision.DEATHS);

    private final Shard shard;
    private final Node node;
    private final QueueTelemetry telemetry;
    private final DefinitionCodec definitions = new DefinitionCodec();
    private final Failures failures;
    private final Set<String> warned = ConcurrentHashMap.newKeySet();
    private boolean holds;
    private boolean underWay;
    private @Nullable ScheduledFuture<?> alarm;

    /** The schedules of a shard whose jobs this node runs or claims. */
    public ShardSchedules(Shard shard, Node node) {
        this.shard = shard;
        this.node = node;
        this.telemetry = node.hooks().telemetries().of(shard.id().queue());
        this.failures = new Failures("delayjob-" + shard.id() + "-schedules", Failures.PATIENT);
    }

    @Override
    public synchronized void heard(@Nullable Long untilMillis) {
        holds = untilMillis != null;
        cancelAlarm();
        if (untilMillis != null && untilMillis <= HORIZON_MILLIS && !underWay) {
            alarmIn(untilMillis);
        }
    }

    /** A sentence about failures in a row to decide instants; null if there are none, or only a few. */
    public @Nullable String fault() {
        return failures.fault();
    }

    private void cancelAlarm() {
        if (alarm != null) {
            alarm.cancel(false);
            alarm = null;
        }
    }

    private void alarmIn(long millis) {
        try {
            alarm = node.scheduler().schedule(this::round, millis, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            // The engine is closed.
            holds = false;
        }
    }

    private void round() {
        synchronized (this) {
            if (!holds || underWay) {
                return;
            }
            underWay = true;
        }
        fireDue(node.planner()).whenComplete(this::over);
    }

    private synchronized void over(@Nullable Fired fired, @Nullable Throwable failure) {
        underWay = false;
        if (fired == null) {
            failed(Futures.ledgerException(failure == null ? new IllegalStateException() : failure));
            return;
        }
        failures.over();
        Long next = fired.nextMillis();
        if (holds && next != null && next <= HORIZON_MILLIS && (next > 0 || hasDecided(fired))) {
            cancelAlarm();
            alarmIn(next);
        }
    }

    /** Logs a failure; the next feed leads to another round. */
    private void failed(LedgerException failure) {
        if (failure.kind() != LedgerException.Kind.SHUT_DOWN) {
            var unused = failures.add(failure);
        }
    }

    /** Whether a round decided anything. If not, due instants wait for the next feed, and not for another round at once. */
    private static boolean hasDecided(Fired fired) {
        return fired.decisions().stream().anyMatch(PROGRESS::contains);
    }

    /**
     * Decides instants that have come, of at most 100 schedules.
     *
     * @param planner computes the instants, away from the thread that reads answers
     */
    public CompletableFuture<Fired> fireDue(Executor planner) {
        return fireDue(0, planner);
    }

    private CompletableFuture<Fired> fireDue(int skipped, Executor planner) {
        Schedules schedules = shard.ledger().schedules();
        return Futures.call(() -> schedules.due(skipped, MOST))
                .thenApplyAsync(this::plan, planner)
                .thenCompose(plan -> {
                    if (!plan.proposals().isEmpty()) {
                        return new Firing(shard, node.hooks().events())
                                .fire(plan.proposals())
                                .thenApply(fired -> told(plan, fired));
                    }
                    // Schedules that do not fire here must not keep back those that are due after them.
                    return plan.found().schedules().size() == MOST
                            ? fireDue(skipped + MOST, planner)
                            : CompletableFuture.completedFuture(
                                    new Fired(List.of(), plan.found().nextMillis()));
                });
    }

    private Fired told(Plan plan, Fired fired) {
        for (int i = 0; i < plan.proposals().size(); i++) {
            tell(plan.proposals().get(i), fired.decisions().get(i), plan.found().nowMillis());
        }
        return fired;
    }

    private void tell(Proposal proposal, Decision decision, long nowMillis) {
        switch (decision) {
            case STORED -> telemetry.fired(nowMillis - proposal.instantMillis());
            case SKIPPED -> {
                if (proposal.outcome() instanceof Skip skip) {
                    telemetry.skipped(skip.reason(), skip.instants());
                }
            }
            case OVERLAP, EXISTS -> telemetry.skipped(decision.name(), 1);
            case DEATHS -> {
                telemetry.skipped(decision.name(), 1);
                log.warn(
                        "schedule '{}' has paused itself: as many of its jobs in a row are dead as its pauseAfter says. Look at their"
                                + " errors, and resume it",
                        proposal.schedule());
            }
            case WAITS, DECIDED, OTHER_VERSION, PAUSED, EARLY, GONE -> {
                // Nothing was decided.
            }
        }
    }

    /**
     * The proposals of a round.
     *
     * @param found the schedules that were looked at
     */
    private record Plan(List<Proposal> proposals, Found found) {}

    private Plan plan(Found found) {
        List<Proposal> all = new ArrayList<>();
        long characters = 0;
        for (StoredSchedule stored : found.schedules()) {
            for (Proposal one : plan(stored, found.nowMillis())) {
                characters += characters(one);
                if (all.size() == Ledger.MAX_BATCH || (!all.isEmpty() && characters > MOST_CHARACTERS)) {
                    return new Plan(all, found);
                }
                all.add(one);
            }
        }
        return new Plan(all, found);
    }

    private static long characters(Proposal proposal) {
        return proposal.outcome() instanceof Occurrence job
                ? job.content().record().length()
                : 0;
    }

    private List<Proposal> plan(StoredSchedule stored, long nowMillis) {
        try {
            Definition definition = definitions.read(stored.name(), stored.definition());
            if (node.queues().shard(shard.id().queue(), definition.place()).id().equals(shard.id())) {
                return Planner.proposals(stored, definition, nowMillis, shard.id(), node.queues());
            }
            warnOnce(
                    stored,
                    "it was stored when the queue had another number of shards. Remove it and put it again, with the present number on"
                            + " all nodes");
            return List.of();
        } catch (RuntimeException e) {
            warnOnce(stored, String.valueOf(e.getMessage()));
            return List.of();
        }
    }

    private void warnOnce(StoredSchedule stored, String why) {
        if (warned.size() < MOST && warned.add(stored.name() + stored.version())) {
            log.warn(
                    "schedule '{}' does not fire while this node is the holder of {}: {}",
                    stored.name(),
                    shard.id(),
                    why);
        }
    }
}
