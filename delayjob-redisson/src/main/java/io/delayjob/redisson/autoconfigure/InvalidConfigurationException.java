package io.delayjob.redisson.autoconfigure;

import io.delayjob.DelayJobException;
import org.jspecify.annotations.Nullable;

/** Something in the application's properties or beans that delayjob cannot start with. */
final class InvalidConfigurationException extends DelayJobException {

    private static final long serialVersionUID = 1L;

    InvalidConfigurationException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
