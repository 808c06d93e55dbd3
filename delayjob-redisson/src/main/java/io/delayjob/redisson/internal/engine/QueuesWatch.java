package io.delayjob.redisson.internal.engine;

import io.delayjob.QueueCounts;
import io.delayjob.redisson.internal.ledger.Backend;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the names of the queues that this node submits to or runs where all nodes can find them, and warns of those that it has
 * submitted to and nobody runs: their jobs wait, and nothing else would say so. Thread-safe.
 */
final class QueuesWatch {

    /** In so many looks in a row, because nodes that all start anew are away for a moment. */
    private static final int CERTAIN = 2;

    /** The warning comes again after so many looks, a minute each. */
    private static final int AGAIN = 60;

    private static final int MOST_AT_ONCE = 250;
    private static final int MOST_NAMES = 10_000;

    private static final Logger log = LoggerFactory.getLogger(QueuesWatch.class);

    private final Backend backend;
    private final AsyncAdmin admin;
    private final Supplier<Set<String>> consumed;
    private final Set<String> submitted = ConcurrentHashMap.newKeySet();
    private final Map<String, Integer> missed = new ConcurrentHashMap<>();

    /**
     * A watch.
     *
     * @param consumed the queues whose jobs this node runs now
     */
    QueuesWatch(Backend backend, AsyncAdmin admin, Supplier<Set<String>> consumed) {
        this.backend = backend;
        this.admin = admin;
        this.consumed = consumed;
    }

    /** A job went to a queue. Its name is kept at once when it is the first; no submit waits for that. */
    void submitted(String queue) {
        if (!submitted.contains(queue) && submitted.size() < MOST_NAMES && submitted.add(queue)) {
            enlist(List.of(queue));
        }
    }

    /** Names the queues again, and looks at those that this node has submitted to; waits for nothing. */
    void look() {
        Set<String> names = new TreeSet<>(submitted);
        names.addAll(consumed.get());
        List<String> all = new ArrayList<>(names);
        for (int i = 0; i < all.size(); i += MOST_AT_ONCE) {
            enlist(all.subList(i, Math.min(all.size(), i + MOST_AT_ONCE)));
        }
        submitted.forEach(this::look);
    }

    private void enlist(List<String> queues) {
        quietly(backend.enlist(queues), "not named");
    }

    private void look(String queue) {
        quietly(
                admin.isConsumed(queue).thenCompose(known -> {
                    if (known) {
                        missed.remove(queue);
                        return CompletableFuture.completedFuture(true);
                    }
                    int looks = missed.merge(queue, 1, Integer::sum);
                    return looks % AGAIN == CERTAIN ? warn(queue) : CompletableFuture.completedFuture(false);
                }),
                "not known to have nodes");
    }

    private CompletableFuture<Boolean> warn(String queue) {
        return admin.counts(queue).thenApply(counts -> {
            boolean holds = waiting(counts) > 0;
            if (holds) {
                log.warn(
                        "queue '{}' holds {} jobs that wait, and no live node runs them: look whether its name is right. A node"
                                + " runs the default queue, those under delayjob.queues, and those of its beans and listeners",
                        queue,
                        waiting(counts));
            }
            return holds;
        });
    }

    private static long waiting(QueueCounts counts) {
        return counts.delayed() + counts.ready();
    }

    private static void quietly(CompletableFuture<?> call, String what) {
        call.whenComplete((done, failure) -> {
            if (failure != null) {
                log.debug("queues are {}", what, failure);
            }
        });
    }
}
