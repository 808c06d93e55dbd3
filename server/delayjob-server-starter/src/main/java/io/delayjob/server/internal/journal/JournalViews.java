package io.delayjob.server.internal.journal;

import io.delayjob.EndedPage;
import io.delayjob.JobState;
import io.delayjob.JobStep;
import io.delayjob.JournalDiff;
import io.delayjob.RestoreReport;
import io.delayjob.server.internal.jobs.JobView;
import io.delayjob.server.web.View;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Answers of the journal. */
public final class JournalViews {

    private JournalViews() {}

    /**
     * The result of a restore.
     *
     * @param restored jobs that were put back, or would be
     * @param present jobs that Redis has
     * @param skipped jobs outside of the range, or overdue
     * @param finished jobs that finished meanwhile
     * @param journaled jobs that Redis is yet to get
     * @param examined all of these
     */
    public record RestoredView(long restored, long present, long skipped, long finished, long journaled, long examined)
            implements View {

        static RestoredView of(RestoreReport report) {
            return new RestoredView(
                    report.restored(),
                    report.present(),
                    report.skipped(),
                    report.finished(),
                    report.journaled(),
                    report.examined());
        }
    }

    /**
     * A job that differs.
     *
     * @param queue its queue
     * @param id its id
     * @param journal the job in the journal; left out if the journal does not have it
     * @param redis the job in Redis; left out if Redis does not have it
     */
    public record DifferenceView(
            String queue,
            String id,
            @Nullable String journal,
            @Nullable String redis) implements View {}

    /**
     * How journal and Redis differ.
     *
     * @param compared jobs that were compared
     * @param missingInRedis jobs that only the journal has
     * @param missingInJournal jobs that only Redis has
     * @param different jobs that both have, but not as the same
     * @param journaled jobs that Redis is yet to get
     * @param samples the first of them, at most 100
     */
    public record DiffView(
            long compared,
            long missingInRedis,
            long missingInJournal,
            long different,
            long journaled,
            List<DifferenceView> samples)
            implements View {

        static DiffView of(JournalDiff diff) {
            return new DiffView(
                    diff.compared(),
                    diff.missingInRedis(),
                    diff.missingInJournal(),
                    diff.different(),
                    diff.journaled(),
                    diff.samples().stream()
                            .map(one -> new DifferenceView(one.queue(), one.id(), one.journal(), one.redis()))
                            .toList());
        }
    }

    /** How many jobs were removed. */
    public record ClearedView(long cleared) implements View {}

    /**
     * A step of a job.
     *
     * @param kind the kind of step
     * @param at when, by Redis' clock
     * @param state the job's state afterwards
     * @param attempt the attempt it belongs to
     * @param dueAt when the job was due afterwards
     * @param node the node that had the job
     * @param text error, reason or result
     */
    public record StepView(
            JobStep.Kind kind,
            Instant at,
            @Nullable JobState state,
            int attempt,
            @Nullable Instant dueAt,
            @Nullable String node,
            @Nullable String text)
            implements View {

        static StepView of(JobStep step) {
            return new StepView(
                    step.kind(), step.at(), step.state(), step.attempt(), step.dueAt(), step.node(), step.text());
        }
    }

    /** The last steps of a job, in order. */
    public record HistoryView(List<StepView> steps) implements View {}

    /**
     * Some of the jobs that have ended.
     *
     * @param jobs the jobs
     * @param examined how many were looked at for this page
     * @param next the cursor of the next page; left out if there is none
     */
    public record EndedView(
            List<JobView> jobs, long examined, @Nullable String next) implements View {

        static EndedView of(EndedPage page) {
            return new EndedView(page.jobs().stream().map(JobView::of).toList(), page.examined(), page.next());
        }
    }
}
