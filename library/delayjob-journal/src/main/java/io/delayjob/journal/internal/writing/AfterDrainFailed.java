package io.delayjob.journal.internal.writing;

import io.delayjob.DelayJobException;

/** {@link AfterDrain} failed, which says nothing of the writing. */
final class AfterDrainFailed extends DelayJobException {

    private static final long serialVersionUID = 1L;

    AfterDrainFailed(RuntimeException cause) {
        super(String.valueOf(cause.getMessage()), cause);
    }
}
