package io.delayjob.reliability.harness;

import io.delayjob.reliability.node.Journal.Kind;
import io.delayjob.reliability.node.Journal.Line;
import java.util.stream.Stream;

/**
 * A job that was submitted, and what its submitter was told.
 *
 * @param id the job
 * @param beforeMillis when the submit began, by the machine's clock
 * @param notBeforeMillis before this it must not run: when the submit began, and its delay
 * @param confirmed whether Redis confirmed it, if need be after a repeat with the same id; if not, its submitter was told that
 *     it is not stored
 */
public record Submission(String id, long beforeMillis, long notBeforeMillis, boolean confirmed) {

    /** What a node's journal tells of a job that it submitted. */
    static Stream<Submission> told(Line line) {
        return line.kind() == Kind.SUBMITTED
                ? Stream.of(new Submission(line.id(), line.millis(), line.number(), true))
                : Stream.empty();
    }
}
