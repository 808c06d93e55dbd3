package io.delayjob.redisson.events;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The events of all nodes, in one stream in Redis that keeps the last ones. Nodes append only while a server wants events, so that they
 * cost nothing where nobody follows them. A notice, not a log: what happens while a node cannot reach Redis may be missing. Every call
 * fails with a {@link io.delayjob.engine.ledger.LedgerException}.
 */
public interface EventStream {

    /** The most events of one call. */
    int MOST = 200;

    /**
     * For how long a node may believe that nobody wants events. Whoever wants them has those of all nodes once they have been wanted for
     * that long.
     */
    Duration UNWANTED = Duration.ofSeconds(1);

    /**
     * Appends events, if they are wanted. A call that may have run must not be repeated.
     *
     * @param events at most {@link #MOST}
     * @return false if nobody wants events
     */
    CompletableFuture<Boolean> append(List<StreamedEvent> events);

    /**
     * Makes all nodes append their events for the next five minutes.
     *
     * @param kept how many events the stream keeps, more or less
     */
    CompletableFuture<Wanted> want(int kept);

    /**
     * Reads events.
     *
     * @param after the place after which they are
     */
    CompletableFuture<Page> read(Position after);

    /**
     * Since when events are wanted.
     *
     * @param sinceMillis for how many milliseconds, by Redis' clock
     * @param end the place of the last event
     */
    record Wanted(long sinceMillis, Position end) {}

    /**
     * Events in their order.
     *
     * @param whole whether none is missing before the first; false if what the caller read before has been removed meanwhile
     * @param events the events; the stream has no further ones if there are less than {@link #MOST}
     */
    record Page(boolean whole, List<Placed> events) {}

    /**
     * An event and its place.
     *
     * @param at the place
     * @param event the event
     */
    record Placed(Position at, StreamedEvent event) {}
}
