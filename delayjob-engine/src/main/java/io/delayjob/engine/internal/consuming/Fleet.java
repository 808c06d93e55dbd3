package io.delayjob.engine.internal.consuming;

import io.delayjob.engine.ledger.Claimed;
import io.delayjob.engine.ledger.Feed;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * How many nodes serve a shard, whether they can run different jobs, and whether this one is the holder, as its last feed or claim was
 * told. Periods belong to the fleet: they grow with the number of nodes, up to some seconds, so that the load on Redis hardly does.
 * Thread-safe.
 */
final class Fleet {

    /**
     * No node looks less often than that. Nodes that were killed count until their registration ends, and those that are left are
     * not to be blind for as long as a large fleet could afford.
     */
    private static final Duration LONGEST = Duration.ofSeconds(5);

    /** How often a node that is alone polls while the queue is busy. */
    private static final Duration POLL = Duration.ofMillis(5);

    /** No job is claimed sooner than that before it is due. */
    private static final Duration MOST_AHEAD = Duration.ofMillis(50);

    private final AtomicBoolean seatIsFree = new AtomicBoolean();
    private volatile int nodes = 1;
    private volatile boolean holder;
    private volatile boolean mixed;

    void fed(Feed.Answer answer) {
        nodes = Math.max(1, answer.nodes());
        holder = answer.holder();
        mixed = answer.mixed();
        seatIsFree.set(false);
    }

    /** Tells the feeder if nobody is the holder. */
    void claimed(Claimed answer) {
        nodes = Math.max(1, answer.nodes());
        if (!answer.held() && !holder) {
            seatIsFree.set(true);
        }
    }

    /** Whether nodes can run different jobs. */
    boolean isMixed() {
        return mixed;
    }

    /** Nodes can run different jobs: another has said so. */
    void mixed() {
        mixed = true;
    }

    /** Whether this node arranges the doorbells. */
    boolean isHolder() {
        return holder;
    }

    /** This node is not the holder any more. */
    void leave() {
        holder = false;
    }

    /** How often this node polls while the queue is busy. */
    Duration poll() {
        return turn(POLL);
    }

    /** By how much it claims jobs before they are due: what becomes due until it has polled again, and once more. */
    Duration ahead() {
        Duration ahead = poll().multipliedBy(2);
        return ahead.compareTo(MOST_AHEAD) < 0 ? ahead : MOST_AHEAD;
    }

    /** After how long it is this node's turn, where a fleet of one would do something that often. */
    Duration turn(Duration alone) {
        return alone.multipliedBy(nodes);
    }

    /** How often this node looks after the shard: the holder as if it was alone, the others for all of them together. */
    Duration watch(Duration alone) {
        Duration turn = turn(alone);
        return holder ? alone : turn.compareTo(LONGEST) < 0 ? turn : LONGEST;
    }

    /** Whether a claim said that nobody is the holder; once for each. */
    boolean takeFreeSeat() {
        return seatIsFree.getAndSet(false);
    }
}
