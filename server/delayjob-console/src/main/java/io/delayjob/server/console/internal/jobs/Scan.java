package io.delayjob.server.console.internal.jobs;

import io.delayjob.AsyncDelayJobAdmin;
import io.delayjob.EndedQuery;
import io.delayjob.JobPage;
import io.delayjob.JobQuery;
import io.delayjob.JobSnapshot;
import io.delayjob.JobState;
import io.delayjob.TimeRange;
import io.delayjob.server.console.internal.pages.BadInput;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Looks at jobs one after the other, list by list, for some of them; only so far, and says how far. A scan goes on where another one stopped. */
public final class Scan {

    /** The most jobs of a part. */
    static final int PAGE = 1000;

    private static final List<JobState> ORDER = List.of(
            JobState.RESERVED, JobState.READY, JobState.DEAD, JobState.DELAYED, JobState.COMPLETED, JobState.CANCELLED);

    /**
     * How far a scan goes.
     *
     * @param hits until it has found so many in Redis, and no more; those in a journal are found some hundred at once
     * @param examined or looked at so many
     * @param time or for so long
     */
    public record Bound(int hits, long examined, Duration time) {}

    /**
     * Where a scan is.
     *
     * @param list the place in the lists of queues and states
     * @param cursor the place in that list; null for its beginning
     */
    public record Place(int list, @Nullable String cursor) {

        /** The beginning. */
        public static final Place BEGIN = new Place(0, null);

        /** The place as text. */
        public String text() {
            return list + (cursor == null ? "" : "~" + cursor);
        }

        /**
         * The place of a text.
         *
         * @throws IllegalArgumentException if it is none
         */
        public static Place of(String text) {
            String[] parts = text.split("~", 2);
            try {
                return new Place(Math.max(0, Integer.parseInt(parts[0])), parts.length == 1 ? null : parts[1]);
            } catch (NumberFormatException e) {
                throw BadInput.of("place");
            }
        }
    }

    /**
     * The result of a scan.
     *
     * @param jobs the jobs
     * @param examined how many were looked at
     * @param next where to go on; null if all were looked at
     */
    public record Found(
            List<JobSnapshot> jobs, long examined, @Nullable Place next) {}

    /** Jobs that are read part by part. */
    @FunctionalInterface
    public interface Stock {

        /**
         * Reads the part behind a cursor; the first one if it is null.
         *
         * @param most how many jobs it may have; a journal has its own pages
         */
        CompletableFuture<Part> read(@Nullable String cursor, int most);
    }

    /**
     * A part of a stock.
     *
     * @param jobs jobs
     * @param examined how many were looked at for it
     * @param next the cursor of the next part; null if there is none
     */
    public record Part(
            List<JobSnapshot> jobs, long examined, @Nullable String next) {}

    private final List<Stock> lists;
    private final Predicate<JobSnapshot> wanted;
    private final Bound bound;
    private final long begun = System.nanoTime();
    private final List<JobSnapshot> found = new ArrayList<>();
    private long examined;

    private Scan(List<Stock> lists, Predicate<JobSnapshot> wanted, Bound bound) {
        this.lists = List.copyOf(lists);
        this.wanted = wanted;
        this.bound = bound;
    }

    /**
     * Looks for jobs.
     *
     * @param queues the queues to look in
     * @param states the states to look for; all if empty
     * @param idPrefix the beginning of their ids; null for any
     * @param wanted a condition that they must also meet
     */
    public static CompletableFuture<Found> of(
            AsyncDelayJobAdmin admin,
            List<String> queues,
            List<JobState> states,
            @Nullable String idPrefix,
            Predicate<JobSnapshot> wanted,
            Bound bound,
            Place from) {
        return of(
                live(admin, queues, states.isEmpty() ? ORDER : states, idPrefix, state -> TimeRange.ANY),
                wanted,
                bound,
                from);
    }

    /** Looks for jobs in lists. */
    static CompletableFuture<Found> of(List<Stock> lists, Predicate<JobSnapshot> wanted, Bound bound, Place from) {
        return new Scan(lists, wanted, bound).goOn(from);
    }

    /**
     * The jobs in Redis, and those that are far off, state by state.
     *
     * @param times the times of the jobs of a state that are to be looked at
     */
    static List<Stock> live(
            AsyncDelayJobAdmin admin,
            List<String> queues,
            List<JobState> states,
            @Nullable String idPrefix,
            Function<JobState, TimeRange> times) {
        return ORDER.stream()
                .filter(states::contains)
                .flatMap(state -> queues.stream()
                        .map(queue -> new JobQuery(queue, state, null, idPrefix, times.apply(state), PAGE, null)))
                .<Stock>map(query -> (cursor, most) ->
                        admin.list(query.withLimit(most).after(cursor)).thenApply(Scan::part))
                .toList();
    }

    private static Part part(JobPage page) {
        return new Part(page.jobs(), page.jobs().size(), page.next());
    }

    /** Jobs of a journal. */
    static Stock ended(AsyncDelayJobAdmin admin, EndedQuery query) {
        return (cursor, most) ->
                admin.ended(query.after(cursor)).thenApply(page -> new Part(page.jobs(), page.examined(), page.next()));
    }

    private CompletableFuture<Found> goOn(Place place) {
        if (place.list() >= lists.size()) {
            return CompletableFuture.completedFuture(new Found(found, examined, null));
        }
        if (isEnough()) {
            return CompletableFuture.completedFuture(new Found(found, examined, place));
        }
        return read(place, (int) Math.min(PAGE, bound.examined() - examined))
                .thenComposeAsync(part -> taken(place, part))
                .thenComposeAsync(this::goOn);
    }

    private CompletableFuture<Part> read(Place place, int most) {
        return lists.get(place.list()).read(place.cursor(), most);
    }

    /** Takes what is wanted of a part. One with too much of it is read again, as far as the last job that is wanted. */
    private CompletableFuture<Place> taken(Place place, Part part) {
        List<JobSnapshot> hits = part.jobs().stream().filter(wanted).toList();
        int room = bound.hits() - found.size();
        if (hits.size() <= room) {
            return CompletableFuture.completedFuture(next(place, part, hits));
        }
        int most = part.jobs().indexOf(hits.get(room - 1)) + 1;
        return read(place, most)
                .thenApply(less ->
                        next(place, less, less.jobs().stream().filter(wanted).toList()));
    }

    private Place next(Place place, Part part, List<JobSnapshot> hits) {
        examined += part.examined();
        found.addAll(hits);
        return part.next() == null ? new Place(place.list() + 1, null) : new Place(place.list(), part.next());
    }

    private boolean isEnough() {
        return found.size() >= bound.hits()
                || examined >= bound.examined()
                || System.nanoTime() - begun >= bound.time().toNanos();
    }
}
