package io.delayjob.server.console.internal.audit;

import io.delayjob.server.Access;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An entry of the audit: an action of a caller.
 *
 * @param at when, by the clock of the server that did it
 * @param who the caller
 * @param via {@code console}, or {@code api}
 * @param action the name of the action, or the method of the request
 * @param queue the queue; empty if it was not about one
 * @param target the job, the filter or the path
 * @param outcome {@code done}, the status of an answer, {@link #NOT_ANSWERED}, or why it was not done
 * @param detail further details, such as how many jobs; null for none
 * @param before how it was before; null if that is not known
 * @param after how it was after; null if that is not known
 */
public record Entry(
        Instant at,
        String who,
        String via,
        String action,
        String queue,
        String target,
        String outcome,
        @Nullable String detail,
        @Nullable String before,
        @Nullable String after) {

    /** The outcome where the caller hung up before the answer, so that nobody knows whether it was done. */
    static final String NOT_ANSWERED = "not answered";

    private static final int LONGEST = 500;

    /** An entry of this moment, with what is too long cut. */
    static Entry of(
            Access access, String via, String action, String queue, String target, String outcome, Change change) {
        return new Entry(
                Instant.now(),
                access.shown(),
                via,
                action,
                queue,
                cut(target),
                cut(outcome),
                change.detail(),
                cutOrNull(change.before()),
                cutOrNull(change.after()));
    }

    private static @Nullable String cutOrNull(@Nullable String text) {
        return text == null ? null : cut(text);
    }

    private static String cut(String text) {
        return text.length() > LONGEST ? text.substring(0, LONGEST) + "…" : text;
    }

    /** Whether its outcome is {@link #NOT_ANSWERED}. */
    public boolean isNotAnswered() {
        return outcome.equals(NOT_ANSWERED);
    }

    /** Whether it was done. */
    public boolean isDone() {
        return outcome.equals("done") || outcome.startsWith("2");
    }
}
