package io.delayjob.delivery.internal.amqp;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.ShutdownSignalException;
import org.jspecify.annotations.Nullable;
import org.springframework.core.NestedExceptionUtils;

/** Why the broker closed a channel. */
final class AmqpFailures {

    static final int CONTENT_TOO_LARGE = AMQP.CONTENT_TOO_LARGE;
    static final int ACCESS_REFUSED = AMQP.ACCESS_REFUSED;
    static final int NOT_FOUND = AMQP.NOT_FOUND;
    static final int PRECONDITION_FAILED = AMQP.PRECONDITION_FAILED;

    private AmqpFailures() {}

    /** The broker's reply code; 0 if it gave none. */
    static int code(Throwable failure) {
        AMQP.Channel.@Nullable Close close = close(failure);
        return close == null ? 0 : close.getReplyCode();
    }

    /** The broker's own words, or those of the failure. */
    static String reason(Throwable failure) {
        AMQP.Channel.@Nullable Close close = close(failure);
        return close == null
                ? NestedExceptionUtils.getMostSpecificCause(failure).toString()
                : close.getReplyText();
    }

    private static AMQP.Channel.@Nullable Close close(Throwable failure) {
        for (@Nullable Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof ShutdownSignalException signal
                    && signal.getReason() instanceof AMQP.Channel.Close close) {
                return close;
            }
        }
        return null;
    }
}
