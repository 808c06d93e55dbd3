package io.delayjob.delivery.internal.http;

/** A target has an address that nothing may be sent to. */
public final class ClosedAddressException extends IllegalArgumentException {

    ClosedAddressException(String message) {
        super(message);
    }
}
