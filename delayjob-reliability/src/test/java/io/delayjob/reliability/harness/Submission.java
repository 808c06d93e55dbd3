package io.delayjob.reliability.harness;

/**
 * A job that was submitted, and what its submitter was told.
 *
 * @param id the job
 * @param beforeMillis when the submit began, by the machine's clock
 * @param delayMillis the delay it asked for
 * @param confirmed whether Redis confirmed it, if need be after a repeat with the same id; if not, its submitter was told that
 *     it is not stored
 */
public record Submission(String id, long beforeMillis, long delayMillis, boolean confirmed) {

    /** Before this it must not run, by the machine's clock. */
    long notBeforeMillis() {
        return beforeMillis + delayMillis;
    }
}
