package io.delayjob;

import io.delayjob.support.Checks;

/**
 * How far a job has come, as it last said.
 *
 * @param percent 0 to 100
 * @param text a line for people, at most 1024 characters; empty if there is none
 */
public record Progress(int percent, String text) {

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if one is out of its range, naming it
     */
    public Progress {
        if (percent < 0 || percent > 100) {
            throw new IllegalArgumentException("progress must be 0 to 100 percent: " + percent);
        }
        Checks.line(text, "progress text");
    }
}
