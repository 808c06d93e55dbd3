package io.delayjob.server.console.internal.jobs;

import io.delayjob.AsyncDelayJobAdmin;
import io.delayjob.JobSnapshot;
import io.delayjob.JobState;
import io.delayjob.TimeRange;
import io.delayjob.server.console.internal.jobs.Scan.Bound;
import io.delayjob.server.console.internal.jobs.Scan.Found;
import io.delayjob.server.console.internal.jobs.Scan.Place;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** Looks at jobs queue by queue in turn, so that a large queue leaves the others their share, and says of each how far it looked. */
public final class Turns {

    private final AsyncDelayJobAdmin admin;
    private final List<JobState> states;
    private final TimeRange times;
    private final Consumer<JobSnapshot> each;
    private final Queue<Turn> waiting = new ArrayDeque<>();
    private final Map<String, Looked> looked = new TreeMap<>();
    private final long share;
    private final long end;
    private long left;

    /**
     * How far a queue was looked at.
     *
     * @param queue the queue
     * @param examined how many of its jobs were looked at
     * @param all whether these were all
     */
    public record Looked(String queue, long examined, boolean all) {

        /** Before anything of a queue was looked at. */
        public static Looked nothing(String queue) {
            return new Looked(queue, 0, false);
        }
    }

    private record Turn(String queue, Place place) {}

    private Turns(
            AsyncDelayJobAdmin admin,
            List<JobState> states,
            TimeRange times,
            Consumer<JobSnapshot> each,
            long share,
            long most,
            Duration time) {
        this.admin = admin;
        this.states = states;
        this.times = times;
        this.each = each;
        this.share = share;
        this.left = most;
        this.end = System.nanoTime() + time.toNanos();
    }

    /**
     * Looks at jobs.
     *
     * @param times the times of the jobs that are to be looked at
     * @param each is given every job
     * @param most how many jobs are looked at in all
     * @param time for how long
     * @return how far each queue was looked at, by its name
     */
    public static CompletableFuture<Map<String, Looked>> of(
            AsyncDelayJobAdmin admin,
            List<String> queues,
            List<JobState> states,
            TimeRange times,
            Consumer<JobSnapshot> each,
            long most,
            Duration time) {
        long share = Math.max(1, Math.min(Scan.PAGE, most / Math.max(1, queues.size())));
        Turns turns = new Turns(admin, states, times, each, share, most, time);
        queues.forEach(queue -> {
            turns.waiting.add(new Turn(queue, Place.BEGIN));
            turns.looked.put(queue, Looked.nothing(queue));
        });
        return turns.goOn();
    }

    private CompletableFuture<Map<String, Looked>> goOn() {
        Turn turn = left > 0 && System.nanoTime() < end ? waiting.poll() : null;
        return turn == null
                ? CompletableFuture.completedFuture(looked)
                : scan(turn).thenComposeAsync(found -> took(turn, found));
    }

    private CompletableFuture<Found> scan(Turn turn) {
        Bound bound = new Bound(
                Integer.MAX_VALUE, Math.min(share, left), Duration.ofNanos(Math.max(1, end - System.nanoTime())));
        return Scan.of(
                Scan.live(admin, List.of(turn.queue()), states, null, state -> times),
                job -> {
                    each.accept(job);
                    return false;
                },
                bound,
                turn.place());
    }

    private CompletableFuture<Map<String, Looked>> took(Turn turn, Found found) {
        Place next = found.next();
        left -= found.examined();
        looked.computeIfPresent(
                turn.queue(), (queue, before) -> new Looked(queue, before.examined() + found.examined(), next == null));
        if (next != null) {
            waiting.add(new Turn(turn.queue(), next));
        }
        return goOn();
    }
}
