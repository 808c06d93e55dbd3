package io.delayjob.delivery.internal.jms;

import org.jspecify.annotations.Nullable;

/** Recognizes failures that JMS providers report by exceptions of their own. */
final class JmsFailures {

    private JmsFailures() {}

    /** Whether the message is larger than the broker takes: ActiveMQ Classic's exception for it. */
    static boolean isTooLong(Throwable failure) {
        for (@Nullable Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause.getClass().getSimpleName().equals("MaxFrameSizeExceededException")) {
                return true;
            }
        }
        return false;
    }
}
