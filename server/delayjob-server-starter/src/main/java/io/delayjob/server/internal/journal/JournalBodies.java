package io.delayjob.server.internal.journal;

import io.delayjob.JobRestore;
import io.delayjob.JournalScope;
import io.delayjob.server.web.Body;
import io.delayjob.server.web.Required;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Bodies of requests to the journal. */
public final class JournalBodies {

    private JournalBodies() {}

    /**
     * The jobs to restore: all unfinished jobs of all queues that have a journal, unless narrowed.
     *
     * @param queue only this queue
     * @param id only this job of the queue
     * @param dueFrom only jobs due at this time or later
     * @param dueTo only jobs due before this time
     * @param overdue whether overdue jobs are restored; yes if left out
     * @param dryRun whether to only say what would be restored; no if left out
     * @param perSecond the most jobs in a second; as fast as it goes if left out
     * @param finished whether a job that has finished is to run again; needs an id; no if left out
     */
    public record RestoreBody(
            @Nullable String queue,
            @Nullable String id,
            @Nullable Instant dueFrom,
            @Nullable Instant dueTo,
            @Nullable Boolean overdue,
            @Nullable Boolean dryRun,
            @Nullable Integer perSecond,
            @Nullable Boolean finished)
            implements Body {

        JobRestore restore() {
            JournalScope scope = new JournalScope(queue, id, dueFrom, dueTo, !Boolean.FALSE.equals(overdue));
            return new JobRestore(scope, Boolean.TRUE.equals(dryRun), perSecond, Boolean.TRUE.equals(finished));
        }
    }

    /**
     * Which queue to clear.
     *
     * @param queue the queue
     * @param forGood true to cancel its unfinished jobs; false to only remove them from Redis, so that they can be restored
     * @param most how many it may remove at most; if there are more, nothing is changed; as many as there are if left out
     */
    public record ClearBody(
            @Required String queue,
            @Required boolean forGood,
            @Nullable Long most) implements Body {

        long bound() {
            return most == null ? Long.MAX_VALUE : most;
        }
    }
}
