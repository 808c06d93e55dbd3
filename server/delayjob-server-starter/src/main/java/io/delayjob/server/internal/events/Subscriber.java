package io.delayjob.server.internal.events;

import io.delayjob.redisson.events.EventStream;
import io.delayjob.redisson.events.Position;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
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
    /** How many messages wait. */
    private final AtomicInteger waiting = new AtomicInteger();

    private final Sinks.Many<List<String>> sink = Sinks.many().unicast().onBackpressureBuffer();
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

    /** The texts of messages to the subscriber. Those that came together are to be written together; each takes room until it is asked for. */
    Flux<Flux<String>> messages() {
        return sink.asFlux()
                .doFinally(how -> end())
                .map(messages -> Flux.fromIterable(messages).doOnNext(message -> waiting.decrementAndGet()));
    }

    Position position() {
        return position;
    }

    /** Goes on elsewhere. */
    void moveTo(Position other) {
        position = other;
    }

    /** Sends a message that has no place in the stream; nothing if too much waits. */
    void say(String message) {
        send(List.of(message));
    }

    /** Takes the next events, all or none; false if too much waits. Those that it has come past already are left out. */
    boolean take(List<Message> next) {
        List<Message> unknown =
                next.stream().filter(message -> message.at().isAfter(position)).toList();
        List<String> its = unknown.stream()
                .filter(message -> filter.passes(message.event()))
                .map(Message::text)
                .toList();
        if (!its.isEmpty() && !send(its)) {
            return false;
        }
        if (!unknown.isEmpty()) {
            position = unknown.get(unknown.size() - 1).at();
        }
        return true;
    }

    /** False if too much waits. To one that is gone, everything can be sent. */
    private boolean send(List<String> messages) {
        if (waiting.get() + messages.size() > MOST_WAITING) {
            return false;
        }
        waiting.addAndGet(messages.size());
        sink.tryEmitNext(messages);
        spokenNanos = System.nanoTime();
        return true;
    }

    /** Whether it may be read for now: it has room for the most that a read gets, and for a gap. Then {@link #endRead} says that this has been done. */
    boolean beginRead() {
        if (reading || MOST_WAITING - waiting.get() <= EventStream.MOST) {
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
