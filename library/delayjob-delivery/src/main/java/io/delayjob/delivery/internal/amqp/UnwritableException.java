package io.delayjob.delivery.internal.amqp;

import org.springframework.amqp.AmqpException;

/** The client cannot write a message, such as one whose headers fit into no frame. */
final class UnwritableException extends AmqpException {

    private static final long serialVersionUID = 1L;

    UnwritableException(IllegalArgumentException cause) {
        super(String.valueOf(cause.getMessage()), cause);
    }
}
