package io.delayjob.engine.internal.consuming;

import io.delayjob.engine.ledger.Claimed;
import io.delayjob.engine.ledger.Feed;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The fleet of a shard as this node knows it from its last feed or claim: the number of nodes, whether they have different
 * handlers, and whether this node is the holder. Periods grow with the number of nodes, up to some seconds, so that the load on
 * Redis hardly grows. Thread-safe.
 */
final class Fleet {

    /**
     * The longest period of any node. Killed nodes count until their registration ends; without this limit, the few nodes left of a
     * large fleet would look too rarely until then.
     */
    private static final Duration LONGEST = Duration.ofSeconds(5);

    /** How often a fleet of one polls while the queue is busy. */
    private static final Duration POLL = Duration.ofMillis(5);

    /** The longest time between two claims of a fleet of one. */
    private static final Duration LOOK = Duration.ofMillis(1500);

    /** How much earlier the node that watches for the next job claims it than the others. */
    private static final Duration HEAD_START = Duration.ofMillis(7);

    /** The longest time that a job is claimed before it is due. */
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

    /** Notes the answer to a claim, and whether the shard has no holder, so that the feeder feeds at once. */
    void claimed(Claimed answer) {
        nodes = Math.max(1, answer.nodes());
        if (!answer.held() && !holder) {
            seatIsFree.set(true);
        }
    }

    /** Whether other nodes are alive. */
    boolean hasOthers() {
        return nodes > 1;
    }

    /** Whether the nodes have different handlers. */
    boolean isMixed() {
        return mixed;
    }

    /** Notes that the nodes have different handlers. */
    void mixed() {
        mixed = true;
    }

    /** Whether this node is the holder. */
    boolean isHolder() {
        return holder;
    }

    /** Notes that this node is no longer the holder. */
    void leave() {
        holder = false;
    }

    /** How often this node polls while the queue is busy. */
    Duration poll() {
        return turn(POLL);
    }

    /** How long before its due time this node claims a job: two poll periods, at most 50 ms. */
    Duration ahead() {
        Duration ahead = poll().multipliedBy(2);
        return ahead.compareTo(MOST_AHEAD) < 0 ? ahead : MOST_AHEAD;
    }

    /** The period of one node if the whole fleet takes turns, where a fleet of one has the period {@code alone}. */
    Duration turn(Duration alone) {
        return alone.multipliedBy(nodes);
    }

    /** How often this node feeds or looks for jobs: the holder as often as a fleet of one, the others in turns. */
    Duration watch(Duration alone) {
        Duration turn = turn(alone);
        return holder ? alone : turn.compareTo(LONGEST) < 0 ? turn : LONGEST;
    }

    /** How long this node may wait until its next claim; {@code watching} says whether it watches for the next job. */
    Duration untilNext(Claimed claimed, boolean watching) {
        Duration look = watch(LOOK);
        return switch (claimed.mode()) {
            case PAUSED, FULL -> look;
            case BUSY -> poll();
            case QUIET -> {
                if (claimed.nextMillis() == null) {
                    yield look;
                }
                Duration later = watching ? Duration.ZERO : turn(HEAD_START);
                Duration due = Duration.ofMillis(claimed.nextMillis()).plus(later);
                yield due.compareTo(look) < 0 ? due : look;
            }
        };
    }

    /** Whether a claim found that the shard has no holder; true once per claim. */
    boolean takeFreeSeat() {
        return seatIsFree.getAndSet(false);
    }
}
