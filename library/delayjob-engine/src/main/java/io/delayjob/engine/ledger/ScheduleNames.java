package io.delayjob.engine.ledger;

import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The names of all schedules, each with its queue, so that a name has one queue. Every step is safe to repeat. */
public interface ScheduleNames {

    /**
     * Records the queue of a schedule. Answers the queue that is recorded then.
     *
     * @param name the schedule
     * @param queue its queue
     * @param instead the queue that it replaces; null if it replaces none
     */
    CompletableFuture<String> put(String name, String queue, @Nullable String instead);

    /** Removes a name, unless another queue than the given one is recorded for it. */
    CompletableFuture<Boolean> remove(String name, String queue);

    /** The queue of a schedule. */
    CompletableFuture<Optional<String>> queueOf(String name);

    /** All names, each with its queue. */
    CompletableFuture<SortedMap<String, String>> all();
}
