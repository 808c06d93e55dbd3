package io.delayjob.server.console.internal.look;

import io.delayjob.redisson.history.Counts;
import io.delayjob.redisson.history.Span;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The history of one queue, or of several together, over the last day.
 *
 * @param atMillis when it was read, by Redis' clock
 * @param spans the slots of each span, the oldest first; the last one has only begun
 */
public record Past(long atMillis, Map<Span, List<Counts>> spans) {

    /** Nothing happened. */
    static final Past NOTHING = new Past(0, nothing());

    private static final int RATED_SLOTS = 12;
    private static final int HOUR = 60;
    private static final double MILLIS = 1000;

    private static Map<Span, List<Counts>> nothing() {
        Map<Span, List<Counts>> spans = new EnumMap<>(Span.class);
        for (Span span : Span.values()) {
            spans.put(span, Collections.nCopies(span.slots(), Counts.NONE));
        }
        return spans;
    }

    /** The history of all of these queues together. */
    static Past sum(List<Past> parts) {
        if (parts.size() == 1) {
            return parts.get(0);
        }
        Map<Span, List<Counts>> spans = new EnumMap<>(Span.class);
        for (Span span : Span.values()) {
            spans.put(
                    span,
                    IntStream.range(0, span.slots())
                            .mapToObj(slot -> sum(
                                    parts.stream().map(part -> part.slots(span).get(slot))))
                            .toList());
        }
        return new Past(parts.stream().mapToLong(Past::atMillis).max().orElse(0), spans);
    }

    private static Counts sum(Stream<Counts> counts) {
        return counts.filter(one -> !one.isNothing()).reduce(Counts.NONE, Counts::plus);
    }

    private List<Counts> slots(Span span) {
        return spans.getOrDefault(span, List.of());
    }

    /** The slots that have ended. */
    private List<Counts> ended(Span span) {
        List<Counts> slots = slots(span);
        return slots.subList(0, slots.size() - 1);
    }

    private static List<Counts> last(List<Counts> slots, int count) {
        return slots.subList(slots.size() - count, slots.size());
    }

    /** Rates and lateness within the last minute and the slot that has only begun. */
    public Rates rates() {
        Span span = Span.MINUTES;
        Counts minute = sum(last(slots(span), RATED_SLOTS + 1).stream());
        double seconds =
                (double) RATED_SLOTS * span.seconds() + Math.floorMod(atMillis, 1000L * span.seconds()) / MILLIS;
        return new Rates(
                minute.completed() / seconds,
                (minute.failed() + minute.died()) / seconds,
                rounded(minute.lateness(0.5)),
                rounded(minute.lateness(0.99)));
    }

    private static long rounded(double lateness) {
        return (long) Math.ceil(lateness);
    }

    /** How many jobs died within the last hour. */
    public long died() {
        return last(slots(Span.HOURS), HOUR).stream().mapToLong(Counts::died).sum();
    }

    /** Completed and failed attempts: per second for the last minutes, per minute for longer spans. */
    public Plot work(Span span) {
        double per = span == Span.MINUTES ? span.seconds() : span.seconds() / (double) HOUR;
        return plot(
                Plot.Unit.RATE,
                span,
                Plot.Values.of("completed", values(span, slot -> slot.completed() / per)),
                Plot.Values.of("failed", values(span, slot -> (slot.failed() + slot.died()) / per)));
    }

    /** The lateness, in milliseconds, that 99 in 100 of the attempts did not exceed, and the one that half of them did not. */
    public Plot lateness(Span span) {
        return plot(
                Plot.Unit.MILLIS,
                span,
                Plot.Values.of("p99", values(span, slot -> Math.max(0, slot.lateness(0.99)))),
                Plot.Values.of("p50", values(span, slot -> Math.max(0, slot.lateness(0.5)))));
    }

    /**
     * The jobs that were due when a server looked, once a minute; not known where none did. The clock of a server is not that of Redis, so the
     * look of a minute may be in the slot beside it: one slot alone is as the one before.
     */
    public Plot backlog(Span span) {
        double[] ready = values(span, slot -> slot.ready() < 0 ? Double.NaN : slot.ready());
        for (int i = 1; i < ready.length - 1; i++) {
            if (Double.isNaN(ready[i]) && !Double.isNaN(ready[i + 1])) {
                ready[i] = ready[i - 1];
            }
        }
        return plot(Plot.Unit.JOBS, span, Plot.Values.of("jobs", ready));
    }

    private Plot plot(Plot.Unit unit, Span span, Plot.Values... lines) {
        Reach reach = reach(span);
        return Plot.until(
                reach,
                Duration.ofSeconds(span.seconds()),
                unit,
                Arrays.stream(lines).map(line -> line.last(reach.slots(span))).toArray(Plot.Values[]::new));
    }

    /** The same for all charts of a span. */
    private Reach reach(Span span) {
        List<Counts> slots = ended(span);
        int unknown = 0;
        while (unknown < slots.size() && slots.get(unknown).isNothing()) {
            unknown++;
        }
        return Reach.of(span, slots.size() - unknown);
    }

    /** Whether an attempt was made, or a job was due, within the last day. */
    boolean isActive() {
        return slots(Span.DAY).stream()
                .anyMatch(
                        slot -> slot.ready() > 0 || slot.completed() + slot.failed() + slot.died() + slot.began() > 0);
    }

    /** Completed attempts, as a small line chart. */
    public Chart line(Span span) {
        return Chart.of(values(span, Counts::completed), 120, 24);
    }

    private double[] values(Span span, ToDoubleFunction<Counts> value) {
        return ended(span).stream().mapToDouble(value).toArray();
    }
}
