package io.delayjob.server.console.internal.jobs;

import io.delayjob.JobStep;
import io.delayjob.JobStep.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the attempts of a job out of its history. */
final class Attempts {

    /** Happen while an attempt goes on, and do not end it. */
    private static final Set<Kind> MEANWHILE = Set.of(Kind.REFUSED, Kind.RESCHEDULED, Kind.RESTORED, Kind.OTHER);

    /** The least width of a bar that can be seen. */
    private static final double LEAST = 1;

    private static final double WHOLE = 100;

    private Attempts() {}

    /**
     * An attempt.
     *
     * @param number its number, from 1; a job that is redriven begins at 1 again
     * @param begun when it began, by Redis' clock
     * @param ended when it ended; null if it has not, or the history does not say so
     * @param ending how it ended; null if it has not, or the history does not say so
     * @param node the node or worker that had it; null if that is not known
     * @param waited how long after the end of the attempt before it began; null for the first
     * @param error the first line of its error; null if it has none
     * @param isSame whether it failed as the attempt before did
     * @param left where its bar begins, in percent of the time that all attempts took
     * @param width how long its bar is, in percent
     */
    public record Attempt(
            int number,
            Instant begun,
            @Nullable Instant ended,
            @Nullable Kind ending,
            @Nullable String node,
            @Nullable Duration waited,
            @Nullable String error,
            boolean isSame,
            double left,
            double width) {}

    /** The steps of a history with which an attempt begins and ends; without an end if the history has none. */
    private record Span(JobStep begin, @Nullable JobStep end) {

        @Nullable Instant ended() {
            return end == null ? null : end.at();
        }

        Instant until(Instant now) {
            return end == null ? now : end.at();
        }

        @Nullable String error() {
            return end == null || end.kind() == Kind.COMPLETED ? null : end.text();
        }
    }

    /**
     * The attempts in a history.
     *
     * @param steps the steps of the history, the earliest first
     * @param now until when an attempt has lasted that has not ended
     */
    static List<Attempt> of(List<JobStep> steps, Instant now) {
        List<Span> spans = spans(steps);
        List<Attempt> attempts = new ArrayList<>();
        for (int i = 0; i < spans.size(); i++) {
            attempts.add(attempt(spans, i, now));
        }
        return attempts;
    }

    private static List<Span> spans(List<JobStep> steps) {
        List<Span> spans = new ArrayList<>();
        JobStep begin = null;
        for (JobStep step : steps) {
            if (begin != null && !MEANWHILE.contains(step.kind())) {
                spans.add(new Span(begin, step.kind() == Kind.CLAIMED ? null : step));
                begin = null;
            }
            if (step.kind() == Kind.CLAIMED) {
                begin = step;
            }
        }
        if (begin != null) {
            spans.add(new Span(begin, null));
        }
        return spans;
    }

    private static Attempt attempt(List<Span> spans, int index, Instant now) {
        Span span = spans.get(index);
        Span before = index == 0 ? null : spans.get(index - 1);
        Instant from = spans.get(0).begin.at();
        double all = Math.max(1, millis(from, spans.get(spans.size() - 1).until(now)));
        double width = Math.max(LEAST, WHOLE * millis(span.begin.at(), span.until(now)) / all);
        return new Attempt(
                span.begin.attempt(),
                span.begin.at(),
                span.ended(),
                span.end == null ? null : span.end.kind(),
                span.begin.node(),
                before == null || before.ended() == null ? null : Duration.between(before.ended(), span.begin.at()),
                JobRow.firstLine(span.error()),
                before != null && isSame(before.error(), span.error()),
                Math.min(WHOLE - width, WHOLE * millis(from, span.begin.at()) / all),
                width);
    }

    private static long millis(Instant from, Instant to) {
        return Math.max(0, Duration.between(from, to).toMillis());
    }

    private static boolean isSame(@Nullable String one, @Nullable String other) {
        return one != null && other != null && Fault.of(one).equals(Fault.of(other));
    }
}
