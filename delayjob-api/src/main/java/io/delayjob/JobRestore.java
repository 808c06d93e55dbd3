package io.delayjob;

import io.delayjob.support.Checks;
import org.jspecify.annotations.Nullable;

/**
 * A request to restore jobs from the journal: which jobs, and how. Immutable; each {@code with…} and similar method returns a changed copy.
 *
 * @param scope which jobs
 * @param dryRun whether to only report which jobs would be restored
 * @param perSecond at most this many jobs a second; null for as fast as it goes
 * @param finished whether to submit a job again that has finished; only with a scope of one job
 */
public record JobRestore(
        JournalScope scope, boolean dryRun, @Nullable Integer perSecond, boolean finished) {

    private static final int MOST_PER_SECOND = 1_000_000;

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if a value is out of range; the message names it
     */
    public JobRestore {
        Checks.notNull(scope, "scope");
        if (perSecond != null && (perSecond < 1 || perSecond > MOST_PER_SECOND)) {
            throw new IllegalArgumentException("perSecond must be 1 to " + MOST_PER_SECOND + ": " + perSecond);
        }
        if (finished && scope.id() == null) {
            throw new IllegalArgumentException("finished jobs are restored one by one: state a queue and an id");
        }
    }

    /**
     * Restores jobs that have not finished, as fast as it goes.
     *
     * @param scope which jobs
     */
    public static JobRestore of(JournalScope scope) {
        return new JobRestore(scope, false, null, false);
    }

    /** Whether it puts back everything that its queues have lost. */
    public boolean isWhole() {
        return !dryRun && scope.id() == null && scope.dueFrom() == null && scope.dueTo() == null && scope.overdue();
    }

    /** Only looks what would be restored. */
    public JobRestore asDryRun() {
        return new JobRestore(scope, true, perSecond, finished);
    }

    /**
     * Restores at a rate.
     *
     * @param newPerSecond at most this many jobs a second, 1 to 1,000,000
     */
    public JobRestore withRate(int newPerSecond) {
        return new JobRestore(scope, dryRun, newPerSecond, finished);
    }

    /** Submits the job again even if it has finished: it runs once more, from its first attempt. */
    public JobRestore evenIfFinished() {
        return new JobRestore(scope, dryRun, perSecond, true);
    }
}
