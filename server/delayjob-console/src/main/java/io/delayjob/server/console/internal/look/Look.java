package io.delayjob.server.console.internal.look;

import io.delayjob.server.web.Problem;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How everything was at one moment.
 *
 * @param at when, by this server's clock
 * @param queues the queues by name, at most {@link Looker#MOST_QUEUES}, of those that its watchers may see
 * @param unseen how many further ones they may see
 * @param more the alerts beyond those of the queues themselves
 * @param failure why Redis could not be read, so that all else is as it was before; null if it was read
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

    /** The same of some of the queues. */
    public Look of(Predicate<String> known) {
        return new Look(
                at,
                queues.stream().filter(queue -> known.test(queue.name())).toList(),
                unseen,
                more.stream().filter(concern -> known.test(concern.queue())).toList(),
                failure);
    }

    /** The same; fails with a 503 if Redis could not be read. */
    public Look orThrow() {
        if (failure != null) {
            throw Problem.REDIS_UNAVAILABLE.with("Redis did not answer: " + failure + "; try again later");
        }
        return this;
    }

    /** Whether anything was ever seen. */
    public boolean isSomething() {
        return !at.equals(Instant.EPOCH);
    }

    /** The names of the queues. */
    public List<String> names() {
        return queues.stream().map(QueueLook::name).toList();
    }

    /** All alerts: those of the queues, and the further ones. */
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

    /** Jobs of all queues that have ended and are kept. */
    public long finished() {
        return queues.stream().mapToLong(queue -> queue.counts().finished()).sum();
    }

    /** For how long the job of all queues that has waited longest has been due. */
    public long overdueMillis() {
        return queues.stream().mapToLong(QueueLook::overdueMillis).max().orElse(0);
    }

    /** The history of all queues together, over the last day. */
    public Past past() {
        return Past.sum(queues.stream().map(QueueLook::past).toList());
    }
}
