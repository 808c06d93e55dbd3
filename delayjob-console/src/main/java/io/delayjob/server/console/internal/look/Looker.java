package io.delayjob.server.console.internal.look;

import io.delayjob.AsyncDelayJobAdmin;
import io.delayjob.NodeSnapshot;
import io.delayjob.engine.DelayJobEngine;
import io.delayjob.engine.ledger.Tally;
import io.delayjob.redisson.history.Counts;
import io.delayjob.redisson.history.HistoryStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;

/**
 * Looks at all queues once a second while anybody watches, and once a minute otherwise, to add the backlog to the history. All browsers of this server see
 * the same look, so that many of them ask Redis no more than one does.
 */
public final class Looker implements SmartLifecycle {

    /** How many queues are looked at. */
    public static final int MOST_QUEUES = 200;

    private static final Logger log = LoggerFactory.getLogger(Looker.class);
    private static final int AT_ONCE = 32;
    private static final int NODES_EVERY = 3;
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration TO_ANSWER = Duration.ofSeconds(5);
    private static final long SECONDS_OF_MINUTE = 60;

    private final AsyncDelayJobAdmin admin;
    private final DelayJobEngine engine;
    private final HistoryStore store;
    private final HistoryReader history;
    private final List<MoreConcerns> more;
    private final Sinks.Many<Look> looks = Sinks.many().multicast().directBestEffort();
    private final AtomicInteger watchers = new AtomicInteger();
    private final AtomicBoolean looking = new AtomicBoolean();
    private final Map<String, List<NodeSnapshot>> nodes = new ConcurrentHashMap<>();
    private volatile Look last = Look.NOTHING;
    private volatile long minute;
    private final AtomicLong ticks = new AtomicLong();
    private volatile Disposable clock = () -> {};
    private volatile boolean running;

    /** Looks at the queues of an engine. */
    public Looker(AsyncDelayJobAdmin admin, DelayJobEngine engine, HistoryStore store, List<MoreConcerns> more) {
        this.more = List.copyOf(more);
        this.admin = admin;
        this.engine = engine;
        this.store = store;
        this.history = new HistoryReader(store);
    }

    @Override
    public void start() {
        running = true;
        clock = Flux.interval(SECOND, Schedulers.boundedElastic())
                .onBackpressureDrop()
                .subscribe(tick -> tick(), failure -> log.error("the console looks no more", failure));
    }

    @Override
    public void stop() {
        running = false;
        clock.dispose();
        looks.tryEmitComplete();
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** The looks of every second from now on; the first one at once. */
    public Flux<Look> watch() {
        return Flux.defer(() -> {
                    watchers.incrementAndGet();
                    return last.isSomething() ? looks.asFlux().startWith(last) : looks.asFlux();
                })
                .doFinally(how -> watchers.decrementAndGet());
    }

    /** A look of this moment, for those who must not miss a queue that has just come into being. */
    public Mono<Look> fresh() {
        return Mono.fromFuture(this::look);
    }

    /** A look that is not older than two seconds. */
    public Mono<Look> now() {
        Look known = last;
        return known.at().isAfter(Instant.now().minusSeconds(2)) && known.failure() == null
                ? Mono.just(known)
                : Mono.fromFuture(this::look);
    }

    private void tick() {
        long now = Instant.now().getEpochSecond() / SECONDS_OF_MINUTE;
        boolean begun = now != minute;
        if (watchers.get() == 0 && !begun) {
            return;
        }
        if (looking.compareAndSet(false, true)) {
            look().thenCompose(look -> begun ? keepBacklog(look, now) : CompletableFuture.completedFuture(look))
                    .orTimeout(TO_ANSWER.toMillis(), TimeUnit.MILLISECONDS)
                    .whenComplete((look, failure) -> {
                        looking.set(false);
                        looks.tryEmitNext(failure == null ? look : failed(failure));
                    });
        }
    }

    /**
     * Adds to the history how many jobs are due, also that none is, which is not the same as that nobody looked. Every server does, once a minute; it does not matter which of them is the last. A Redis
     * that takes no writes is looked at all the same.
     */
    private CompletableFuture<Look> keepBacklog(Look look, long thisMinute) {
        if (look.failure() != null) {
            return CompletableFuture.completedFuture(look);
        }
        minute = thisMinute;
        Map<String, Counts> backlogs = look.queues().stream()
                .filter(queue -> queue.counts().ready() > 0 || queue.past().isActive())
                .collect(Collectors.toMap(
                        QueueLook::name, queue -> Counts.ready(queue.counts().ready())));
        if (backlogs.isEmpty()) {
            return CompletableFuture.completedFuture(look);
        }
        return store.add(backlogs).handle((added, failure) -> {
            if (failure != null) {
                log.warn("the backlog of this minute is missing in the history: {}", failure.getMessage());
            }
            return look;
        });
    }

    private CompletableFuture<Look> look() {
        boolean alsoNodes = ticks.getAndIncrement() % NODES_EVERY == 0;
        return admin.queues()
                .thenCompose(names -> {
                    List<String> seen =
                            names.stream().sorted().limit(MOST_QUEUES).toList();
                    return history.read(seen)
                            .thenCompose(read -> look(seen, alsoNodes))
                            .thenApply(queues -> new Look(Instant.now(), queues, unseen(names), more(queues), null));
                })
                .orTimeout(TO_ANSWER.toMillis(), TimeUnit.MILLISECONDS)
                .handle((look, failure) -> {
                    if (failure != null) {
                        return failed(failure);
                    }
                    last = look;
                    return look;
                });
    }

    private CompletableFuture<List<QueueLook>> look(List<String> queues, boolean alsoNodes) {
        return Flux.fromIterable(queues)
                .flatMapSequential(queue -> Mono.fromFuture(() -> look(queue, alsoNodes)), AT_ONCE)
                .collectList()
                .toFuture();
    }

    private List<Concern> more(List<QueueLook> queues) {
        return more.stream().flatMap(one -> one.now(queues).stream()).toList();
    }

    private static int unseen(Set<String> names) {
        return Math.max(0, names.size() - MOST_QUEUES);
    }

    private CompletableFuture<QueueLook> look(String queue, boolean alsoNodes) {
        CompletableFuture<List<NodeSnapshot>> served = alsoNodes || !nodes.containsKey(queue)
                ? admin.nodes(queue)
                : CompletableFuture.completedFuture(nodes.get(queue));
        return engine.tally(queue).thenCombine(served, (tally, seen) -> look(queue, tally, seen));
    }

    private QueueLook look(String queue, Tally tally, List<NodeSnapshot> seen) {
        nodes.put(queue, seen);
        return new QueueLook(queue, tally, seen, history.of(queue));
    }

    private Look failed(Throwable failure) {
        Throwable cause = failure.getCause() == null ? failure : failure.getCause();
        if (last.failure() == null) {
            log.warn("the console cannot see the queues: {}", cause.getMessage());
        }
        String why = cause instanceof TimeoutException ? "no answer" : String.valueOf(cause.getMessage());
        last = last.failed(why);
        return last;
    }
}
