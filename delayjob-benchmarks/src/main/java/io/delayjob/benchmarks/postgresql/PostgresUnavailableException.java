package io.delayjob.benchmarks.postgresql;

import java.io.Serial;

/** No PostgreSQL can be run on this machine. */
public final class PostgresUnavailableException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    PostgresUnavailableException(Exception cause) {
        super("no PostgreSQL can be run here: " + cause.getMessage(), cause);
    }
}
