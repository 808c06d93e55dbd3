package io.delayjob.embedded;

import java.io.IOException;
import java.io.Serial;

/** An error reply of a server, such as {@code LOADING Redis is loading the dataset in memory}. */
final class RespError extends IOException {
    @Serial
    private static final long serialVersionUID = 1L;

    RespError(String message) {
        super(message);
    }

    boolean is(String code) {
        return String.valueOf(getMessage()).startsWith(code);
    }
}
