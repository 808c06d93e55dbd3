package io.delayjob.reliability.harness;

import io.delayjob.reliability.node.Journal.Kind;
import io.delayjob.reliability.node.Journal.Line;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A job that was submitted, and what its submitter was told.
 *
 * @param id the job
 * @param beforeMillis when the submit began, by the machine's clock
 * @param notBeforeMillis before this it must not run: when the submit began, and its delay
 * @param confirmed whether Redis confirmed it, if need be after a repeat with the same id, or its transaction has committed; if not, its
 *     submitter was told that it is not stored, or rolled it back
 * @param tookMillis how long a submit took that was part of a transaction, its commit included; 0 for others, and if its node did not live
 *     to tell
 */
public record Submission(String id, long beforeMillis, long notBeforeMillis, boolean confirmed, long tookMillis) {

    /** After this, other nodes may bring a job to Redis that was committed: the node that committed it is not to do so any more. */
    private static final long LEFT_TO_OTHERS_MILLIS = 400;

    Submission(String id, long beforeMillis, long notBeforeMillis, boolean confirmed) {
        this(id, beforeMillis, notBeforeMillis, confirmed, 0);
    }

    /** Whether its node stood still between the begin of the submit and what follows the commit, so that the job may be stored twice. */
    boolean wasHeldUp() {
        return tookMillis > LEFT_TO_OTHERS_MILLIS;
    }

    /** What a node's journal tells of a job that it submitted. */
    static Stream<Submission> told(Line line) {
        return line.kind() == Kind.SUBMITTED
                ? Stream.of(new Submission(line.id(), line.millis(), line.number(), true))
                : Stream.empty();
    }

    /**
     * What a node's journal tells of its orders.
     *
     * @param committed the ids of the orders that are in the database
     */
    static Stream<Submission> ordered(List<Line> journal, Set<String> committed) {
        Map<String, Long> returned = journal.stream()
                .filter(line -> line.kind() == Kind.ORDER_RETURNED)
                .collect(Collectors.toMap(Line::id, Line::millis));
        return journal.stream().filter(line -> line.kind() == Kind.ORDERED).map(line -> {
            long took = returned.getOrDefault(line.id(), line.millis()) - line.millis();
            return new Submission(line.id(), line.millis(), line.number(), committed.contains(line.id()), took);
        });
    }
}
