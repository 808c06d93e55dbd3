package io.delayjob.engine.internal.running;

import io.delayjob.engine.extension.JobEvents;
import io.delayjob.engine.ledger.Settlement;
import java.util.function.Consumer;

/** How a run came to its end on this node. */
sealed interface Ending {

    /**
     * The ledger is to be told.
     *
     * @param settlement what
     * @param announcement what listeners hear when the ledger has it
     */
    record Settle(Settlement settlement, Consumer<JobEvents> announcement) implements Ending {}

    /** The job is no longer this run's. */
    record Lost() implements Ending {}

    /** The listener settles it itself: it has, or will, or its lease ends first. */
    record Unacknowledged() implements Ending {}
}
