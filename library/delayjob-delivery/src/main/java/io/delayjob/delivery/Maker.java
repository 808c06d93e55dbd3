package io.delayjob.delivery;

import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Somebody for whom bindings are made and processes are registered at run time, such as a caller of the server. It sees and changes only what
 * belongs to its own queues, and what it makes is bounded.
 *
 * @param name names it, and is kept with what it makes; null for the application itself
 * @param queues which queues are its own
 * @param mostBindings how many topics may be bound by it at a time; with fewer than {@link DelayJobTargets#MOST}, it also leaves the last
 *     hundred of all to others
 * @param mostClients how many processes may be registered by it within ten minutes
 */
public record Maker(@Nullable String name, Predicate<String> queues, int mostBindings, int mostClients) {

    /** The application itself, which sees and changes everything. */
    public static final Maker APPLICATION = new Maker(null, queue -> true, DelayJobTargets.MOST, Integer.MAX_VALUE);

    private static final int LEFT_TO_OTHERS = 100;

    /**
     * Whether a queue is its own.
     *
     * @param queue the name of the queue
     * @return true if it is
     */
    public boolean isFor(String queue) {
        return queues.test(queue);
    }

    /**
     * How many topics may be bound by all together when this one binds another.
     *
     * @return at most {@link DelayJobTargets#MOST}
     */
    public int mostOfAll() {
        return mostBindings < DelayJobTargets.MOST ? DelayJobTargets.MOST - LEFT_TO_OTHERS : DelayJobTargets.MOST;
    }
}
