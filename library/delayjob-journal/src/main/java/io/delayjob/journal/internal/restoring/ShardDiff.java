package io.delayjob.journal.internal.restoring;

import io.delayjob.JobState;
import io.delayjob.JournalDiff.Difference;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.Listing;
import io.delayjob.engine.ledger.StoredJob;
import io.delayjob.journal.internal.tables.JobRow;
import io.delayjob.journal.internal.tables.JobTable;
import io.delayjob.journal.internal.tables.Parts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Compares each job that the ledger has of a shard with its row. The journal is always a little behind, so what differs at first is
 * looked at again, after the journal has caught up; it counts only if the ledger says the same of the job before and afterwards.
 */
final class ShardDiff {

    private static final List<JobState> UNFINISHED =
            List.of(JobState.DELAYED, JobState.READY, JobState.RESERVED, JobState.DEAD);

    /** How often a job that changes all the time is looked at; then it counts as equal. */
    private static final int MOST_LOOKS = 5;

    private final JobTable jobs;
    private final WrittenFlow written;
    private final Scope scope;
    private final JournaledShard shard;

    ShardDiff(JobTable jobs, WrittenFlow written, Scope scope, JournaledShard shard) {
        this.jobs = jobs;
        this.written = written;
        this.scope = scope;
        this.shard = shard;
    }

    /** Tells of each difference; a job that only one side has is told of with the other side as null. */
    void compare(Consumer<Difference> found) {
        List<String> doubtful = new ArrayList<>();
        if (scope.id() == null) {
            UNFINISHED.forEach(state -> look(state, doubtful));
        } else {
            doubtful.add(scope.id());
        }
        Parts.each(doubtful, Ledger.MAX_BATCH, ids -> settle(ids, found));
    }

    private void look(JobState state, List<String> doubtful) {
        Listing.Position after = null;
        do {
            Listing.Request request = new Listing.Request(state, null, null, after, Ledger.MAX_BATCH);
            Listing.Answer page = Answers.repeated(() -> shard.ledger().list(request));
            Map<String, Look> rows =
                    rows(page.jobs().stream().map(Listing.Entry::id).toList());
            page.jobs().stream()
                    .filter(entry -> scope.takes(due(entry.job())))
                    .filter(entry -> !Look.of(entry.job()).equals(rows.get(entry.id())))
                    .forEach(entry -> doubtful.add(entry.id()));
            after = page.next();
        } while (after != null);
    }

    /** When a job is due; one that runs was due when its attempt began. */
    private static long due(StoredJob job) {
        Long attemptDue = job.attempt().dueMillis();
        return job.state() == JobState.RESERVED && attemptDue != null ? attemptDue : job.atMillis();
    }

    private Map<String, Look> rows(List<String> ids) {
        Map<String, Look> rows = new HashMap<>();
        for (JobRow row : jobs.unfinished(shard.id().queue(), ids)) {
            if (row.status().live()) {
                rows.put(row.id(), Look.of(row.status()));
            }
        }
        return rows;
    }

    private void settle(List<String> doubtful, Consumer<Difference> found) {
        List<String> ids = doubtful;
        for (int look = 0; look < MOST_LOOKS && !ids.isEmpty(); look++) {
            Map<String, Optional<Look>> before = ledger(ids);
            written.await(
                    shard.id(),
                    Answers.repeated(() -> shard.ledger().missing(List.of())).last());
            Map<String, Look> rows = rows(ids);
            Map<String, Optional<Look>> afterwards = ledger(ids);
            List<String> moving = new ArrayList<>();
            for (String id : ids) {
                Look row = rows.get(id);
                Optional<Look> job = before.getOrDefault(id, Optional.empty());
                if (!job.equals(afterwards.get(id))) {
                    moving.add(id);
                } else if (job.isPresent() && !job.get().equals(row)) {
                    found.accept(new Difference(
                            shard.id().queue(),
                            id,
                            row == null ? null : row.toString(),
                            job.get().toString()));
                }
            }
            ids = moving;
        }
    }

    private Map<String, Optional<Look>> ledger(List<String> ids) {
        Map<String, Optional<Look>> looks = new HashMap<>();
        ids.forEach(id -> looks.put(
                id,
                Answers.repeated(() -> shard.ledger().find(id))
                        .filter(job -> UNFINISHED.contains(job.state()))
                        .map(Look::of)));
        return looks;
    }
}
