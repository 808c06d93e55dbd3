package io.delayjob.server.console.internal.look;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.delayjob.AsyncDelayJobAdmin;
import io.delayjob.NodeSnapshot;
import io.delayjob.engine.DelayJobEngine;
import io.delayjob.engine.ledger.Tally;
import io.delayjob.redisson.history.Counts;
import io.delayjob.redisson.history.HistoryStore;
import io.delayjob.server.Access;
import io.delayjob.server.Grant;
import io.delayjob.server.Role;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;

/**
 * Looks at queues once a second while anybody watches, and once a minute otherwise, to add the backlog to the history. All who may see the same
 * queues see the same look, so that many of them ask Redis no more than one does. The queues of a look are chosen among those that its
 * watchers may see, so that nobody hides them by queues of their own.
 */
public final class Looker implements SmartLifecycle {

    /** How many queues are looked at for those who may see the same ones. */
    public static final int MOST_QUEUES = 200;

    /** How many are looked at in a second for all watchers, if each of their shares is at least one. */
    private static final int MOST_IN_ALL = 2000;

    private static final Logger log = LoggerFactory.getLogger(Looker.class);
    private static final int AT_ONCE = 32;
    private static final int NODES_EVERY = 3;
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration TO_ANSWER = Duration.ofSeconds(5);
    private static final Duration UNSEEN = Duration.ofMinutes(2);
    private static final long SECONDS_OF_MINUTE = 60;
    private static final int MOST_KNOWN = 10_000;
    private static final Grant EVERYTHING = Grant.of(List.of());

    private final AsyncDelayJobAdmin admin;
    private final DelayJobEngine engine;
    private final HistoryStore store;
    private final HistoryReader history;
    private final List<MoreConcerns> more;
    private final Sinks.Many<Grant> seen = Sinks.many().multicast().directBestEffort();
    private final Map<Grant, Integer> watchers = new ConcurrentHashMap<>();
    private final AtomicBoolean looking = new AtomicBoolean();
    private final Cache<String, List<NodeSnapshot>> nodes = Caffeine.newBuilder()
            .expireAfterAccess(UNSEEN)
            .maximumSize(MOST_KNOWN)
            .build();
    private final Cache<Grant, Look> lasts = Caffeine.newBuilder()
            .expireAfterAccess(UNSEEN)
            .maximumSize(MOST_KNOWN)
            .build();
    private final Map<Grant, CompletableFuture<Look>> underWay = new HashMap<>();
    private final Map<Grant, CompletableFuture<Look>> waiting = new HashMap<>();
    private volatile boolean failing;
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
        seen.tryEmitComplete();
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** The readers who may see the same queues. */
    private static Grant scope(Grant grant) {
        return new Grant(Set.of(), grant.queues());
    }

    private Look last(Grant scope) {
        return lasts.get(scope, none -> Look.NOTHING);
    }

    /** The looks of every second from now on at queues that somebody may see; the first one at once. */
    public Flux<Look> watch(Grant grant) {
        Grant scope = scope(grant);
        return Flux.defer(() -> {
                    watchers.merge(scope, 1, Integer::sum);
                    Flux<Look> looks = seen.asFlux().filter(scope::equals).map(this::last);
                    return last(scope).isSomething() ? looks.startWith(last(scope)) : looks;
                })
                .doFinally(how -> watchers.computeIfPresent(scope, (one, count) -> count == 1 ? null : count - 1));
    }

    /** A look that is not older than two seconds. */
    public Mono<Look> now(Grant grant) {
        return Mono.defer(() -> {
            Look known = last(scope(grant));
            return known.at().isAfter(Instant.now().minusSeconds(2)) && known.failure() == null
                    ? Mono.just(known)
                    : Mono.fromFuture(() -> inTurn(scope(grant)));
        });
    }

    /**
     * The same for a page that shows jobs of its queues.
     *
     * @param queue the queue that the page is about; null for all
     * @return fails with a 503 if Redis cannot be read
     */
    public Mono<Look> now(Access access, @Nullable String queue) {
        Grant grant = queue == null ? access.grant() : access.grant().in(List.of(access.require(queue, Role.READ)));
        return now(grant).map(Look::orThrow);
    }

    /** One look at a time for those who may see the same queues. All who ask while one is under way get the next one. */
    private synchronized CompletableFuture<Look> inTurn(Grant scope) {
        CompletableFuture<Look> before = underWay.get(scope);
        if (before == null) {
            return begin(scope);
        }
        CompletableFuture<Look> next = waiting.get(scope);
        if (next == null) {
            next = before.handle((look, failure) -> scope)
                    .thenComposeAsync(this::begin, Schedulers.boundedElastic()::schedule);
            waiting.put(scope, next);
        }
        return next;
    }

    private synchronized CompletableFuture<Look> begin(Grant scope) {
        waiting.remove(scope);
        CompletableFuture<Look> begun = look(Set.of(scope)).thenApply(done -> last(scope));
        underWay.put(scope, begun);
        begun.whenComplete((look, failure) -> end(scope, begun));
        return begun;
    }

    private synchronized void end(Grant scope, CompletableFuture<Look> ended) {
        underWay.remove(scope, ended);
    }

    private void tick() {
        long now = Instant.now().getEpochSecond() / SECONDS_OF_MINUTE;
        boolean begun = now != minute;
        Set<Grant> scopes = new HashSet<>(watchers.keySet());
        if (begun) {
            scopes.add(EVERYTHING);
        }
        if (!scopes.isEmpty() && looking.compareAndSet(false, true)) {
            look(scopes)
                    .thenCompose(done -> begun ? keepBacklog(last(EVERYTHING), now) : done())
                    .orTimeout(TO_ANSWER.toMillis(), TimeUnit.MILLISECONDS)
                    .whenComplete((done, failure) -> {
                        looking.set(false);
                        if (failure != null) {
                            failed(scopes, failure);
                        }
                        scopes.forEach(seen::tryEmitNext);
                    });
        }
    }

    private static CompletableFuture<Void> done() {
        return CompletableFuture.completedFuture(null);
    }

    /**
     * Adds to the history how many jobs are due, also that none is, which is not the same as that nobody looked. Every server does, once a minute; it does not matter which of them is the last. A Redis
     * that takes no writes is looked at all the same.
     */
    private CompletableFuture<Void> keepBacklog(Look look, long thisMinute) {
        if (look.failure() != null) {
            return done();
        }
        minute = thisMinute;
        Map<String, Counts> backlogs = look.queues().stream()
                .filter(queue -> queue.counts().ready() > 0 || queue.past().isActive())
                .collect(Collectors.toMap(
                        QueueLook::name, queue -> Counts.ready(queue.counts().ready())));
        if (backlogs.isEmpty()) {
            return done();
        }
        return store.add(backlogs).handle((added, failure) -> {
            if (failure != null) {
                log.warn("the backlog of this minute is missing in the history: {}", failure.getMessage());
            }
            return null;
        });
    }

    /** Looks for some watchers, and remembers what each of them sees; never fails. */
    private CompletableFuture<Void> look(Set<Grant> scopes) {
        boolean alsoNodes = ticks.getAndIncrement() % NODES_EVERY == 0;
        return admin.queues()
                .thenCompose(names -> {
                    Map<Grant, Choice> choices = scopes.stream()
                            .collect(Collectors.toMap(
                                    Function.identity(), scope -> Choice.of(names, scope, share(scopes.size()))));
                    List<String> all = choices.values().stream()
                            .flatMap(choice -> choice.queues().stream())
                            .distinct()
                            .sorted()
                            .toList();
                    return history.read(all)
                            .thenCompose(read -> look(all, alsoNodes))
                            .thenAccept(looked -> choices.forEach((scope, choice) -> saw(scope, choice, looked)));
                })
                .orTimeout(TO_ANSWER.toMillis(), TimeUnit.MILLISECONDS)
                .handle((looked, failure) -> {
                    if (failure == null) {
                        failing = false;
                    } else {
                        failed(scopes, failure);
                    }
                    return null;
                });
    }

    private static int share(int scopes) {
        return Math.max(1, Math.min(MOST_QUEUES, MOST_IN_ALL / scopes));
    }

    /**
     * The queues that are looked at for those who may see the same ones.
     *
     * @param queues their names
     * @param unseen how many further ones they may see
     */
    private record Choice(List<String> queues, int unseen) {

        static Choice of(Set<String> names, Grant scope, int most) {
            List<String> all = names.stream().filter(scope::isFor).sorted().toList();
            List<String> chosen = all.subList(0, Math.min(most, all.size()));
            return new Choice(chosen, all.size() - chosen.size());
        }
    }

    private CompletableFuture<Map<String, QueueLook>> look(List<String> queues, boolean alsoNodes) {
        return Flux.fromIterable(queues)
                .flatMap(queue -> Mono.fromFuture(() -> look(queue, alsoNodes)), AT_ONCE)
                .collectMap(QueueLook::name)
                .toFuture();
    }

    private void saw(Grant scope, Choice choice, Map<String, QueueLook> looked) {
        List<QueueLook> queues = choice.queues().stream()
                .map(looked::get)
                .filter(Objects::nonNull)
                .toList();
        List<Concern> concerns = more.stream()
                .flatMap(one -> one.now(queues).stream())
                .filter(concern -> scope.isFor(concern.queue()))
                .toList();
        lasts.put(scope, new Look(Instant.now(), queues, choice.unseen(), concerns, null));
    }

    private CompletableFuture<QueueLook> look(String queue, boolean alsoNodes) {
        List<NodeSnapshot> known = nodes.getIfPresent(queue);
        CompletableFuture<List<NodeSnapshot>> served =
                alsoNodes || known == null ? admin.nodes(queue) : CompletableFuture.completedFuture(known);
        return engine.tally(queue).thenCombine(served, (tally, its) -> look(queue, tally, its));
    }

    private QueueLook look(String queue, Tally tally, List<NodeSnapshot> its) {
        nodes.put(queue, its);
        return new QueueLook(queue, tally, its, history.of(queue));
    }

    private void failed(Set<Grant> scopes, Throwable failure) {
        Throwable cause = failure.getCause() == null ? failure : failure.getCause();
        if (!failing) {
            failing = true;
            log.warn("the console cannot see the queues: {}", cause.getMessage());
        }
        String why = cause instanceof TimeoutException ? "no answer" : String.valueOf(cause.getMessage());
        scopes.forEach(scope -> lasts.put(scope, last(scope).failed(why)));
    }
}
