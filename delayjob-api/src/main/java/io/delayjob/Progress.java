package io.delayjob;

import io.delayjob.support.Checks;

/**
 * The progress that a job last reported.
 *
 * @param percent 0 to 100
 * @param text a line for people, at most 1024 characters; empty if there is none
 */
public record Progress(int percent, String text) {

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if a value is out of range; the message names it
     */
    public Progress {
        if (percent < 0 || percent > 100) {
            throw new IllegalArgumentException("progress must be 0 to 100 percent: " + percent);
        }
        Checks.line(text, "progress text");
    }
}
