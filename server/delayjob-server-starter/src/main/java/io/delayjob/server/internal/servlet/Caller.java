package io.delayjob.server.internal.servlet;

/**
 * The caller of a request whose body was read to its end. It is looked for only until the answer begins: from then on the connection
 * belongs to the container alone.
 */
final class Caller {

    private final TomcatConnection connection;
    private boolean isAnswered;

    Caller(TomcatConnection connection) {
        this.connection = connection;
    }

    /** Whether the caller has gone. */
    synchronized boolean isGone() {
        return !isAnswered && connection.isClosed();
    }

    /** Says that the answer begins, unless the caller has gone. */
    synchronized boolean answer() {
        if (isGone()) {
            return false;
        }
        isAnswered = true;
        return true;
    }
}
