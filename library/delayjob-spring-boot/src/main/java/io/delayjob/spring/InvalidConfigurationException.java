package io.delayjob.spring;

import io.delayjob.DelayJobException;
import org.jspecify.annotations.Nullable;

/** Something in the application's properties, annotations or beans that delayjob cannot start with. */
public final class InvalidConfigurationException extends DelayJobException {

    private static final long serialVersionUID = 1L;

    /** Names the place and the remedy. */
    public InvalidConfigurationException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
