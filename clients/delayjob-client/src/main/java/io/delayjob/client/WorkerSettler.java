package io.delayjob.client;

import io.delayjob.JobSettlement;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Sends the settlements of a worker: one request at a time, with all that have gathered meanwhile. Waits out a server that does not answer. Thread-safe. */
final class WorkerSettler {

    private static final int MOST = 1000;

    private final HttpDelayJobClaims claims;
    private final Supplier<Duration> firstTry;
    private final Queue<Waiting> waiting = new ArrayDeque<>();
    private boolean sending;
    private volatile @Nullable Long endNanos;

    /** One that waits for its answer. */
    private record Waiting(JobSettlement settlement, CompletableFuture<Boolean> lost) {

        boolean replaces(Waiting earlier) {
            return earlier.settlement() instanceof JobSettlement.Report report
                    && report.handle().equals(settlement.handle());
        }

        /** If a settlement was sent more than once, an earlier try may have ended the attempt. An extension ends none. */
        void answer(boolean applied, boolean repeated) {
            lost.complete(!applied && (!repeated || settlement instanceof JobSettlement.Extend));
        }
    }

    /**
     * Sends by claims.
     *
     * @param firstTry says how long each of the first tries of a request may take. A server that is slow rather than silent gets longer for all that follow
     */
    WorkerSettler(HttpDelayJobClaims claims, Supplier<Duration> firstTry) {
        this.claims = claims;
        this.firstTry = firstTry;
    }

    /** From now on a server that does not answer is waited for only so long. */
    void endWithin(Duration time) {
        endNanos = System.nanoTime() + time.toNanos();
    }

    /** Sends a settlement. The answer is whether the job is lost, as far as is known; it fails if the server refuses the settlement. */
    CompletableFuture<Boolean> settle(JobSettlement settlement) {
        Waiting one = new Waiting(settlement, new CompletableFuture<>());
        if (isFirst(one)) {
            sendNext();
        }
        return one.lost();
    }

    /** Of the reports of a job that wait, the last is sent: an outage would gather any number of them. */
    private synchronized boolean isFirst(Waiting one) {
        if (one.settlement() instanceof JobSettlement.Report) {
            waiting.removeIf(one::replaces);
        }
        waiting.add(one);
        boolean first = !sending;
        sending = true;
        return first;
    }

    private synchronized List<Waiting> next() {
        List<Waiting> batch = new ArrayList<>();
        while (batch.size() < MOST && !waiting.isEmpty()) {
            batch.add(waiting.remove());
        }
        sending = !batch.isEmpty();
        return batch;
    }

    private void sendNext() {
        List<Waiting> batch = next();
        if (!batch.isEmpty()) {
            send(batch, false).whenCompleteAsync((sent, failure) -> sendNext(), Threads.CALLBACKS);
        }
    }

    private CompletableFuture<?> send(List<Waiting> batch, boolean again) {
        Call<List<Boolean>> call;
        try {
            call = claims.settlement(batch.stream().map(Waiting::settlement).toList(), again ? null : firstTry.get());
        } catch (IllegalArgumentException e) {
            return sendAgain(batch, e, again);
        }
        return call.begin()
                .thenAccept(applied -> answer(batch, applied, again || call.isRepeated()))
                .exceptionallyComposeAsync(
                        failure -> sendAgain(batch, CallException.causeOf(failure), again || call.isRepeated())
                                .thenApply(sent -> null),
                        Threads.CALLBACKS);
    }

    private static void answer(List<Waiting> batch, List<Boolean> applied, boolean repeated) {
        for (int i = 0; i < batch.size(); i++) {
            batch.get(i).answer(applied.get(i), repeated);
        }
    }

    /**
     * If the server refuses the request, each half is sent by itself, so that one settlement that is not valid stops no other.
     *
     * @param again whether an earlier try may have been applied
     */
    private CompletableFuture<?> sendAgain(List<Waiting> batch, Throwable failure, boolean again) {
        if (isRefusal(failure) && batch.size() > 1) {
            int half = batch.size() / 2;
            return send(batch.subList(0, half), again)
                    .thenCompose(sent -> send(batch.subList(half, batch.size()), again));
        } else if (failure instanceof CallException call && call.mayPass() && !isOver()) {
            return CompletableFuture.runAsync(
                            () -> {},
                            CompletableFuture.delayedExecutor(
                                    call.pause().toNanos(), TimeUnit.NANOSECONDS, Threads.CALLBACKS))
                    .thenCompose(paused -> send(batch, true));
        }
        batch.forEach(one -> one.lost().completeExceptionally(failure));
        return CompletableFuture.completedFuture(null);
    }

    private static boolean isRefusal(Throwable failure) {
        return failure instanceof IllegalArgumentException
                || (failure instanceof CallException call && call.isInvalid());
    }

    private boolean isOver() {
        Long end = endNanos;
        return end != null && System.nanoTime() - end > 0;
    }
}
