package io.delayjob.spring.autoconfigure;

import io.delayjob.spring.InvalidConfigurationException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * One node of a fleet. Two application contexts of a JVM cannot both be it: each would report, and take leave, for the other.
 *
 * @param place where the fleet's jobs are
 * @param node the node's name
 */
record NodeSeat(Object place, String node) {

    private static final Set<NodeSeat> TAKEN = ConcurrentHashMap.newKeySet();

    /**
     * Takes the seat.
     *
     * @throws InvalidConfigurationException if another context of this JVM has it
     */
    void take() {
        if (!TAKEN.add(this)) {
            throw new InvalidConfigurationException(
                    "delayjob.node must be unique in the fleet: another application context of this JVM runs as '"
                            + node + "'; give each a name of its own, or leave it out",
                    null);
        }
    }

    /** Gives the seat up. */
    void leave() {
        TAKEN.remove(this);
    }
}
