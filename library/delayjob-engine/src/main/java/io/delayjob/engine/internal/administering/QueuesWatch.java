package io.delayjob.engine.internal.administering;

import io.delayjob.QueueCounts;
import io.delayjob.engine.ledger.Backend;
import io.delayjob.engine.ledger.Ledger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the names of the queues that this node submits to or runs where all nodes can find them, and warns of those that it has
 * submitted to and nobody runs: their jobs wait, and nothing else would say so. A queue that it has not submitted to for a day is forgotten here.
 * Thread-safe, except that {@link #look} is called by one thread.
 */
public final class QueuesWatch {

    /** In so many looks in a row, because nodes that all start anew are away for a moment. */
    private static final int CERTAIN = 2;

    /** The warning comes again after so many looks, a minute each. */
    private static final int AGAIN = 60;

    /** A queue that nothing was submitted to in so many looks is forgotten. */
    private static final int DAY = 24 * 60;

    private static final int MOST_AT_ONCE = Ledger.MAX_BATCH;
    private static final int MOST_NAMES = 10_000;

    private static final Logger log = LoggerFactory.getLogger(QueuesWatch.class);

    private final Backend backend;
    private final AsyncAdmin admin;
    private final Supplier<Set<String>> consumed;
    private final Consumer<String> first;
    /** The look before the last submit, by queue. */
    private final Map<String, Integer> submitted = new ConcurrentHashMap<>();

    private final Map<String, Integer> missed = new ConcurrentHashMap<>();
    private volatile int looks;
    private CompletableFuture<?> looking = CompletableFuture.completedFuture(null);

    /**
     * A watch.
     *
     * @param consumed the queues whose jobs this node runs now
     * @param first is told of a queue with the first job that goes to it; waits for nothing
     */
    public QueuesWatch(Backend backend, AsyncAdmin admin, Supplier<Set<String>> consumed, Consumer<String> first) {
        this.backend = backend;
        this.admin = admin;
        this.consumed = consumed;
        this.first = first;
    }

    /** A job went to a queue. Its name is kept at once when it is the first; no submit waits for that. */
    public void submitted(String queue) {
        int now = looks;
        Integer last = submitted.get(queue);
        if (last != null) {
            if (last != now) {
                submitted.put(queue, now);
            }
        } else if (submitted.size() < MOST_NAMES && submitted.putIfAbsent(queue, now) == null) {
            enlist(List.of(queue));
            first.accept(queue);
        }
    }

    /** Names the queues again, and looks at those that others have to run, unless it is still about that; waits for nothing. */
    public void look() {
        int now = looks + 1;
        looks = now;
        submitted.values().removeIf(last -> now - last > DAY);
        Set<String> own = consumed.get();
        Set<String> names = new TreeSet<>(submitted.keySet());
        names.addAll(own);
        List<String> all = new ArrayList<>(names);
        for (int i = 0; i < all.size(); i += MOST_AT_ONCE) {
            enlist(all.subList(i, Math.min(all.size(), i + MOST_AT_ONCE)));
        }
        if (looking.isDone()) {
            names.removeAll(own);
            missed.keySet().retainAll(names);
            looking = look(names);
        }
    }

    private void enlist(List<String> queues) {
        var unused = quietly(backend.enlist(queues), "not named");
    }

    /** One after the other: there may be thousands, and nobody is in a hurry. */
    private CompletableFuture<?> look(Set<String> queues) {
        CompletableFuture<?> looked = CompletableFuture.completedFuture(null);
        for (String queue : queues) {
            looked = looked.thenCompose(before ->
                    quietly(admin.unconsumed(queue).thenAccept(held -> seen(queue, held)), "not known to have nodes"));
        }
        return looked;
    }

    private void seen(String queue, QueueCounts unconsumed) {
        long waiting = unconsumed.delayed() + unconsumed.ready();
        if (waiting == 0) {
            missed.remove(queue);
        } else if (missed.merge(queue, 1, Integer::sum) % AGAIN == CERTAIN) {
            log.warn(
                    "queue '{}' holds {} jobs that wait, and no live node runs them: look whether its name is right. A node"
                            + " with beans or listeners runs the default queue, those under delayjob.queues, and those of its beans and"
                            + " listeners; a worker elsewhere counts for a minute after each claim",
                    queue,
                    waiting);
        }
    }

    private static CompletableFuture<?> quietly(CompletableFuture<?> call, String what) {
        return call.handle((done, failure) -> {
            if (failure != null) {
                log.debug("queues are {}", what, failure);
            }
            return null;
        });
    }
}
