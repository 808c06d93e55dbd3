package io.delayjob.redisson.history;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * History of the queues during the last day, in Redis. Bounded: {@link #MOST_QUEUES} queues, and of each the slots of all {@link
 * Span}s. A queue without new counts for a day is forgotten. The clock is that of Redis. Every call fails with a {@link
 * io.delayjob.engine.ledger.LedgerException}.
 */
public interface HistoryStore {

    /** How many queues there are; further ones are not counted. */
    int MOST_QUEUES = 200;

    /** How many queues a call reads at most. */
    int MOST_READ = 50;

    /**
     * Adds what happened in some queues just now. A call that may have run must not be repeated.
     *
     * @param counts the counts by queue, for at most {@link #MOST_QUEUES} queues
     */
    CompletableFuture<Void> add(Map<String, Counts> counts);

    /**
     * Reads the history of some queues. A slot no longer changes once a later one has been read.
     *
     * @param queues the queues, at most {@link #MOST_READ}
     * @param from the first slot to be read of each span; 0 for all
     */
    CompletableFuture<Page> read(List<String> queues, Map<Span, Long> from);

    /**
     * Result of {@link HistoryStore#read}.
     *
     * @param atMillis when it was read, by Redis' clock, in milliseconds since 1970
     * @param slots the slots in which anything happened
     */
    record Page(long atMillis, List<Slot> slots) {}

    /**
     * Counts of a queue in one slot.
     *
     * @param number the number of the slot, see {@link Span#slot}
     */
    record Slot(Span span, String queue, long number, Counts counts) {}
}
