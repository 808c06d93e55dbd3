package io.delayjob.brokers;

import java.util.List;

/** Takes messages from a destination of a broker. */
interface Consumer {

    /**
     * Takes the messages that are there; waits a moment for the first.
     *
     * @throws Exception if the broker is down; the next call tries again
     */
    List<Received> poll() throws Exception;

    /** Ends it. */
    default void close() {}
}
