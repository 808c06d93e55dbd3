package io.delayjob.delivery.internal.running;

import io.delayjob.ClaimedJob;
import io.delayjob.DelayJobClaims;
import io.delayjob.JobClaim;
import io.delayjob.JobSettlement;
import io.delayjob.delivery.Binding;
import io.delayjob.delivery.internal.binding.Bound;
import io.delayjob.delivery.spi.DeliveryOutcome;
import io.delayjob.delivery.spi.Transport;
import io.delayjob.support.Logged;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the due jobs of one topic to its target. It claims as many as the target can take now, so what it cannot take waits in its queue,
 * unspent, and in nobody's way. No thread waits: a claim that is parked, a call and a settlement are futures. Thread-safe.
 */
final class Courier {

    private static final Logger log = LoggerFactory.getLogger(Courier.class);

    /** Short, so that a binding that has changed is not claimed for much longer; a parked claim costs Redis nothing more. */
    private static final Duration WAIT = Duration.ofSeconds(20);

    private static final Duration GRACE = Duration.ofSeconds(5);
    private static final long AGAIN_MILLIS = 1000;
    private static final int MOST_SWEPT = 100;
    private static final Duration SWEEP = Duration.ofSeconds(5);

    private final Bound bound;
    private final Binding binding;
    private final Transport transport;
    private final DelayJobClaims claims;
    private final ScheduledExecutorService timer;
    private final Duration obstacleTimeout;
    private final Sightings sightings;
    private final BiConsumer<Binding, String> gone;
    private final CallObserver observer;
    private final Gate gate;
    private @Nullable Courier before;
    private final CompletableFuture<Void> idle = new CompletableFuture<>();
    private int underWay;
    private int hanging;
    private boolean stopped;
    private boolean waking;
    private @Nullable CompletableFuture<List<ClaimedJob>> claim;
    private @Nullable String obstacle;
    private @Nullable Long absentSinceNanos;
    private @Nullable String lastTrouble;

    /**
     * A courier that has claimed nothing.
     *
     * @param before the stopped courier of the same target whose calls may be under way; null if there is none
     */
    Courier(
            Bound bound,
            Transport transport,
            DelayJobClaims claims,
            ScheduledExecutorService timer,
            Duration obstacleTimeout,
            Sightings sightings,
            BiConsumer<Binding, String> gone,
            CallObserver observer,
            @Nullable Courier before) {
        this.bound = bound;
        this.binding = bound.binding();
        this.transport = transport;
        this.claims = claims;
        this.timer = timer;
        this.obstacleTimeout = obstacleTimeout;
        this.sightings = sightings;
        this.gone = gone;
        this.observer = observer;
        this.before = before;
        this.gate = new Gate(binding, this::others);
    }

    /** Whether it delivers what is now bound. */
    boolean serves(Bound now) {
        return now.equals(bound);
    }

    Binding binding() {
        return binding;
    }

    /** Why the target gets nothing now; null if it does. */
    synchronized @Nullable String held() {
        String why = obstacle != null ? obstacle : gate.held();
        return why == null && hanging >= binding.calls() ? "its calls have not ended in their time: " + hanging : why;
    }

    /** How many jobs are on their way to the target. */
    synchronized int underWay() {
        return underWay + others();
    }

    /** Calls that the gate knows nothing of: they hang, or are those of the courier before. */
    private synchronized int others() {
        int jobs = before == null ? 0 : before.underWay();
        if (jobs == 0) {
            before = null;
        }
        return hanging + jobs;
    }

    /** Claims what the target can take now, unless a claim waits already or it is known when to try again. */
    synchronized void claim() {
        if (stopped || waking || claim != null) {
            return;
        }
        Optional<String> inTheWay = obstacle();
        if (inTheWay.isPresent()) {
            obstructed(inTheWay.get());
            return;
        }
        obstacle = null;
        absentSinceNanos = null;
        int free = Math.min(gate.free(), JobClaim.MAX_JOBS);
        if (free > 0) {
            ask(free, WAIT, this::deliver);
        } else {
            Long millis = gate.retryMillis();
            if (millis != null) {
                claimIn(millis);
            }
        }
    }

    /** Whether this node can deliver to the target, as far as its transport knows. */
    boolean isReachable() {
        return obstacle().isEmpty();
    }

    private Optional<String> obstacle() {
        try {
            return transport.obstacle(binding);
        } catch (RuntimeException e) {
            return Optional.of("its transport failed: " + e);
        }
    }

    /** Ends a claim that waits though nothing can be delivered any more. */
    synchronized void look() {
        CompletableFuture<List<ClaimedJob>> waiting = claim;
        if (waiting != null && obstacle == null && obstacle().isPresent()) {
            waiting.cancel(false);
            claim();
        }
    }

    private void ask(int jobs, Duration wait, Consumer<List<ClaimedJob>> use) {
        CompletableFuture<List<ClaimedJob>> asked;
        try {
            asked = claims.claimAsync(JobClaim.of(binding.queue())
                    .withMax(jobs)
                    .withMaxWait(wait)
                    .withLease(binding.timeout().plus(GRACE).plus(GRACE)));
        } catch (IllegalStateException e) {
            // The node stops, or has not started.
            claimIn(AGAIN_MILLIS);
            return;
        }
        claim = asked;
        asked.whenComplete((claimed, failure) -> answered(asked, claimed, failure, use));
    }

    private void answered(
            CompletableFuture<List<ClaimedJob>> asked,
            @Nullable List<ClaimedJob> claimed,
            @Nullable Throwable failure,
            Consumer<List<ClaimedJob>> use) {
        if (claimed != null) {
            use.accept(claimed);
        }
        synchronized (this) {
            // Not before: the gate knows only of jobs that have begun, and another claim would take their places.
            if (claim == asked) {
                claim = null;
            }
        }
        if (claimed != null) {
            claim();
        } else if (failure != null && !(failure instanceof CancellationException)) {
            trouble("its jobs cannot be claimed", failure);
            claimIn(AGAIN_MILLIS);
        }
    }

    /** Nothing can be delivered now. Jobs that have waited too long for a target that nobody can reach are given up. */
    private void obstructed(String why) {
        if (obstacle == null) {
            log.warn("the jobs of topic '{}' wait: {}", binding.topic(), Logged.text(why));
        }
        obstacle = why;
        long left = obstacleTimeout.minus(absent()).toMillis();
        if (left > 0) {
            claimIn(Math.min(AGAIN_MILLIS, left));
        } else {
            giveUpUnlessOthersDeliver(why);
        }
    }

    /** For how long this node has known that nobody is there. */
    private Duration absent() {
        if (!isAbsent()) {
            absentSinceNanos = null;
            return Duration.ZERO;
        }
        long now = System.nanoTime();
        if (absentSinceNanos == null) {
            absentSinceNanos = now;
        }
        return Duration.ofNanos(now - absentSinceNanos);
    }

    private boolean isAbsent() {
        try {
            return transport.isAbsent(binding);
        } catch (RuntimeException e) {
            return false;
        }
    }

    private void giveUpUnlessOthersDeliver(String why) {
        waking = true;
        sightings.has(binding.topic()).whenComplete((seen, failure) -> {
            if (failure != null || seen) {
                wakeIn(SWEEP.toMillis());
            } else {
                sweep(why);
            }
        });
    }

    private synchronized void sweep(String why) {
        waking = false;
        if (!stopped && claim == null) {
            ask(MOST_SWEPT, Duration.ZERO, jobs -> giveUp(jobs, why));
        }
    }

    private void giveUp(List<ClaimedJob> jobs, String why) {
        boolean absent = isAbsent();
        List<JobSettlement> settlements = jobs.stream()
                .<JobSettlement>map(job -> !absent || overdue(job).compareTo(obstacleTimeout) < 0
                        ? new JobSettlement.Release(job.handle())
                        : new JobSettlement.Bury(
                                job.handle(), "it could not be delivered for " + obstacleTimeout + ": " + why))
                .toList();
        boolean more = settlements.stream()
                        .filter(JobSettlement.Bury.class::isInstance)
                        .count()
                == MOST_SWEPT;
        synchronized (this) {
            // Keeps the answer to this claim from asking at once.
            waking = true;
        }
        settle(settlements).whenComplete((done, failure) -> wakeIn(more && failure == null ? 0 : SWEEP.toMillis()));
    }

    /** How long a job had been due when it was claimed. All of these times are Redis', so clocks of nodes do not matter. */
    private static Duration overdue(ClaimedJob job) {
        Instant claimedAt =
                job.leaseEndsAt().minus(Objects.requireNonNullElse(job.options().lease(), Duration.ZERO));
        return Duration.between(job.dueAt(), claimedAt);
    }

    private void deliver(List<ClaimedJob> jobs) {
        jobs.forEach(this::deliver);
    }

    private void deliver(ClaimedJob job) {
        if (!job.topic().equals(binding.topic())) {
            settle(new JobSettlement.Bury(
                    job.handle(),
                    "queue '" + binding.queue() + "' has the jobs of topic '" + binding.topic()
                            + "', which is bound to a target; submit jobs of topic '" + job.topic()
                            + "' to another queue"));
            return;
        }
        if (obstacle().isPresent() || !begin()) {
            settle(new JobSettlement.Release(job.handle()));
            return;
        }
        extended(job).whenComplete((held, failure) -> {
            if (failure != null) {
                giveBack(job);
            } else if (held) {
                call(job);
            } else {
                notMade();
                claim();
            }
        });
    }

    private void call(ClaimedJob job) {
        long begun = System.nanoTime();
        CompletableFuture<DeliveryOutcome> answer =
                CompletableFuture.completedFuture(job).thenCompose(held -> transport.deliver(binding, held));
        answer.copy()
                .orTimeout(binding.timeout().plus(GRACE).toMillis(), TimeUnit.MILLISECONDS)
                .handle((outcome, failure) -> outcome != null ? outcome : failed(failure))
                .thenAccept(outcome -> {
                    keepPlace(answer);
                    ended(job, outcome, System.nanoTime() - begun);
                });
    }

    /** A call that has not ended in its time keeps its place among those of the target until it does. */
    private void keepPlace(CompletableFuture<?> call) {
        if (!call.isDone()) {
            hang(1);
            var unused = call.whenComplete((outcome, failure) -> hang(-1));
        }
    }

    private synchronized void hang(int more) {
        hanging += more;
    }

    /** Gives back a job whose lease Redis did not extend in time. */
    private void giveBack(ClaimedJob job) {
        settle(new JobSettlement.Release(job.handle())).whenComplete((held, failure) -> {
            notMade();
            claimIn(AGAIN_MILLIS);
        });
    }

    /** A call that was not made says nothing of its target. */
    private void notMade() {
        synchronized (this) {
            gate.giveBack();
        }
        settled();
    }

    private synchronized boolean begin() {
        boolean begins = !stopped && gate.begin();
        underWay += begins ? 1 : 0;
        return begins;
    }

    /** A job whose own lease is shorter than a call may take gets a longer one. It was claimed just now, so its lease has just begun. */
    private CompletableFuture<Boolean> extended(ClaimedJob job) {
        Duration lease = job.options().lease();
        Duration needed = binding.timeout().plus(GRACE);
        return lease == null || lease.compareTo(needed) < 0
                ? settle(new JobSettlement.Extend(job.handle(), needed.plus(GRACE)))
                : CompletableFuture.completedFuture(true);
    }

    private DeliveryOutcome failed(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return new DeliveryOutcome.Failed(
                cause instanceof TimeoutException
                        ? "no answer within " + binding.timeout()
                        : cause.getClass().getName() + ": " + cause.getMessage());
    }

    private void ended(ClaimedJob job, DeliveryOutcome outcome, long nanos) {
        boolean opened;
        observer.ended(binding, outcome, nanos);
        synchronized (this) {
            opened = gate.end(outcome, nanos);
        }
        if (opened) {
            log.warn("the jobs of topic '{}' wait: {}", binding.topic(), Logged.text(held()));
        }
        if (outcome instanceof DeliveryOutcome.Gone is) {
            log.error(
                    "topic '{}' is unbound, because its target is gone: {}; its jobs wait in queue '{}' until it is bound again",
                    binding.topic(),
                    Logged.text(is.reason()),
                    binding.queue());
            gone.accept(binding, is.reason());
        }
        if (outcome instanceof DeliveryOutcome.GivenBack back) {
            trouble("a job is given back", back.reason());
            claimIn(AGAIN_MILLIS);
        }
        settle(settlement(job, outcome)).whenComplete((held, failure) -> settled());
        claim();
    }

    private synchronized void settled() {
        underWay--;
        endIfOver();
    }

    private static JobSettlement settlement(ClaimedJob job, DeliveryOutcome outcome) {
        String handle = job.handle();
        if (outcome instanceof DeliveryOutcome.Delivered delivered) {
            return new JobSettlement.Complete(handle, delivered.result());
        }
        if (outcome instanceof DeliveryOutcome.RetryAfter after) {
            return new JobSettlement.Retry(handle, after.delay(), after.reason());
        }
        if (outcome instanceof DeliveryOutcome.Gone || outcome instanceof DeliveryOutcome.GivenBack) {
            return new JobSettlement.Release(handle);
        }
        if (outcome instanceof DeliveryOutcome.Undeliverable never) {
            return new JobSettlement.Bury(handle, never.reason());
        }
        String why = outcome instanceof DeliveryOutcome.Refused refused
                ? refused.reason()
                : ((DeliveryOutcome.Failed) outcome).reason();
        return new JobSettlement.Retry(handle, null, why);
    }

    private CompletableFuture<Boolean> settle(JobSettlement settlement) {
        return settle(List.of(settlement)).thenApply(held -> held.get(0));
    }

    private CompletableFuture<List<Boolean>> settle(List<JobSettlement> settlements) {
        CompletableFuture<List<Boolean>> sent;
        try {
            sent = claims.settleAsync(settlements);
        } catch (RuntimeException e) {
            sent = CompletableFuture.failedFuture(e);
        }
        return sent.whenComplete((held, failure) -> {
            if (failure != null) {
                trouble("what became of a job cannot be stored, so it is delivered again when its lease ends", failure);
            }
        });
    }

    private void trouble(String what, Throwable failure) {
        trouble(what, String.valueOf(failure.getMessage()));
    }

    private synchronized void trouble(String what, String why) {
        String text = what + ": " + why;
        if (!text.equals(lastTrouble)) {
            lastTrouble = text;
            log.warn("topic '{}': {}", binding.topic(), text);
        }
    }

    private synchronized void claimIn(long millis) {
        if (!stopped && !waking) {
            waking = true;
            wakeIn(millis);
        }
    }

    private void wakeIn(long millis) {
        try {
            timer.schedule(this::wake, millis, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            // Delivery has stopped.
            return;
        }
    }

    private void wake() {
        synchronized (this) {
            waking = false;
        }
        claim();
    }

    /** Claims nothing more; completes when what is under way is settled. */
    synchronized CompletableFuture<Void> stop() {
        stopped = true;
        if (claim != null) {
            claim.cancel(false);
        }
        endIfOver();
        return before == null ? idle : CompletableFuture.allOf(idle, before.stop());
    }

    private void endIfOver() {
        if (stopped && underWay == 0 && !idle.isDone()) {
            idle.complete(null);
            transport.unbound(binding);
        }
    }
}
