package io.delayjob.delivery.internal.amqp;

import org.springframework.amqp.AmqpException;

/** The broker returned a message, since it belongs in no queue. */
final class UnroutableException extends AmqpException {

    private static final long serialVersionUID = 1L;

    UnroutableException(String message) {
        super(message);
    }
}
