package io.delayjob.redisson.internal.events;

import io.delayjob.JobEvent;
import io.delayjob.engine.extension.EventTap;
import io.delayjob.engine.extension.QueueChange;
import io.delayjob.engine.ledger.LedgerException;
import io.delayjob.redisson.events.EventStream;
import io.delayjob.redisson.events.StreamedEvent;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the events of this node to the stream, one call at a time, as many in each as have happened meanwhile. Those that happen never
 * wait for it: beyond a limit they are dropped, and the next call says how many.
 *
 * <p>The answer to a call says whether anybody wants events. If not, none is made for a second; the first one after that asks again. So a
 * node costs one small call a second while jobs run, and nothing while none does.
 */
public final class EventSender implements EventTap, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(EventSender.class);

    private static final int MOST_WAITING = 10_000;

    /** So that a call has the events of some attempts, and the thread is not woken for each. */
    private static final Duration PAUSE = Duration.ofMillis(50);

    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);
    private static final Duration TO_CLOSE = Duration.ofSeconds(1);

    private final EventStream stream;
    private final EventText text;
    private final BlockingQueue<StreamedEvent> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
    private final Missed missed = new Missed();
    private final AtomicBoolean underWay = new AtomicBoolean();
    private final ScheduledThreadPoolExecutor thread = thread();
    private final CompletableFuture<Void> emptied = new CompletableFuture<>();

    /** Until then, by this node's monotonic clock, nobody wants events. */
    private volatile long unwantedUntil = System.nanoTime();

    private volatile boolean closing;
    private volatile boolean closed;

    /* Used by the thread alone. */
    private Batch batch = Batch.NONE;
    private Duration pause = PAUSE;
    private boolean refused;

    /** Sends under the name of a node. */
    public EventSender(EventStream stream, String node) {
        this.stream = stream;
        this.text = new EventText(node, () -> Instant.now().truncatedTo(ChronoUnit.MILLIS));
    }

    private static ScheduledThreadPoolExecutor thread() {
        ScheduledThreadPoolExecutor thread = new ScheduledThreadPoolExecutor(1, work -> {
            Thread made = new Thread(work, "delayjob-event-stream");
            made.setDaemon(true);
            return made;
        });
        thread.setKeepAliveTime(10, TimeUnit.SECONDS);
        thread.allowCoreThreadTimeOut(true);
        return thread;
    }

    @Override
    public boolean wants(Class<? extends JobEvent> kind) {
        return StreamedEvent.isSent(kind) && isWanted();
    }

    private boolean isWanted() {
        return !closed && System.nanoTime() - unwantedUntil >= 0;
    }

    @Override
    public void take(JobEvent event) {
        offer(event.queue(), () -> text.of(event));
    }

    @Override
    public void changed(QueueChange change) {
        if (isWanted()) {
            offer(change.queue(), () -> text.of(change));
        }
    }

    private void offer(String queue, Supplier<StreamedEvent> event) {
        try {
            if (!waiting.offer(event.get())) {
                missed.add(queue, 1);
            }
        } catch (RuntimeException e) {
            log.debug("an event of queue {} cannot be sent", queue, e);
            missed.add(queue, 1);
        }
        begin();
    }

    private void begin() {
        if (underWay.compareAndSet(false, true)) {
            sendAfter(closing ? Duration.ZERO : PAUSE);
        }
    }

    private void sendAfter(Duration time) {
        try {
            var unused = thread.schedule(this::send, time.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            closed = true;
        }
    }

    private void send() {
        if (batch.isEmpty()) {
            batch = Batch.next(missed, waiting);
        }
        if (batch.isEmpty()) {
            rest();
            return;
        }
        long asked = System.nanoTime();
        stream.append(batch.sent(text)).whenComplete((wanted, failure) -> {
            try {
                thread.execute(() -> answered(asked, wanted, failure));
            } catch (RejectedExecutionException e) {
                closed = true;
            }
        });
    }

    private void answered(long asked, @Nullable Boolean wanted, @Nullable Throwable failure) {
        if (failure != null) {
            failed(failure);
            return;
        }
        batch = Batch.NONE;
        pause = PAUSE;
        refused = false;
        if (!Boolean.TRUE.equals(wanted)) {
            unwanted(asked);
        }
        goOn();
    }

    /** Events that happened more than a second after the question may be wanted again, and are sent to find out. */
    private void unwanted(long asked) {
        long until = asked + EventStream.UNWANTED.toNanos();
        if (until - System.nanoTime() > 0) {
            unwantedUntil = until;
            waiting.clear();
            missed.clear();
        }
    }

    private void goOn() {
        if (waiting.isEmpty()) {
            rest();
        } else {
            sendAfter(closing || waiting.size() >= EventStream.MOST ? Duration.ZERO : PAUSE);
        }
    }

    private void rest() {
        underWay.set(false);
        if (!waiting.isEmpty()) {
            begin();
        } else if (closing) {
            emptied.complete(null);
        }
    }

    private void failed(Throwable failure) {
        LedgerException.Kind kind = kind(failure);
        if (kind != LedgerException.Kind.NOT_RUN) {
            // It may have run, or never will: a repeat might append the events twice.
            batch.giveUp(missed);
            batch = Batch.NONE;
        }
        if (kind == LedgerException.Kind.REFUSED && !refused) {
            refused = true;
            log.warn("events are not sent to those who follow them: {}", failure.getMessage());
        }
        if (closing || kind == LedgerException.Kind.SHUT_DOWN) {
            closed = true;
            emptied.complete(null);
        } else {
            pause = longer(pause);
            sendAfter(pause);
        }
    }

    private static Duration longer(Duration pause) {
        Duration twice = pause.multipliedBy(2);
        return twice.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : twice;
    }

    private static LedgerException.Kind kind(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return cause instanceof LedgerException known ? known.kind() : LedgerException.Kind.UNKNOWN;
    }

    /** Sends what has happened, for a second at most. What happens from now on is not sent. */
    @Override
    public void close() {
        closing = true;
        begin();
        try {
            emptied.get(TO_CLOSE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            log.debug("the last events were not sent", e);
        }
        closed = true;
        thread.shutdownNow();
    }
}
