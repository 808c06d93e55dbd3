package io.delayjob.server.console.internal.jobs;

import io.delayjob.AsyncDelayJobAdmin;
import io.delayjob.JobPage;
import io.delayjob.JobQuery;
import io.delayjob.JobSnapshot;
import io.delayjob.JobState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Looks at jobs one after the other, queue by queue and state by state, for some of them; only so far, and says how far. A scan goes on
 * where another one stopped.
 */
public final class Scan {

    private static final int PAGE = 1000;
    private static final List<JobState> ORDER = List.of(
            JobState.RESERVED, JobState.READY, JobState.DEAD, JobState.DELAYED, JobState.COMPLETED, JobState.CANCELLED);

    /**
     * How far a scan goes.
     *
     * @param hits until it has found so many
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
                throw new IllegalArgumentException("this is no place to go on from; begin the search again", e);
            }
        }
    }

    /**
     * What was found.
     *
     * @param jobs the jobs
     * @param examined how many were looked at
     * @param next where to go on; null if all were looked at
     */
    public record Found(
            List<JobSnapshot> jobs, long examined, @Nullable Place next) {}

    private record Stock(String queue, JobState state) {}

    private final AsyncDelayJobAdmin admin;
    private final List<Stock> lists = new ArrayList<>();
    private final @Nullable String idPrefix;
    private final Predicate<JobSnapshot> wanted;
    private final Bound bound;
    private final long begun = System.nanoTime();
    private final List<JobSnapshot> found = new ArrayList<>();
    private long examined;

    private Scan(
            AsyncDelayJobAdmin admin,
            List<String> queues,
            List<JobState> states,
            @Nullable String idPrefix,
            Predicate<JobSnapshot> wanted,
            Bound bound) {
        this.admin = admin;
        this.idPrefix = idPrefix;
        this.wanted = wanted;
        this.bound = bound;
        List<JobState> inOrder = ORDER.stream()
                .filter(state -> states.isEmpty() || states.contains(state))
                .toList();
        inOrder.forEach(state -> queues.forEach(queue -> lists.add(new Stock(queue, state))));
    }

    /**
     * Looks for jobs.
     *
     * @param queues the queues to look in
     * @param states the states to look for; all if empty
     * @param idPrefix what their ids begin with; null for anything
     * @param wanted what else they have to be
     */
    public static CompletableFuture<Found> of(
            AsyncDelayJobAdmin admin,
            List<String> queues,
            List<JobState> states,
            @Nullable String idPrefix,
            Predicate<JobSnapshot> wanted,
            Bound bound,
            Place from) {
        return new Scan(admin, queues, states, idPrefix, wanted, bound).goOn(from);
    }

    private CompletableFuture<Found> goOn(Place place) {
        if (place.list() >= lists.size()) {
            return CompletableFuture.completedFuture(new Found(found, examined, null));
        }
        if (isEnough()) {
            return CompletableFuture.completedFuture(new Found(found, examined, place));
        }
        Stock list = lists.get(place.list());
        JobQuery query = new JobQuery(list.queue(), list.state(), null, idPrefix, io.delayjob.TimeRange.ANY, PAGE, place.cursor());
        return admin.list(query).thenComposeAsync(page -> goOn(next(place, page)));
    }

    private Place next(Place place, JobPage page) {
        examined += page.jobs().size();
        page.jobs().stream().filter(wanted).forEach(found::add);
        return page.next() == null ? new Place(place.list() + 1, null) : new Place(place.list(), page.next());
    }

    private boolean isEnough() {
        return found.size() >= bound.hits()
                || examined >= bound.examined()
                || System.nanoTime() - begun >= bound.time().toNanos();
    }
}
