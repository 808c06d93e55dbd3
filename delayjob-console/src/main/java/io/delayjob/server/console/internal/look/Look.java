package io.delayjob.server.console.internal.look;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How everything was at one moment.
 *
 * @param at when, by this server's clock
 * @param queues the queues by name, at most {@link Looker#MOST_QUEUES}
 * @param unseen how many further queues there are
 * @param more what needs attention beyond the queues themselves
 * @param failure why it could not be seen, and all else is as it was before; null if it could
 */
public record Look(
        Instant at,
        List<QueueLook> queues,
        int unseen,
        List<Concern> more,
        @Nullable String failure) {

    /** Before the first look. */
    static final Look NOTHING = new Look(Instant.EPOCH, List.of(), 0, List.of(), "");

    /** The same, of which Redis says no more. */
    Look failed(String why) {
        return new Look(at, queues, unseen, more, why);
    }

    /** What those see who know of some queues only. */
    public Look of(Predicate<String> known) {
        return new Look(
                at,
                queues.stream().filter(queue -> known.test(queue.name())).toList(),
                unseen,
                more.stream().filter(concern -> known.test(concern.queue())).toList(),
                failure);
    }

    /** Whether anything was ever seen. */
    public boolean isSomething() {
        return !at.equals(Instant.EPOCH);
    }

    /** The names of the queues. */
    public List<String> names() {
        return queues.stream().map(QueueLook::name).toList();
    }

    /** What needs attention. */
    public List<Concern> concerns() {
        return Concerns.of(queues, more);
    }

    /** The nodes, by name. */
    public List<NodeLook> nodes() {
        Map<String, List<NodeLook.Served>> nodes = queues.stream()
                .flatMap(queue -> queue.nodes().stream().map(node -> new NodeLook.Served(queue.name(), node)))
                .collect(Collectors.groupingBy(served -> served.node().node(), TreeMap::new, Collectors.toList()));
        return nodes.entrySet().stream()
                .map(node -> new NodeLook(node.getKey(), node.getValue()))
                .toList();
    }

    /** Jobs of all queues that are due. */
    public long ready() {
        return queues.stream().mapToLong(queue -> queue.counts().ready()).sum();
    }

    /** Jobs of all queues that are not due. */
    public long delayed() {
        return queues.stream().mapToLong(queue -> queue.counts().delayed()).sum();
    }

    /** Jobs of all queues that run. */
    public long reserved() {
        return queues.stream().mapToLong(queue -> queue.counts().reserved()).sum();
    }

    /** Jobs of all queues that were given up. */
    public long dead() {
        return queues.stream().mapToLong(queue -> queue.counts().dead()).sum();
    }

    /** Whether any queue's rates are known. */
    public boolean isRated() {
        return queues.stream().anyMatch(queue -> queue.rates() != null);
    }

    /** What completes in all queues, a second. */
    public double completed() {
        return rated(Rates::completed);
    }

    /** What fails in all queues, a second. */
    public double failed() {
        return rated(Rates::failed) + rated(Rates::died);
    }

    /** The lateness that 99 in 100 attempts do not exceed in the worst queue; -1 if nothing started. */
    public long p99() {
        return queues.stream()
                .map(QueueLook::rates)
                .mapToLong(rates -> rates == null ? -1 : rates.p99())
                .max()
                .orElse(-1);
    }

    private double rated(ToDoubleFunction<Rates> part) {
        return queues.stream()
                .map(QueueLook::rates)
                .mapToDouble(rates -> rates == null ? 0 : part.applyAsDouble(rates))
                .sum();
    }

    /** What completes in all queues, second by second. */
    public Chart throughput() {
        double[] sum = new double[RateBook.SECONDS];
        queues.stream().map(QueueLook::rates).forEach(rates -> {
            if (rates != null) {
                for (int i = 0; i < sum.length; i++) {
                    sum[i] += rates.perSecond().get(i);
                }
            }
        });
        return Chart.of(sum, 720, 90);
    }

    /** What was due in all queues, minute by minute. */
    public Chart backlog() {
        int longest =
                queues.stream().mapToInt(queue -> queue.history().size()).max().orElse(0);
        double[] sum = new double[longest];
        for (QueueLook queue : queues) {
            int offset = longest - queue.history().size();
            for (int i = 0; i < queue.history().size(); i++) {
                sum[offset + i] += queue.history().get(i).ready();
            }
        }
        return Chart.of(sum, 720, 90);
    }
}
