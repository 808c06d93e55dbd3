package io.delayjob.server.command;

import java.io.Serial;

/** A command line that cannot be understood; the message names what is wrong. */
final class BadCommandException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    BadCommandException(String message) {
        super(message);
    }
}
