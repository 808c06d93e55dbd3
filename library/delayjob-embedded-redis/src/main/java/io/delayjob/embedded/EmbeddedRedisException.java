package io.delayjob.embedded;

import java.io.Serial;

/** No Redis server could be found, started or reached; the message says what was tried and what to do. */
public final class EmbeddedRedisException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    private static final String ADVICE = System.lineSeparator()
            + "Install redis-server or valkey-server 6.2 or newer (on the PATH), or set spring.data.redis.host and"
            + " spring.data.redis.port to a server that is already running.";

    EmbeddedRedisException(String message) {
        super(message);
    }

    EmbeddedRedisException(String message, Throwable cause) {
        super(message, cause);
    }

    static EmbeddedRedisException withAdvice(String message) {
        return new EmbeddedRedisException(message + ADVICE);
    }
}
