package io.delayjob.brokers;

import java.util.List;

/** Takes messages from a destination of a broker. */
interface Consumer {

    /**
     * What is there, waiting a moment for the first.
     *
     * @throws Exception if the broker is away; then it goes on with the next call
     */
    List<Received> poll() throws Exception;

    /** Ends it. */
    default void close() {}
}
