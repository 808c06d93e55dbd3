package io.delayjob.journal.internal.writing;

import io.delayjob.engine.ledger.Flow;
import io.delayjob.engine.ledger.FlowPosition;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.journal.internal.pointing.PointedIds;
import io.delayjob.journal.internal.tables.FlowRow;
import io.delayjob.journal.internal.tables.FlowTable;
import io.delayjob.journal.internal.tables.JobRow;
import io.delayjob.journal.internal.tables.JobTable;
import io.delayjob.journal.internal.tables.Parts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Writes steps of a shard in the transaction of its thread, which has the lock of the shard. */
final class PageWriter {

    /** The most ids in one query; databases take some ten thousands. */
    private static final int IDS = 1000;

    /** The most steps of an entry, so that steps of two shards at the same position have different places. */
    private static final int STEPS = 1_000_000;

    private final JobTable jobs;
    private final FlowTable flow;
    private final PointedIds ids;

    PageWriter(JobTable jobs, FlowTable flow, PointedIds ids) {
        this.jobs = jobs;
        this.flow = flow;
        this.ids = ids;
    }

    /** Steps by their jobs, each in order. */
    static Map<String, List<Flow.Step>> byJob(List<Flow.Step> steps) {
        Map<String, List<Flow.Step>> byJob = new LinkedHashMap<>();
        steps.forEach(step ->
                byJob.computeIfAbsent(step.id(), id -> new ArrayList<>()).add(step));
        return byJob;
    }

    /**
     * Writes what happened to jobs; answers the ids of those that Redis has and that have no rows.
     *
     * @param adopted whether the tables know all jobs of the shard
     */
    Set<String> write(ShardId shard, boolean adopted, Map<String, List<Flow.Step>> byJob) {
        Map<String, List<JobRow>> rows = unfinished(shard, byJob);
        Changes changes = new Changes();
        Set<String> unknown = new HashSet<>();
        byJob.forEach((id, steps) -> {
            JobFold fold = new JobFold(shard, adopted, rows.getOrDefault(id, List.of()), changes);
            steps.forEach(fold::apply);
            fold.end();
            if (fold.isUnknown()) {
                unknown.add(id);
            }
        });
        changes.make(jobs);
        note(shard, byJob.values().stream().flatMap(List::stream).toList());
        return unknown;
    }

    private Map<String, List<JobRow>> unfinished(ShardId shard, Map<String, List<Flow.Step>> byJob) {
        List<String> ids = List.copyOf(byJob.keySet());
        Map<String, List<JobRow>> rows = new HashMap<>();
        Parts.each(
                ids,
                IDS,
                some -> jobs.unfinished(shard.queue(), some)
                        .forEach(row -> rows.computeIfAbsent(row.id(), id -> new ArrayList<>())
                                .add(row)));
        return rows;
    }

    /** The place of a step among those of its id at the same position, which jobs of several shards may have had. */
    private int place(ShardId shard, Flow.Step step) {
        return ids.isAway(shard, step.id()) ? (1 + shard.number()) * STEPS + step.item() : step.item();
    }

    private FlowRow row(ShardId shard, Flow.Step step) {
        return new FlowRow(
                shard.queue(),
                step.id(),
                FlowPosition.of(step.position()),
                place(shard, step),
                step.kind().name(),
                step.atMillis(),
                step.state(),
                step.attempt(),
                step.dueMillis(),
                step.node(),
                step.text());
    }

    /** Writes what happened, but not into the rows of the jobs. */
    void note(ShardId shard, List<Flow.Step> steps) {
        flow.add(steps.stream().map(step -> row(shard, step)).toList());
    }

    /** Picks the steps of a job that are not written yet. */
    List<Flow.Step> unwritten(ShardId shard, String id, List<Flow.Step> steps) {
        FlowPosition first = FlowPosition.of(steps.get(0).position());
        FlowPosition last = FlowPosition.of(steps.get(steps.size() - 1).position());
        List<Place> written = flow.between(shard.queue(), id, first, last).stream()
                .map(row -> new Place(row.position().toString(), row.item()))
                .toList();
        return steps.stream()
                .filter(step -> !written.contains(new Place(step.position(), place(shard, step))))
                .toList();
    }

    private record Place(String position, int item) {}
}
