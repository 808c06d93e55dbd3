package io.delayjob.redisson.internal.history;

import static java.util.stream.Collectors.toMap;

import io.delayjob.engine.ledger.LedgerException;
import io.delayjob.engine.telemetry.QueueTelemetry;
import io.delayjob.engine.telemetry.Telemetry;
import io.delayjob.redisson.history.Counts;
import io.delayjob.redisson.history.HistoryStore;
import io.delayjob.support.Checks;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts what happens on this node, queue by queue, and adds it to the history once a second, one call at a time; no call is made if
 * nothing happened. What Redis was certainly not told stays counted until it answers; what it may have been told is not sent again, because
 * it might be counted twice.
 */
public final class HistoryCounter implements Telemetry, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(HistoryCounter.class);

    private static final Duration PERIOD = Duration.ofSeconds(1);
    private static final Duration TO_CLOSE = Duration.ofSeconds(1);

    private final HistoryStore store;
    private final Map<String, QueueCounter> queues = new ConcurrentHashMap<>();
    private final ScheduledThreadPoolExecutor thread = new ScheduledThreadPoolExecutor(1, work -> {
        Thread made = new Thread(work, "delayjob-history");
        made.setDaemon(true);
        return made;
    });
    private volatile CompletableFuture<Void> underWay = CompletableFuture.completedFuture(null);
    private volatile boolean failing;

    /** Counts for a history. */
    public HistoryCounter(HistoryStore store) {
        this.store = store;
        var unused = thread.scheduleWithFixedDelay(
                this::sendQuietly, PERIOD.toMillis(), PERIOD.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public QueueTelemetry queue(String queue) {
        return Checks.isQueue(queue) ? queues.computeIfAbsent(queue, name -> new QueueCounter()) : QueueTelemetry.NONE;
    }

    @Override
    public QueueTelemetry foreignQueue(String queue) {
        return queue(queue);
    }

    private void sendQuietly() {
        try {
            if (underWay.isDone()) {
                underWay = send();
            }
        } catch (RuntimeException e) {
            log.warn("what happened on this node could not be added to the history", e);
        }
    }

    private CompletableFuture<Void> send() {
        Map<String, Counts> unsent = unsent();
        return unsent.isEmpty()
                ? CompletableFuture.completedFuture(null)
                : store.add(unsent).handle((added, failure) -> {
                    answered(unsent, failure == null ? null : kind(failure), failure);
                    return null;
                });
    }

    private Map<String, Counts> unsent() {
        return queues.entrySet().stream()
                .map(queue -> Map.entry(queue.getKey(), queue.getValue().unsent()))
                .filter(queue -> !queue.getValue().isNothing())
                .limit(HistoryStore.MOST_QUEUES)
                .collect(toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    private void answered(
            Map<String, Counts> counts, LedgerException.@Nullable Kind kind, @Nullable Throwable failure) {
        if (kind != LedgerException.Kind.NOT_RUN) {
            counts.forEach(
                    (queue, happened) -> queues.computeIfPresent(queue, (name, counter) -> counter.sent(happened)));
        }
        if (failure != null && kind != LedgerException.Kind.SHUT_DOWN && !failing) {
            log.warn(
                    "the history of the queues does not have all that happens on this node: {}{}",
                    failure.getMessage(),
                    kind == LedgerException.Kind.NOT_RUN ? "; it is added once Redis answers" : "");
        } else if (failure == null && failing) {
            log.info("the history of the queues has what happens on this node again");
        }
        failing = failure != null;
    }

    private static LedgerException.Kind kind(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return cause instanceof LedgerException known ? known.kind() : LedgerException.Kind.UNKNOWN;
    }

    /** Adds what has happened, for two seconds at most. What happens from now on is not counted. */
    @Override
    public void close() {
        thread.shutdown();
        try {
            // Counts that are under way must not be sent again.
            if (thread.awaitTermination(TO_CLOSE.toMillis(), TimeUnit.MILLISECONDS)) {
                underWay.thenCompose(done -> send()).get(TO_CLOSE.toMillis(), TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            log.debug("the last counts were not added to the history", e);
        }
    }
}
