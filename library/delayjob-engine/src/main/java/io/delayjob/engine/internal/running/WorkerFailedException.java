package io.delayjob.engine.internal.running;

import java.io.PrintWriter;

/** The failure of an attempt on a worker elsewhere. It is nothing but what the worker stated: it has no stack trace. */
final class WorkerFailedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    WorkerFailedException(String error) {
        super(error, null, false, false);
    }

    /** Without the name of this class, which says nothing about the failure. */
    @Override
    @SuppressWarnings("OverrideThrowableToString")
    public String toString() {
        return String.valueOf(getMessage());
    }

    @Override
    public void printStackTrace(PrintWriter out) {
        out.print(this);
    }
}
