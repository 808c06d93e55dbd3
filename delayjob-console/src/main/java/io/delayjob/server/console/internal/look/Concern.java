package io.delayjob.server.console.internal.look;

/**
 * Something that needs attention.
 *
 * @param severity how much
 * @param kind what it is; its words are under {@code concern.}
 * @param queue the queue
 * @param count how many jobs
 * @param millis for how long; 0 if that does not matter
 */
public record Concern(Severity severity, String kind, String queue, long count, long millis) {

    /** How much attention something needs, the most first. */
    public enum Severity {
        /** Jobs do not run. */
        BAD,
        /** Somebody should look. */
        WARN
    }

    /** The state of the jobs that it is about, to list them. */
    public String state() {
        return kind.equals("dead") ? "DEAD" : "READY";
    }
}
