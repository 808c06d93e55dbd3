package io.delayjob.server.console.internal.look;

/**
 * Something that needs attention.
 *
 * @param severity how much
 * @param kind its kind, which selects the message {@code concern.<kind>}
 * @param queue the queue
 * @param count how many jobs
 * @param millis for how long; 0 if that does not matter
 * @param names of the handlers that are missing; empty if none is
 */
public record Concern(Severity severity, String kind, String queue, long count, long millis, String names) {

    /** Of a queue that has all handlers. */
    public Concern(Severity severity, String kind, String queue, long count, long millis) {
        this(severity, kind, queue, count, millis, "");
    }

    /** How much attention something needs, the most first. */
    public enum Severity {
        /** Jobs do not run. */
        BAD,
        /** Somebody should look. */
        WARN
    }

    /** Where to look: at the errors of the queue, at its jobs that wait, at the targets or at the journal. */
    public String link() {
        if (kind.startsWith("target-")) {
            return "/targets";
        } else if (kind.startsWith("journal-")) {
            return "/journal";
        }
        return switch (kind) {
            case "dead", "dying" -> "/errors?queue=" + queue;
            case "expired" -> "/queues/" + queue + "?state=RESERVED";
            case "unserved" -> "/recurring";
            case "unhandled", "passed-on", "nobody-yet" -> "/queues/" + queue + "?state=DELAYED";
            default -> "/queues/" + queue + "?state=READY";
        };
    }
}
