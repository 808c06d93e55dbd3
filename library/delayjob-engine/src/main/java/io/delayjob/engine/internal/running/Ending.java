package io.delayjob.engine.internal.running;

import io.delayjob.engine.extension.JobEvents;
import io.delayjob.engine.ledger.Settlement;
import java.util.function.Consumer;

/** How a run ended on this node. */
sealed interface Ending {

    /**
     * The outcome must be stored in the ledger.
     *
     * @param settlement the outcome to store
     * @param announcement publishes the event once the ledger has stored it
     */
    record Settle(Settlement settlement, Consumer<JobEvents> announcement) implements Ending {}

    /** The run no longer holds the job. */
    record Lost() implements Ending {}

    /** The outcome is left to the listener: it has acknowledged the job, or still may. */
    record Unacknowledged() implements Ending {}
}
