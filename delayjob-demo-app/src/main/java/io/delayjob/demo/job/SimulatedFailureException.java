package io.delayjob.demo.job;

import java.io.Serial;

/** Thrown by an attempt that was asked to fail. */
final class SimulatedFailureException extends Exception {

    @Serial
    private static final long serialVersionUID = 1L;

    SimulatedFailureException(int attempt, int fail) {
        super("attempt %d fails, as asked by fail=%d".formatted(attempt, fail));
    }
}
