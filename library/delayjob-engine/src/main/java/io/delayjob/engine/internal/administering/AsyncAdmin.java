package io.delayjob.engine.internal.administering;

import io.delayjob.ActionResult;
import io.delayjob.AsyncDelayJobAdmin;
import io.delayjob.DelayJobLimits;
import io.delayjob.EndedPage;
import io.delayjob.EndedQuery;
import io.delayjob.Explanation;
import io.delayjob.IndexedJobs;
import io.delayjob.IndexedValue;
import io.delayjob.JobEvent;
import io.delayjob.JobPage;
import io.delayjob.JobQuery;
import io.delayjob.JobSnapshot;
import io.delayjob.JobState;
import io.delayjob.JobStep;
import io.delayjob.Limits;
import io.delayjob.NodeSnapshot;
import io.delayjob.QueueCounts;
import io.delayjob.engine.extension.EndedJobs;
import io.delayjob.engine.extension.Extensions;
import io.delayjob.engine.extension.JobEvents;
import io.delayjob.engine.extension.JobOnItsWayException;
import io.delayjob.engine.extension.Journal;
import io.delayjob.engine.extension.JournaledJobs;
import io.delayjob.engine.extension.QueueChange;
import io.delayjob.engine.extension.QueueChange.Kind;
import io.delayjob.engine.internal.calls.Queues;
import io.delayjob.engine.internal.calls.Shard;
import io.delayjob.engine.internal.records.JobIndex;
import io.delayjob.engine.internal.records.RecordCodec;
import io.delayjob.engine.internal.records.Snapshots;
import io.delayjob.engine.ledger.FleetView;
import io.delayjob.engine.ledger.JobContent;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.Listing;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.engine.ledger.ShardLimits;
import io.delayjob.engine.ledger.StoredJob;
import io.delayjob.engine.ledger.Tally;
import io.delayjob.support.Checks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Looks at jobs and acts on them, shard by shard. */
public final class AsyncAdmin implements AsyncDelayJobAdmin {

    private static final int MOST_PER_SECOND = 1_000_000;
    private static final int MOST_STEPS = 1000;

    /** The most shards that one call counts. Redis counts them one after the other. */
    private static final int SHARDS_OF_A_CALL = 20;

    /** From one look for a job that is on its way to the ledger to the next. */
    private static final long SOON_MILLIS = 30;

    private static final QueueCounts NOTHING = new QueueCounts(0, 0, 0, 0, 0, false);

    private final Queues queues;
    private final JobEvents events;
    private final Journal journal;
    private final JournaledJobs journaled;
    private final Duration patience;
    private final Executor callbacks;
    private final Snapshots snapshots = new Snapshots();
    private final LimitsAdmin limits;

    /**
     * An admin.
     *
     * @param patience how long an action waits for a job that is just being brought from the journal to the ledger
     * @param callbacks runs what callers hang on the futures, so that they cannot block the threads that read from Redis
     */
    public AsyncAdmin(Queues queues, Extensions extensions, Duration patience, Executor callbacks) {
        this.queues = queues;
        this.events = extensions.events();
        this.journal = extensions.journal();
        this.journaled = journal.waiting();
        this.patience = patience;
        this.callbacks = callbacks;
        this.limits = new LimitsAdmin(queues);
    }

    @Override
    public CompletableFuture<Optional<JobSnapshot>> find(String queue, String id) {
        return answer(stored(queue, id).thenApply(found -> found.job().map(stored -> snapshots.of(queue, id, stored))));
    }

    /** A job, and the shard that it is in; that of its id if it is in none. */
    private record Found(Shard shard, Optional<StoredJob> job) {}

    private CompletableFuture<Found> stored(String queue, String id) {
        return byId(
                        queue,
                        id,
                        shard -> shard.ledger().find(id).thenApply(job -> new Found(shard, job)),
                        found -> found.job()
                                .map(job -> isFinished(job.state()) ? 1 : ById.SURE)
                                .orElse(ById.NONE))
                .thenCompose(
                        found -> orJournaled(queue, id, found.job()).thenApply(job -> new Found(found.shard(), job)));
    }

    private CompletableFuture<Optional<StoredJob>> orJournaled(String queue, String id, Optional<StoredJob> found) {
        if (!journaled.mayBeOf(queue)) {
            return CompletableFuture.completedFuture(found);
        }
        if (found.isEmpty()) {
            return journaled.find(queue, id);
        }
        return isFinished(found.get().state())
                ? journaled.findFar(queue, id).thenApply(far -> far.or(() -> found))
                : CompletableFuture.completedFuture(found);
    }

    /** Whether the id of a job in this state may be that of a next one. */
    private static boolean isFinished(@Nullable JobState state) {
        return state == JobState.COMPLETED || state == JobState.CANCELLED;
    }

    @Override
    public CompletableFuture<JobPage> list(JobQuery query) {
        Checks.notNull(query, "query");
        return answer(new JobLister(query, sources(query), snapshots).page());
    }

    private List<JobLister.Source> sources(JobQuery query) {
        List<Shard> shards = queues.shards(query.queue());
        List<JobLister.Source> sources = new ArrayList<>();
        shards.forEach(shard -> sources.add(shard.ledger()::list));
        if (query.state() == JobState.DELAYED && journaled.mayBeOf(query.queue())) {
            shards.forEach(shard -> sources.add(request -> journaled.list(shard.id(), request)));
        }
        return sources;
    }

    @Override
    public List<String> indexWords(String queue) {
        return queues.index(Checks.queue(queue));
    }

    @Override
    public CompletableFuture<IndexedJobs> findIndexed(String queue, IndexedValue value) {
        String mark = mark(queue, Checks.notNull(value, "value"));
        CompletableFuture<Listing.Indexed> stored =
                each(queue, ledger -> ledger.indexed(mark, IndexedJobs.MOST), AsyncAdmin::sum);
        CompletableFuture<Listing.Indexed> all = journaled.mayBeOf(queue)
                ? stored.thenCombine(journaled.indexed(queue, mark, IndexedJobs.MOST), AsyncAdmin::withJournaled)
                : stored;
        return answer(all.thenApply(found -> indexed(queue, found)));
    }

    private String mark(String queue, IndexedValue value) {
        List<String> words = indexWords(queue);
        if (!words.contains(value.word())) {
            throw new IllegalArgumentException("the index of queue '" + queue + "' does not have "
                    + Checks.shown(value.word())
                    + (words.isEmpty() ? "; it has no words" : ", but " + String.join(", ", words))
                    + "; set delayjob.queues." + queue + ".index here and where its jobs are submitted");
        }
        return JobIndex.mark(value.word(), value.value());
    }

    private static Listing.Indexed sum(Listing.Indexed a, Listing.Indexed b) {
        return new Listing.Indexed(
                Stream.concat(a.jobs().stream(), b.jobs().stream()).toList(), a.more() || b.more());
    }

    /** A job that has just come to the ledger may be in the journal still. */
    private static Listing.Indexed withJournaled(Listing.Indexed stored, Listing.Indexed waiting) {
        Set<String> ids = stored.jobs().stream().map(Listing.Entry::id).collect(Collectors.toSet());
        List<Listing.Entry> others =
                waiting.jobs().stream().filter(job -> !ids.contains(job.id())).toList();
        return sum(stored, new Listing.Indexed(others, waiting.more()));
    }

    private IndexedJobs indexed(String queue, Listing.Indexed found) {
        List<JobSnapshot> jobs = found.jobs().stream()
                .limit(IndexedJobs.MOST)
                .map(entry -> snapshots.of(queue, entry.id(), entry.job()))
                .toList();
        return new IndexedJobs(jobs, found.more() || found.jobs().size() > IndexedJobs.MOST);
    }

    @Override
    public CompletableFuture<Explanation> explain(String queue, String id) {
        return answer(stored(queue, id).thenCompose(found -> {
            Ledger ledger = found.shard().ledger();
            return ledger.fleet()
                    .thenCombine(
                            heldBack(
                                    ledger,
                                    found.job().orElse(null),
                                    queues.shards(queue).size() > 1),
                            (fleet, heldBack) -> explain(queue, id, found.job(), fleet, heldBack.orElse(null)));
        }));
    }

    private Explanation explain(
            String queue, String id, Optional<StoredJob> found, FleetView fleet, @Nullable HeldBack heldBack) {
        return found.map(stored -> Explainer.explain(stored, snapshots.of(queue, id, stored), fleet, heldBack))
                .orElseGet(() -> Explainer.unknown(queue, id));
    }

    /** The limits that may hold a job back; empty if it is not due. */
    private static CompletableFuture<Optional<HeldBack>> heldBack(
            Ledger ledger, @Nullable StoredJob job, boolean isOneOfSeveral) {
        if (job == null || job.state() != JobState.READY) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        String key = job.record() == null ? null : JobContent.of(job.record()).key();
        CompletableFuture<ShardLimits.View> view = ledger.limits().read(0);
        return key == null
                ? view.thenApply(limits -> Optional.of(new HeldBack(limits, null, isOneOfSeveral)))
                : view.thenCombine(
                        ledger.limits().read(key),
                        (limits, its) -> Optional.of(new HeldBack(limits, its, isOneOfSeveral)));
    }

    @Override
    public CompletableFuture<List<JobStep>> history(String queue, String id, int limit) {
        Checks.queue(queue);
        Checks.id(id);
        if (limit < 1 || limit > MOST_STEPS) {
            throw new IllegalArgumentException("limit must be 1 to " + MOST_STEPS + ": " + limit);
        }
        return answer(journal.history(queue, id, limit));
    }

    @Override
    public CompletableFuture<EndedPage> ended(EndedQuery query) {
        Checks.notNull(query, "query");
        EndedJobs.Marks marks = new EndedJobs.Marks(
                query.job() == null ? null : RecordCodec.nameMark(query.job()),
                query.indexed() == null ? null : mark(query.queue(), query.indexed()));
        return answer(journal.ended(query, marks).thenApply(found -> page(query.queue(), found)));
    }

    private EndedPage page(String queue, EndedJobs found) {
        List<JobSnapshot> jobs = found.jobs().stream()
                .map(entry -> snapshots.ofEnded(queue, entry.id(), entry.job()))
                .toList();
        return new EndedPage(jobs, found.examined(), found.next());
    }

    @Override
    public CompletableFuture<List<NodeSnapshot>> nodes(String queue) {
        return answer(each(queue, ledger -> ledger.fleet().thenApply(AsyncAdmin::byName), AsyncAdmin::merged)
                .thenApply(nodes -> List.copyOf(nodes.values())));
    }

    private static Map<String, NodeSnapshot> byName(FleetView fleet) {
        Map<String, NodeSnapshot> nodes = new TreeMap<>();
        fleet.nodes().forEach(node -> nodes.put(node.node(), node));
        return nodes;
    }

    /** A node has one pool of workers for all shards of a queue. */
    private static Map<String, NodeSnapshot> merged(Map<String, NodeSnapshot> some, Map<String, NodeSnapshot> others) {
        others.forEach(some::putIfAbsent);
        return some;
    }

    @Override
    public CompletableFuture<Set<String>> queues() {
        return answer(queues.names());
    }

    @Override
    public CompletableFuture<Map<String, QueueCounts>> unconsumedQueues() {
        return answer(queues.names().thenCompose(this::unconsumed));
    }

    /** One after the other: there may be thousands, and nobody is in a hurry. */
    private CompletableFuture<Map<String, QueueCounts>> unconsumed(Set<String> names) {
        Map<String, QueueCounts> found = new TreeMap<>();
        CompletableFuture<?> looked = CompletableFuture.completedFuture(true);
        for (String queue : names) {
            looked = looked.thenCompose(before -> unconsumed(queue)).thenAccept(counts -> {
                if (holdsJobs(counts)) {
                    found.put(queue, counts);
                }
            });
        }
        return looked.thenApply(done -> found);
    }

    private static boolean holdsJobs(QueueCounts counts) {
        return counts.delayed() + counts.ready() + counts.reserved() + counts.dead() > 0;
    }

    /** The job counts of a queue if no live node runs its jobs; otherwise all zero. */
    CompletableFuture<QueueCounts> unconsumed(String queue) {
        return isConsumed(queue)
                .thenCompose(consumed -> consumed
                        ? CompletableFuture.completedFuture(NOTHING)
                        : tallied(queue).thenApply(Tally::counts));
    }

    private CompletableFuture<Boolean> isConsumed(String queue) {
        return each(
                queue,
                ledger -> ledger.fleet().thenApply(fleet -> !fleet.nodes().isEmpty()),
                Boolean::logicalOr);
    }

    @Override
    public CompletableFuture<ActionResult> cancel(String queue, String id) {
        return acted(
                orJournaled(queue, () -> act(queue, id, shard -> shard.cancel(id)), () -> journaled.cancel(queue, id)),
                JobEvent.Cancelled.class,
                result -> new JobEvent.Cancelled(queue, id, result.previous() == JobState.RESERVED));
    }

    @Override
    public CompletableFuture<ActionResult> reschedule(String queue, String id, Duration delay) {
        long millis = Checks.ceilMillis(Checks.delay(delay));
        return acted(
                orJournaled(
                        queue,
                        () -> act(queue, id, shard -> shard.reschedule(new Ledger.Rescheduled(id, millis))),
                        () -> journaled.reschedule(queue, id, millis)),
                JobEvent.Rescheduled.class,
                result -> new JobEvent.Rescheduled(queue, id, delay));
    }

    @Override
    public CompletableFuture<ActionResult> redrive(String queue, String id) {
        return acted(
                act(queue, id, shard -> shard.redrive(id)),
                JobEvent.Redriven.class,
                result -> new JobEvent.Redriven(queue, id));
    }

    @Override
    public CompletableFuture<ActionResult> purge(String queue, String id) {
        return answer(act(queue, id, shard -> shard.purge(id)));
    }

    /** Acts on a job that the ledger does not have, or no more, and the journal may have. */
    private CompletableFuture<ActionResult> orJournaled(
            String queue,
            Supplier<CompletableFuture<ActionResult>> ledger,
            Supplier<CompletableFuture<ActionResult>> journal) {
        return orJournaled(queue, ledger, journal, System.nanoTime() + patience.toNanos());
    }

    private CompletableFuture<ActionResult> orJournaled(
            String queue,
            Supplier<CompletableFuture<ActionResult>> ledger,
            Supplier<CompletableFuture<ActionResult>> journal,
            long untilNanos) {
        return ledger.get().thenCompose(result -> {
            if (result.done() || !isOver(result.previous()) || !journaled.mayBeOf(queue)) {
                return CompletableFuture.completedFuture(result);
            }
            // If the journal has it no more, it may have come to the ledger since that was asked.
            return journal.get()
                    .thenCompose(other -> other.done()
                            ? CompletableFuture.completedFuture(other)
                            : result.previous() == null ? ledger.get() : CompletableFuture.completedFuture(result))
                    .exceptionallyCompose(failure -> isOnItsWay(failure) && System.nanoTime() < untilNanos
                            ? soon(() -> orJournaled(queue, ledger, journal, untilNanos))
                            : CompletableFuture.failedFuture(failure));
        });
    }

    /** Whether the ledger has no job of an id, or only a finished one. */
    private static boolean isOver(@Nullable JobState state) {
        return state == null || isFinished(state);
    }

    private static boolean isOnItsWay(Throwable failure) {
        return failure instanceof JobOnItsWayException || failure.getCause() instanceof JobOnItsWayException;
    }

    private <R> CompletableFuture<R> soon(Supplier<CompletableFuture<R>> call) {
        return CompletableFuture.supplyAsync(
                        call, CompletableFuture.delayedExecutor(SOON_MILLIS, TimeUnit.MILLISECONDS, callbacks))
                .thenCompose(Function.identity());
    }

    private <E extends JobEvent> CompletableFuture<ActionResult> acted(
            CompletableFuture<ActionResult> action, Class<E> kind, Function<ActionResult, E> event) {
        return answer(action.whenComplete((result, failure) -> {
            if (failure == null && result.done()) {
                events.publish(kind, () -> event.apply(result));
            }
        }));
    }

    @Override
    public CompletableFuture<Integer> redriveAll(String queue, int limit) {
        return redrive(queue, limit, 0);
    }

    @Override
    public CompletableFuture<Integer> redriveAll(String queue, int limit, int perSecond) {
        if (perSecond < 1 || perSecond > MOST_PER_SECOND) {
            throw new IllegalArgumentException("perSecond must be 1 to " + MOST_PER_SECOND + ": " + perSecond);
        }
        return redrive(queue, limit, (1_000_000L + perSecond - 1) / perSecond);
    }

    private CompletableFuture<Integer> redrive(String queue, int limit, long spacingMicros) {
        return answer(inChunks(
                queue,
                Checks.atLeastOne(limit, "limit"),
                (shard, chunk, done) -> shard.redriveAll(chunk, done * spacingMicros, spacingMicros)
                        .thenApply(ids -> {
                            ids.forEach(id ->
                                    events.publish(JobEvent.Redriven.class, () -> new JobEvent.Redriven(queue, id)));
                            return ids.size();
                        })));
    }

    @Override
    public CompletableFuture<Integer> purgeDead(String queue, Duration olderThan, int limit) {
        long millis = Checks.ceilMillis(Checks.notNegative(olderThan, "olderThan"));
        return answer(inChunks(
                queue, Checks.atLeastOne(limit, "limit"), (shard, chunk, done) -> shard.purgeDead(millis, chunk)));
    }

    /** Does some of a long piece of work on a shard; answers how much. */
    private interface Chunk {

        CompletableFuture<Integer> doSome(Shard shard, int limit, int doneSoFar);
    }

    private CompletableFuture<Integer> inChunks(String queue, int limit, Chunk chunk) {
        CompletableFuture<Integer> done = CompletableFuture.completedFuture(0);
        for (Shard shard : queues.shards(Checks.queue(queue))) {
            done = done.thenCompose(before -> inChunks(shard, limit, before, chunk));
        }
        return done;
    }

    private static CompletableFuture<Integer> inChunks(Shard shard, int limit, int before, Chunk chunk) {
        int sum = before;
        while (sum < limit) {
            int soFar = sum;
            int size = Math.min(Ledger.MAX_BATCH, limit - soFar);
            CompletableFuture<Integer> some = chunk.doSome(shard, size, soFar);
            if (!some.isDone() || some.isCompletedExceptionally()) {
                return some.thenCompose(
                        done -> inChunks(shard, done < size ? soFar + done : limit, soFar + done, chunk));
            }
            // Not by recursion: a ledger that answers at once would have some frames for each chunk.
            sum += some.join();
            if (sum < soFar + size) {
                break;
            }
        }
        return CompletableFuture.completedFuture(sum);
    }

    @Override
    public CompletableFuture<QueueCounts> counts(String queue) {
        CompletableFuture<QueueCounts> stored = tallied(queue).thenApply(Tally::counts);
        return answer(
                journaled.mayBeOf(queue)
                        ? stored.thenCombine(journaled.count(queue), AsyncAdmin::withDelayed)
                        : stored);
    }

    @Override
    public CompletableFuture<Map<String, QueueCounts>> counts(Collection<String> names) {
        List<ShardId> shards =
                names.stream().flatMap(name -> queues.ids(Checks.queue(name))).toList();
        return answer(
                tallied(shards, 0, new ArrayList<>()).thenCompose(tallies -> withJournaled(sums(shards, tallies))));
    }

    /** The tallies before, and those of the shards from {@code from} on, at most {@link #SHARDS_OF_A_CALL} in each call. */
    private CompletableFuture<List<Tally>> tallied(List<ShardId> shards, int from, List<Tally> before) {
        if (from >= shards.size()) {
            return CompletableFuture.completedFuture(before);
        }
        int to = Math.min(shards.size(), from + SHARDS_OF_A_CALL);
        return queues.tallies(shards.subList(from, to))
                .thenComposeAsync(
                        some -> {
                            before.addAll(some);
                            return tallied(shards, to, before);
                        },
                        callbacks);
    }

    private static Map<String, QueueCounts> sums(List<ShardId> shards, List<Tally> tallies) {
        Map<String, QueueCounts> sums = new LinkedHashMap<>();
        for (int i = 0; i < shards.size(); i++) {
            sums.merge(shards.get(i).queue(), tallies.get(i).counts(), AsyncAdmin::sum);
        }
        return sums;
    }

    private CompletableFuture<Map<String, QueueCounts>> withJournaled(Map<String, QueueCounts> stored) {
        CompletableFuture<Map<String, QueueCounts>> all = CompletableFuture.completedFuture(stored);
        for (String queue : stored.keySet()) {
            if (journaled.mayBeOf(queue)) {
                all = all.thenCombine(journaled.count(queue), (counts, delayed) -> {
                    counts.computeIfPresent(queue, (name, its) -> withDelayed(its, delayed));
                    return counts;
                });
            }
        }
        return all;
    }

    private static QueueCounts withDelayed(QueueCounts stored, long delayed) {
        return sum(stored, new QueueCounts(delayed, 0, 0, 0, 0, false));
    }

    /** The tally of a queue in the ledger. The journal is not asked, because this is called often. */
    public CompletableFuture<Tally> tally(String queue) {
        return answer(tallied(queue));
    }

    private CompletableFuture<Tally> tallied(String queue) {
        return each(queue, Ledger::tally, AsyncAdmin::sum);
    }

    /** Asks the ledger, and it alone, for a job that need not exist; fails if it does not answer. */
    public CompletableFuture<Void> reach(String queue) {
        return answer(shard(queue, "any").ledger().find("any").thenAccept(found -> {}));
    }

    private static Tally sum(Tally a, Tally b) {
        return new Tally(
                sum(a.counts(), b.counts()),
                Math.max(a.overdueMillis(), b.overdueMillis()),
                Math.max(a.unservedMillis(), b.unservedMillis()),
                a.heldKeys() + b.heldKeys(),
                a.limitedJobs() + b.limitedJobs(),
                sum(a.unhandled(), b.unhandled()));
    }

    private static Map<String, Long> sum(Map<String, Long> a, Map<String, Long> b) {
        Map<String, Long> sum = new TreeMap<>(a);
        b.forEach((name, jobs) -> sum.merge(name, jobs, Long::sum));
        return sum;
    }

    private static QueueCounts sum(QueueCounts a, QueueCounts b) {
        return new QueueCounts(
                a.delayed() + b.delayed(),
                a.ready() + b.ready(),
                a.reserved() + b.reserved(),
                a.dead() + b.dead(),
                a.finished() + b.finished(),
                a.paused() || b.paused());
    }

    @Override
    public CompletableFuture<Void> pause(String queue) {
        return paused(queue, Kind.PAUSED);
    }

    @Override
    public CompletableFuture<Void> resume(String queue) {
        return paused(queue, Kind.RESUMED);
    }

    private CompletableFuture<Void> paused(String queue, Kind kind) {
        return changed(
                each(queue, ledger -> ledger.pause(kind == Kind.PAUSED), Boolean::logicalAnd), kind, queue, null);
    }

    /** Answers once a queue or a key has been changed, and says so to those who follow the events. */
    private CompletableFuture<Void> changed(
            CompletableFuture<?> change, Kind kind, String queue, @Nullable String key) {
        return answer(change.thenAccept(done -> events.changed(new QueueChange(kind, queue, key))));
    }

    @Override
    public CompletableFuture<DelayJobLimits> limits(String queue) {
        return answer(limits.read(queue));
    }

    @Override
    public CompletableFuture<DelayJobLimits.OfKey> limits(String queue, String key) {
        return answer(limits.read(queue, key));
    }

    @Override
    public CompletableFuture<Void> setLimits(String queue, Limits newLimits) {
        return changed(limits.set(queue, Checks.notNull(newLimits, "limits")), Kind.LIMITED, queue, null);
    }

    @Override
    public CompletableFuture<Void> setLimits(String queue, String key, Limits newLimits) {
        return changed(limits.set(queue, key, Checks.notNull(newLimits, "limits")), Kind.LIMITED, queue, key);
    }

    @Override
    public CompletableFuture<Void> clearLimits(String queue) {
        return changed(limits.set(queue, (Limits) null), Kind.UNLIMITED, queue, null);
    }

    @Override
    public CompletableFuture<Void> clearLimits(String queue, String key) {
        return changed(limits.set(queue, key, null), Kind.UNLIMITED, queue, key);
    }

    @Override
    public CompletableFuture<Void> pause(String queue, String key) {
        return changed(limits.pause(queue, key, true), Kind.PAUSED, queue, key);
    }

    @Override
    public CompletableFuture<Void> resume(String queue, String key) {
        return changed(limits.pause(queue, key, false), Kind.RESUMED, queue, key);
    }

    /** Asks every shard of a queue at once. */
    private <R> CompletableFuture<R> each(
            String queue, Function<Ledger, CompletableFuture<R>> ask, BinaryOperator<R> merge) {
        return queues.ledgers(Checks.queue(queue)).stream()
                .map(ask)
                .reduce((some, other) -> some.thenCombine(other, merge))
                .orElseThrow();
    }

    /** Acts on a job in the shard that has it. */
    private CompletableFuture<ActionResult> act(
            String queue, String id, Function<Shard, CompletableFuture<ActionResult>> action) {
        return byId(queue, id, action, result -> result.previous() == null ? ById.NONE : result.done() ? ById.SURE : 1);
    }

    private <R> CompletableFuture<R> byId(
            String queue, String id, Function<Shard, CompletableFuture<R>> ask, ToIntFunction<R> rank) {
        return new ById<>(ask, rank).ask(id, shard(queue, id), queues.shards(queue));
    }

    private Shard shard(String queue, String id) {
        return queues.shard(Checks.queue(queue), Checks.id(id));
    }

    private <R> CompletableFuture<R> answer(CompletableFuture<R> result) {
        return result.thenApplyAsync(Function.identity(), callbacks);
    }
}
