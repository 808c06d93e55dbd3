package io.delayjob.reliability.harness;

import io.delayjob.reliability.node.Journal.Kind;
import io.delayjob.reliability.node.Journal.Line;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A job that was submitted, and what its submitter was told.
 *
 * @param id the job
 * @param beforeMillis when the submit began, by the machine's clock
 * @param notBeforeMillis before this it must not run: when the submit began, and its delay
 * @param confirmed whether Redis confirmed it, if need be after a repeat with the same id, or its transaction has committed; if not, its
 *     submitter was told that it is not stored, or rolled it back
 */
public record Submission(String id, long beforeMillis, long notBeforeMillis, boolean confirmed) {

    /** The submit that a line of a node's journal tells of; none if the line is of another kind. */
    static Stream<Submission> told(Line line) {
        return line.kind() == Kind.SUBMITTED
                ? Stream.of(new Submission(line.id(), line.millis(), line.number(), true))
                : Stream.empty();
    }

    /**
     * The submits of a node's orders, from its journal.
     *
     * @param committed the ids of the orders that are in the database
     */
    static Stream<Submission> ordered(List<Line> journal, Set<String> committed) {
        return journal.stream()
                .filter(line -> line.kind() == Kind.ORDERED)
                .map(line -> new Submission(line.id(), line.millis(), line.number(), committed.contains(line.id())));
    }
}
