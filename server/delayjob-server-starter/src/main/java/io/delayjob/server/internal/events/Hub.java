package io.delayjob.server.internal.events;

import io.delayjob.DelayJobException;
import io.delayjob.redisson.events.EventStream;
import io.delayjob.redisson.events.EventStream.Page;
import io.delayjob.redisson.events.EventStream.Wanted;
import io.delayjob.redisson.events.Position;
import io.delayjob.server.Access;
import io.delayjob.server.internal.web.Failures;
import io.delayjob.server.limits.Limits;
import io.delayjob.server.limits.Places;
import io.delayjob.server.web.Problem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Reads the stream once for all subscribers of this server. Those who come back, and those who are too slow, are behind: each reads the
 * stream for itself, as far as it has room, until it has caught up with the others. So none needs more than a bounded number of events in
 * memory, and none misses one that the stream still has.
 *
 * <p>One thread has all of its state.
 */
public final class Hub implements SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(Hub.class);

    private static final Duration LOOK = Duration.ofMillis(100);
    private static final long CHECK_NANOS = Duration.ofSeconds(1).toNanos();
    private static final long WANT_NANOS = Duration.ofMinutes(1).toNanos();
    private static final long AFTER_A_FAILURE_NANOS = Duration.ofSeconds(1).toNanos();

    private static final long AGAIN_SECONDS = 10;

    private final EventStream stream;
    private final int mostSubscribers;
    private final int mostOfCaller;
    private final int kept;
    private final Places subscribers;
    private final ScheduledThreadPoolExecutor thread = thread();
    private volatile boolean running;

    /* Used by the thread alone. */
    private final Set<Subscriber> current = new LinkedHashSet<>();
    private final Set<Subscriber> behind = new LinkedHashSet<>();
    private @Nullable Position position;
    private @Nullable ScheduledFuture<?> looks;
    private boolean reading;
    private boolean failing;
    private long failedNanos = System.nanoTime() - AFTER_A_FAILURE_NANOS;
    private long checkedNanos = System.nanoTime();
    private long wantedNanos = System.nanoTime();

    /**
     * A hub without subscribers.
     *
     * @param mostSubscribers how many it may have at once
     * @param mostOfCaller how many of them may be of one caller
     * @param kept how many events the stream keeps, more or less
     */
    public Hub(EventStream stream, int mostSubscribers, int mostOfCaller, int kept) {
        this.stream = stream;
        this.mostSubscribers = mostSubscribers;
        this.mostOfCaller = mostOfCaller;
        this.subscribers = new Places(mostSubscribers, mostOfCaller);
        this.kept = kept;
    }

    private static ScheduledThreadPoolExecutor thread() {
        ScheduledThreadPoolExecutor thread = new ScheduledThreadPoolExecutor(1, work -> {
            Thread made = new Thread(work, "delayjob-subscribers");
            made.setDaemon(true);
            return made;
        });
        thread.setKeepAliveTime(10, TimeUnit.SECONDS);
        thread.allowCoreThreadTimeOut(true);
        thread.setRemoveOnCancelPolicy(true);
        return thread;
    }

    @Override
    public void start() {
        running = true;
    }

    /** Ends all connections, so that subscribers go on at another server. */
    @Override
    public void stop() {
        running = false;
        thread.execute(() -> all().forEach(Subscriber::complete));
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /**
     * Adds a subscriber, as soon as every node knows that events are wanted.
     *
     * @param after the place after which its events are; null for now
     * @param access of its caller
     */
    Mono<Flux<Flux<String>>> open(EventFilter filter, @Nullable Position after, Access access) {
        return Mono.defer(() -> {
            enter(access);
            Subscriber subscriber =
                    new Subscriber(filter, access.stillValid(), () -> subscribers.leave(access.caller()));
            return Mono.fromFuture(() -> stream.want(kept))
                    .delayUntil(wanted -> Mono.delay(untilAllNodesKnow(wanted)))
                    .map(wanted -> begin(subscriber, after, wanted.end()))
                    .doOnError(failure -> subscriber.end())
                    .doOnCancel(subscriber::end);
        });
    }

    private void enter(Access access) {
        if (!running) {
            throw new IllegalStateException("this server is stopping");
        }
        switch (subscribers.take(access.caller())) {
            case ALL_TAKEN ->
                throw Problem.TOO_MANY_SUBSCRIBERS.with(("this server has %d subscribers, as many as"
                                + " delayjob.server.events.max-subscribers allows; try again later, or ask another server")
                        .formatted(mostSubscribers));
            case CALLER_HAS_ALL ->
                throw Problem.thrown(Problem.tooMany(
                        "%s follows events %d times on this server, as often as %sevent-streams-per-token allows; follow several queues by one stream, or wait %d s and try again"
                                .formatted(access.shown(), mostOfCaller, Limits.PROPERTIES, AGAIN_SECONDS),
                        AGAIN_SECONDS));
            case TAKEN -> {}
        }
    }

    private static Duration untilAllNodesKnow(Wanted wanted) {
        Duration left = EventStream.UNWANTED.minusMillis(wanted.sinceMillis());
        return left.isNegative() ? Duration.ZERO : left;
    }

    private Flux<Flux<String>> begin(Subscriber subscriber, @Nullable Position after, Position end) {
        thread.execute(() -> add(subscriber, after == null ? end : after, end));
        return subscriber.messages();
    }

    private void add(Subscriber subscriber, Position from, Position end) {
        boolean unknown = from.isAfter(end);
        Position start = unknown ? end : from;
        subscriber.moveTo(start);
        subscriber.say(Messages.listening(start));
        if (unknown) {
            subscriber.say(Messages.REMOVED);
        }
        if (!running) {
            subscriber.complete();
            return;
        }
        behind.add(subscriber);
        if (looks == null) {
            looks = thread.scheduleWithFixedDelay(this::look, 0, LOOK.toMillis(), TimeUnit.MILLISECONDS);
        } else {
            look();
        }
    }

    private void look() {
        try {
            leaveOut();
            if (System.nanoTime() - failedNanos >= AFTER_A_FAILURE_NANOS) {
                readCurrent();
                behind.forEach(this::readBehind);
                wantAgain();
            }
            all().forEach(Subscriber::beat);
            check();
        } catch (RuntimeException | Error e) {
            log.error("subscribers of events were not looked after", e);
        }
    }

    private List<Subscriber> all() {
        List<Subscriber> all = new ArrayList<>(current);
        all.addAll(behind);
        return all;
    }

    private void leaveOut() {
        current.removeIf(Subscriber::isOver);
        behind.removeIf(Subscriber::isOver);
        if (current.isEmpty()) {
            position = null;
        }
        if (current.isEmpty() && behind.isEmpty() && looks != null) {
            looks.cancel(false);
            looks = null;
        }
    }

    private void check() {
        if (!failing && System.nanoTime() - checkedNanos >= CHECK_NANOS) {
            checkedNanos = System.nanoTime();
            all().forEach(subscriber -> subscriber.isAllowed().thenAcceptAsync(subscriber::completeUnless, thread));
        }
    }

    private void wantAgain() {
        if (System.nanoTime() - wantedNanos >= WANT_NANOS && looks != null) {
            wantedNanos = System.nanoTime();
            then(stream.want(kept), wanted -> {}, () -> {});
        }
    }

    private void readCurrent() {
        Position from = position;
        if (reading || from == null) {
            return;
        }
        reading = true;
        then(stream.read(from), page -> current(from, page), () -> reading = false);
    }

    private void current(Position from, Page page) {
        if (!from.equals(position)) {
            return;
        }
        if (!page.whole()) {
            // Each finds for itself what it has missed.
            behind.addAll(current);
            current.clear();
            position = null;
            return;
        }
        if (!page.events().isEmpty()) {
            handOut(Message.allOf(page));
        }
        if (page.events().size() == EventStream.MOST) {
            readCurrent();
        }
    }

    private void handOut(List<Message> messages) {
        List<Subscriber> slow = current.stream()
                .filter(subscriber -> !subscriber.take(messages))
                .toList();
        slow.forEach(current::remove);
        behind.addAll(slow);
        position = messages.get(messages.size() - 1).at();
    }

    private void readBehind(Subscriber subscriber) {
        if (subscriber.beginRead()) {
            then(stream.read(subscriber.position()), page -> caughtUp(subscriber, page), subscriber::endRead);
        }
    }

    private void caughtUp(Subscriber subscriber, Page page) {
        if (!page.whole()) {
            subscriber.say(Messages.REMOVED);
        }
        boolean all = subscriber.take(Message.allOf(page));
        if (!page.whole() && page.events().isEmpty()) {
            startAgain(subscriber);
        } else if (all && hasCaughtUp(subscriber, page)) {
            behind.remove(subscriber);
            current.add(subscriber);
            position = position == null ? subscriber.position() : position;
        } else if (all) {
            readBehind(subscriber);
        }
    }

    private boolean hasCaughtUp(Subscriber subscriber, Page page) {
        Position others = position;
        return others == null ? page.events().size() < EventStream.MOST : !others.isAfter(subscriber.position());
    }

    /** The stream has neither what it has read nor anything after it: Redis has lost its data. */
    private void startAgain(Subscriber subscriber) {
        if (subscriber.beginRead()) {
            then(stream.want(kept), wanted -> subscriber.moveTo(wanted.end()), subscriber::endRead);
        }
    }

    /** Goes on with an answer of Redis on the thread; after a failure, everything is tried again in a second. */
    private <T> void then(CompletableFuture<T> asked, Consumer<T> next, Runnable first) {
        asked.whenCompleteAsync((answer, failure) -> answered(answer, failure, next, first), thread);
    }

    private <T> void answered(T answer, @Nullable Throwable failure, Consumer<T> next, Runnable first) {
        first.run();
        if (failure != null) {
            failed(failure);
            return;
        }
        recovered();
        try {
            next.accept(answer);
        } catch (RuntimeException | Error e) {
            log.error("events were not handed out", e);
        }
    }

    private void failed(Throwable failure) {
        failedNanos = System.nanoTime();
        if (!failing) {
            failing = true;
            DelayJobException known = Failures.find(failure, DelayJobException.class);
            log.warn(
                    "events cannot be read from Redis; it is tried again until it succeeds: {}",
                    (known == null ? failure : known).getMessage());
        }
    }

    private void recovered() {
        if (failing) {
            failing = false;
            log.info("events can be read again");
        }
    }
}
