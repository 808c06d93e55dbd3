package io.delayjob.server.console.internal.jobs;

import io.delayjob.AsyncDelayJobAdmin;
import io.delayjob.DelayJobException;
import io.delayjob.DelayJobJournal;
import io.delayjob.IndexedJobs;
import io.delayjob.JobSnapshot;
import io.delayjob.JobState;
import io.delayjob.server.web.Blocking;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Looks for jobs in Redis and, at the same time, for those that have ended in the journal of each queue that has one. Jobs that have ended are looked for in one
 * place for each queue: its journal if it has one, else what Redis retains. So each job has one place, and is found once.
 */
final class Search {

    private static final int AT_ONCE = 32;
    private static final Set<JobState> ENDS = EnumSet.of(JobState.COMPLETED, JobState.CANCELLED);
    /** How long the journal is waited for, beyond the time of a part. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private static final Scan.Found NOTHING = new Scan.Found(List.of(), 0, null);

    private final AsyncDelayJobAdmin admin;
    private final Filter filter;
    private final List<String> queues;
    private final Set<String> journaled;

    /**
     * Where a search is: in Redis and in the journal.
     *
     * @param live the place in Redis; null if all was looked at there
     * @param ended the place in the journal; null if all was looked at there
     */
    record Place(Scan.@Nullable Place live, Scan.@Nullable Place ended) {

        static final Place BEGIN = new Place(Scan.Place.BEGIN, Scan.Place.BEGIN);

        private static final String ALL = "-";

        /** Reads what {@link #text} wrote. */
        static Place of(String text) {
            String[] parts = text.split("\\|", 2);
            return new Place(place(parts[0]), parts.length == 1 ? null : place(parts[1]));
        }

        private static Scan.@Nullable Place place(String text) {
            return text.equals(ALL) ? null : Scan.Place.of(text);
        }

        String text() {
            return (live == null ? ALL : live.text()) + "|" + (ended == null ? ALL : ended.text());
        }

        private @Nullable Place orNull() {
            return live == null && ended == null ? null : this;
        }
    }

    /**
     * The result of a search, or of a part of it.
     *
     * @param live jobs in Redis, and those that are far off
     * @param ended jobs that the journal has
     * @param examined how many were looked at in Redis
     * @param examinedEnded how many were looked at in the journal
     * @param by how they were found
     * @param failure why the journal was not searched; null if it was, or there is none
     * @param next where to go on; null if all were looked at
     */
    record Found(
            List<JobSnapshot> live,
            List<JobSnapshot> ended,
            long examined,
            long examinedEnded,
            By by,
            @Nullable String failure,
            @Nullable Place next) {

        int size() {
            return live.size() + ended.size();
        }
    }

    /** How jobs were found. */
    enum By {
        /** They have this very id. */
        ID,
        /** An index of a queue has them. */
        INDEX,
        /** One job after the other was looked at. */
        LOOKING
    }

    private Search(AsyncDelayJobAdmin admin, Filter filter, List<String> queues, Collection<String> journaled) {
        this.admin = admin;
        this.filter = filter;
        this.queues = List.copyOf(queues);
        this.journaled = new TreeSet<>(journaled);
    }

    /**
     * A search.
     *
     * @param queues the queues that Redis knows, of those that it is about
     * @param journal null if there is none
     * @param known which queues its caller may see
     */
    static Mono<Search> of(
            AsyncDelayJobAdmin admin,
            Filter filter,
            List<String> queues,
            @Nullable DelayJobJournal journal,
            Predicate<String> known) {
        if (journal == null) {
            return Mono.just(new Search(admin, filter, queues, List.of()));
        }
        Mono<Set<String>> asked = Blocking.call(journal::queues);
        // If it does not answer, it is asked for each of them again, and that says why.
        return asked.timeout(PATIENCE)
                .onErrorReturn(Search::isAway, Set.copyOf(queues))
                .map(all -> all.stream()
                        .filter(queue -> known.test(queue)
                                && (filter.queue() == null || filter.queue().equals(queue)))
                        .toList())
                .map(its -> new Search(admin, filter, queues, its));
    }

    /** The jobs that have, or had, this very id, or else those that the indexes of queues have, which needs no scan; empty if there are none. */
    Mono<Optional<Found>> atOnce(@Nullable DelayJobJournal journal, int most) {
        return exact(journal).flatMap(exact -> exact.isPresent() ? Mono.just(exact) : indexed(most));
    }

    private Mono<Optional<Found>> exact(@Nullable DelayJobJournal journal) {
        String id = filter.idToList();
        return id == null
                ? Mono.just(Optional.empty())
                : Mono.zip(live(id), ended(id, journal)).map(both -> atOnce(both.getT1(), both.getT2(), By.ID));
    }

    private Mono<Optional<Found>> indexed(int most) {
        return Mono.zip(indexedLive(most), indexedEnded(most))
                .map(both -> atOnce(both.getT1(), both.getT2(), By.INDEX));
    }

    private static Optional<Found> atOnce(List<JobSnapshot> live, List<JobSnapshot> allEnded, By by) {
        List<JobSnapshot> ended = without(live, allEnded);
        return live.isEmpty() && ended.isEmpty()
                ? Optional.empty()
                : Optional.of(new Found(live, ended, live.size(), ended.size(), by, null, Place.BEGIN));
    }

    private Mono<List<JobSnapshot>> indexedLive(int most) {
        return Flux.fromIterable(queues)
                .flatMapSequential(
                        queue -> Mono.justOrEmpty(filter.indexed(admin.indexWords(queue)))
                                .flatMap(value -> Mono.fromFuture(() -> admin.findIndexed(queue, value))),
                        AT_ONCE)
                .flatMapIterable(IndexedJobs::jobs)
                .filter(this::isWanted)
                .take(most)
                .collectList();
    }

    /** Of each queue the jobs of one page, which has looked at the 2,000 last ones that have the value. */
    private Mono<List<JobSnapshot>> indexedEnded(int most) {
        Mono<List<JobSnapshot>> found = Flux.fromIterable(journaled)
                .flatMapSequential(
                        queue -> Mono.justOrEmpty(filter.indexed(admin.indexWords(queue)))
                                .flatMap(value ->
                                        Mono.justOrEmpty(filter.ofEnded(queue).map(query -> query.withIndexed(value))))
                                .flatMap(query -> Mono.fromFuture(() -> admin.ended(query))),
                        AT_ONCE)
                .flatMapIterable(page -> page.jobs())
                .filter(filter::matches)
                .take(most)
                .collectList();
        return found.timeout(PATIENCE).onErrorReturn(Search::isAway, List.of());
    }

    private Mono<List<JobSnapshot>> live(String id) {
        return Flux.fromIterable(queues)
                .flatMapSequential(queue -> Mono.fromFuture(() -> admin.find(queue, id)), AT_ONCE)
                .flatMapIterable(found -> found.filter(this::isWanted).stream().toList())
                .collectList();
    }

    private boolean isWanted(JobSnapshot job) {
        return filter.matches(job)
                && (filter.states().isEmpty() || filter.states().contains(job.state()));
    }

    private Mono<List<JobSnapshot>> ended(String id, @Nullable DelayJobJournal journal) {
        if (journal == null || journaled.isEmpty()) {
            return Mono.just(List.of());
        }
        Mono<List<JobSnapshot>> found = Blocking.call(() -> journal.queuesOf(id))
                .flatMapIterable(known -> known.stream()
                        .filter(journaled::contains)
                        .flatMap(queue -> filter.ofEnded(queue).stream())
                        .toList())
                .flatMapSequential(query -> Mono.fromFuture(() -> admin.ended(query)), AT_ONCE)
                .flatMapIterable(page -> page.jobs())
                .filter(job -> job.id().equals(id) && filter.matches(job))
                .collectList();
        return found.timeout(PATIENCE).onErrorReturn(Search::isAway, List.of());
    }

    /** Looks at jobs behind a place, to a bound of each of the two. */
    Mono<Found> part(Place from, Scan.Bound bound) {
        return Mono.zip(scan(live(), bound, from.live()), ended(bound, from.ended()))
                .map(both -> found(both.getT1(), both.getT2()));
    }

    private record Ended(Scan.Found found, @Nullable String failure) {}

    private static Found found(Scan.Found live, Ended ended) {
        return new Found(
                live.jobs(),
                without(live.jobs(), ended.found().jobs()),
                live.examined(),
                ended.found().examined(),
                By.LOOKING,
                ended.failure(),
                new Place(live.next(), ended.found().next()).orNull());
    }

    /** A job that ended while it was looked for is only the one that was found first. */
    private static List<JobSnapshot> without(List<JobSnapshot> live, List<JobSnapshot> ended) {
        return ended.stream()
                .filter(job -> live.stream().noneMatch(other -> isSame(job, other)))
                .toList();
    }

    private static boolean isSame(JobSnapshot a, JobSnapshot b) {
        return a.id().equals(b.id())
                && a.queue().equals(b.queue())
                && a.submittedAt() != null
                && a.submittedAt().equals(b.submittedAt());
    }

    private Mono<Scan.Found> scan(List<Scan.Stock> lists, Scan.Bound bound, Scan.@Nullable Place from) {
        return from == null ? Mono.just(NOTHING) : Mono.fromFuture(() -> Scan.of(lists, filter::matches, bound, from));
    }

    private List<Scan.Stock> live() {
        List<JobState> states = filter.possibleStates();
        List<String> others =
                queues.stream().filter(queue -> !journaled.contains(queue)).toList();
        List<Scan.Stock> lists = new ArrayList<>(Scan.live(
                admin,
                queues,
                states.stream().filter(state -> !ENDS.contains(state)).toList(),
                filter.idToList(),
                filter::times));
        lists.addAll(Scan.live(
                admin, others, states.stream().filter(ENDS::contains).toList(), filter.idToList(), filter::times));
        return lists;
    }

    private Mono<Ended> ended(Scan.Bound bound, Scan.@Nullable Place from) {
        Stream<Scan.Stock> lists = journaled.stream()
                .flatMap(queue -> filter.ofEnded(queue).stream())
                .map(query -> Scan.ended(admin, query));
        return scan(lists.toList(), bound, from)
                .timeout(PATIENCE.plus(bound.time()))
                .map(found -> new Ended(found, null))
                .onErrorResume(Search::isAway, failure -> Mono.just(new Ended(NOTHING, reason(failure))));
    }

    private static boolean isAway(Throwable failure) {
        return failure instanceof DelayJobException || failure instanceof TimeoutException;
    }

    private static String reason(Throwable failure) {
        return failure instanceof TimeoutException ? "no answer" : String.valueOf(failure.getMessage());
    }
}
