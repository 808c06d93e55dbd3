package io.delayjob.server.internal.events;

import io.delayjob.redisson.events.EventStream;
import io.delayjob.redisson.events.EventStream.Placed;
import io.delayjob.redisson.events.Position;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.springframework.http.codec.ServerSentEvent;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;

/**
 * One who follows events, and how far it has come. Only so much waits for it; what it is too slow for stays in the stream. All but {@link
 * #messages} and {@link #end} is for the thread of {@link Hub} alone.
 */
final class Subscriber {

    private static final int MOST_WAITING = 2 * EventStream.MOST;
    private static final long HEARTBEAT_NANOS = Duration.ofSeconds(15).toNanos();
    private static final long TO_COME_NANOS = Duration.ofMinutes(1).toNanos();

    private final EventFilter filter;
    private final Supplier<CompletableFuture<Boolean>> allowed;
    private final Runnable ended;
    private final ArrayBlockingQueue<ServerSentEvent<String>> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
    private final Sinks.Many<ServerSentEvent<String>> sink =
            Sinks.many().unicast().onBackpressureBuffer(waiting);
    private final AtomicBoolean over = new AtomicBoolean();
    private final long begunNanos = System.nanoTime();

    private Position position = new Position(0, 0);
    private long spokenNanos = System.nanoTime();
    private boolean reading;

    /**
     * A subscriber.
     *
     * @param allowed whether its token is still valid
     * @param ended runs once when it is gone
     */
    Subscriber(EventFilter filter, Supplier<CompletableFuture<Boolean>> allowed, Runnable ended) {
        this.filter = filter;
        this.allowed = allowed;
        this.ended = ended;
    }

    /** The messages to the subscriber. */
    Flux<ServerSentEvent<String>> messages() {
        return sink.asFlux().doFinally(how -> end());
    }

    Position position() {
        return position;
    }

    /** Goes on elsewhere. */
    void moveTo(Position other) {
        position = other;
    }

    /** Sends something that has no place in the stream; nothing if too much waits. */
    void say(ServerSentEvent<String> message) {
        if (sink.tryEmitNext(message) == Sinks.EmitResult.OK) {
            spokenNanos = System.nanoTime();
        }
    }

    /** Takes the next event; false if too much waits. One that it has come past already is left out. */
    boolean take(Placed placed, ServerSentEvent<String> message) {
        if (!placed.at().isAfter(position)) {
            return true;
        }
        if (filter.passes(placed.event())) {
            if (sink.tryEmitNext(message) == Sinks.EmitResult.FAIL_OVERFLOW) {
                return false;
            }
            spokenNanos = System.nanoTime();
        }
        position = placed.at();
        return true;
    }

    /** Whether it may be read for now; then {@link #endRead} says that this has been done. */
    boolean beginRead() {
        if (reading || waiting.remainingCapacity() < EventStream.MOST) {
            return false;
        }
        reading = true;
        return true;
    }

    void endRead() {
        reading = false;
    }

    /** Says that it is still there, if it has said nothing for long. */
    void beat() {
        if (System.nanoTime() - spokenNanos >= HEARTBEAT_NANOS) {
            say(Messages.heartbeat(position));
        }
    }

    /** Whether its token is still valid. */
    CompletableFuture<Boolean> isAllowed() {
        return allowed.get();
    }

    /** Ends it if its token has ended, or if nobody has come for it. */
    void completeUnless(boolean valid) {
        if (!valid || (!isListening() && System.nanoTime() - begunNanos > TO_COME_NANOS)) {
            complete();
        }
    }

    /** Ends the connection when all that waits has been sent. */
    void complete() {
        sink.tryEmitComplete();
        if (!isListening()) {
            end();
        }
    }

    private boolean isListening() {
        return sink.currentSubscriberCount() > 0;
    }

    boolean isOver() {
        return over.get();
    }

    /** Notes that it is gone. */
    void end() {
        if (over.compareAndSet(false, true)) {
            ended.run();
        }
    }
}
