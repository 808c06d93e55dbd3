package io.delayjob.engine.internal.administering;

import io.delayjob.Explanation;
import io.delayjob.Explanation.Reason;
import io.delayjob.JobOptions;
import io.delayjob.JobSnapshot;
import io.delayjob.NodeSnapshot;
import io.delayjob.engine.internal.records.ErrorText;
import io.delayjob.engine.ledger.FleetView;
import io.delayjob.engine.ledger.Flow;
import io.delayjob.engine.ledger.StoredJob;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Says why a job is not running. */
final class Explainer {

    private final String queue;
    private final StoredJob stored;
    private final JobSnapshot job;
    private final FleetView fleet;
    private final @Nullable HeldBack heldBack;

    private Explainer(StoredJob stored, JobSnapshot job, FleetView fleet, @Nullable HeldBack heldBack) {
        this.queue = job.queue();
        this.stored = stored;
        this.job = job;
        this.fleet = fleet;
        this.heldBack = heldBack;
    }

    static Explanation unknown(String queue, String id) {
        return new Explanation(
                Reason.NO_SUCH_JOB,
                "queue '" + queue + "' knows no job '" + id
                        + "': it was never submitted there, or has finished and is not retained",
                null);
    }

    /**
     * Says why a job is not running.
     *
     * @param heldBack the limits, of a job that is due; null otherwise
     */
    static Explanation explain(StoredJob stored, JobSnapshot job, FleetView fleet, @Nullable HeldBack heldBack) {
        return new Explainer(stored, job, fleet, heldBack).explain();
    }

    private Explanation explain() {
        return switch (stored.state()) {
            case COMPLETED -> because(Reason.COMPLETED, "it completed at " + job.finishedAt());
            case CANCELLED -> because(Reason.CANCELLED, "it was cancelled at " + job.finishedAt());
            case DEAD ->
                because(Reason.DEAD, "it is dead since " + job.diedAt() + why() + "; redrive it to run it again");
            case RESERVED -> reserved();
            case DELAYED, READY -> waiting();
        };
    }

    private Explanation reserved() {
        String what = "attempt " + job.attempt() + " runs on " + place(String.valueOf(job.node())) + " since "
                + job.startedAt();
        if (stored.atMillis() > fleet.nowMillis()) {
            return because(
                    Reason.RUNNING, what + "; its lease lasts until " + job.leaseExpiresAt() + " unless renewed");
        }
        Explanation claimed = claimable();
        return claimed.reason() == Reason.ABOUT_TO_RUN
                ? because(
                        Reason.LEASE_EXPIRED,
                        what + ", but its lease ran out at " + job.leaseExpiresAt() + " because nobody renewed it: "
                                + "the next free worker takes the job")
                : claimed;
    }

    private static String place(String node) {
        return node.endsWith(NodeSnapshot.CLAIMS)
                ? "a worker elsewhere, which claimed it on node "
                        + node.substring(0, node.length() - NodeSnapshot.CLAIMS.length())
                : "node " + node;
    }

    private Explanation waiting() {
        if (job.job() == null) {
            return because(Reason.UNREADABLE, "this node cannot read its record");
        }
        return stored.atMillis() > fleet.nowMillis() ? notDue() : claimable();
    }

    /** Explains why a job that is due, or whose lease has run out, is not claimed yet. */
    private Explanation claimable() {
        if (fleet.paused()) {
            return because(Reason.PAUSED, "queue '" + queue + "' is paused");
        }
        FleetView.Fill flow = fleet.flow();
        if (flow != null && flow.full()) {
            return because(
                    Reason.JOURNAL_FULL,
                    "no jobs of queue '" + queue + "' are handed out: " + Flow.full(flow.entries(), flow.bound()));
        }
        if (fleet.nodes().isEmpty()) {
            return because(
                    Reason.NO_CONSUMER,
                    "no live node consumes queue '" + queue
                            + "', and no worker elsewhere has claimed there for a minute");
        }
        return withConsumers();
    }

    private Explanation notDue() {
        String until = " until " + job.dueAt() + ", Redis' clock is at " + Instant.ofEpochMilli(fleet.nowMillis());
        if (stored.attempt().noHandlerSinceMillis() != null) {
            return claimable();
        }
        return stored.attempt().number() > 0 && stored.error() != null
                ? because(
                        Reason.WAITING_FOR_RETRY,
                        "attempt " + stored.attempt().number() + " failed" + why() + "; it waits" + until)
                : because(Reason.NOT_DUE, "it is not due" + until);
    }

    private Explanation withConsumers() {
        List<NodeSnapshot> able =
                fleet.nodes().stream().filter(node -> node.canTake(job.job())).toList();
        if (able.isEmpty()) {
            return because(Reason.NO_HANDLER, noHandler() + "; a node that comes with one takes it");
        }
        String limit = heldBack == null ? null : heldBack.why(queue, job.id(), fleet.nowMillis());
        if (limit != null) {
            return because(Reason.LIMITED, limit);
        }
        String leftTo = able.size() < fleet.nodes().size()
                ? "it waits for a node with its handler, which is " + names(able) + "; "
                : "";
        if (able.stream().allMatch(node -> node.free() == 0)) {
            boolean elsewhere = able.stream().allMatch(NodeSnapshot::claims);
            String what = elsewhere ? "no worker elsewhere waits for a job: " : "all workers are busy: ";
            return because(Reason.WORKERS_BUSY, leftTo + what + workers(able) + priority());
        }
        return because(
                Reason.ABOUT_TO_RUN,
                leftTo + "nothing is in its way: it is claimed by the next look of " + names(able));
    }

    /** The priority, by which others begin before the job or after it; nothing if it is the usual one. */
    private String priority() {
        Integer priority = job.options().priority();
        return priority == null || priority == JobOptions.USUAL_PRIORITY
                ? ""
                : "; of due jobs, those of a higher priority than its own, " + priority
                        + ", begin first unless it has waited for longer";
    }

    private String noHandler() {
        return "none of the nodes that consume queue '" + queue + "' has a bean or listener named '" + job.job() + "': "
                + names(fleet.nodes());
    }

    private static String names(List<NodeSnapshot> nodes) {
        return nodes.stream().map(NodeSnapshot::node).collect(Collectors.joining(", "));
    }

    private static String workers(List<NodeSnapshot> nodes) {
        return nodes.stream().map(Explainer::workers).collect(Collectors.joining(", "));
    }

    private static String workers(NodeSnapshot node) {
        return (node.claims() ? "no claim waits" : String.valueOf(node.workers())) + " on " + node.node();
    }

    private String why() {
        return stored.error() == null ? "" : " because: " + ErrorText.summary(stored.error());
    }

    private Explanation because(Reason reason, String text) {
        return new Explanation(reason, "job '" + job.id() + "': " + text, job);
    }
}
