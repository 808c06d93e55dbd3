package io.delayjob;

import org.jspecify.annotations.Nullable;

/** Thrown by a {@link DelayJob} to say that no further attempt can help: the job is {@link JobState#DEAD} at once. */
public class NonRetryableException extends DelayJobException {

    private static final long serialVersionUID = 1L;

    /**
     * With a reason.
     *
     * @param message why, kept as the job's last error
     */
    public NonRetryableException(String message) {
        this(message, null);
    }

    /**
     * With a reason and its cause.
     *
     * @param message why, kept as the job's last error
     * @param cause the cause, or null
     */
    public NonRetryableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
