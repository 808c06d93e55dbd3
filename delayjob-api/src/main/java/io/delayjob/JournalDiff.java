package io.delayjob;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the journal and Redis differ, once the journal has everything that Redis had logged when the comparison began.
 *
 * @param compared the unfinished jobs that were compared
 * @param missingInRedis jobs that the journal has and Redis has not, among them those that are held because the database was put back to an
 *     older state; {@link DelayJobJournal#restore} puts them back
 * @param missingInJournal jobs that Redis has and the journal has not, such as those from before the queue had a journal
 * @param different jobs that both have, in another state, with another due time or another number of attempts
 * @param journaled jobs that Redis is yet to get; they are no difference
 * @param samples the first of each kind of difference, at most 100 in all
 */
public record JournalDiff(
        long compared,
        long missingInRedis,
        long missingInJournal,
        long different,
        long journaled,
        List<Difference> samples) {

    /** Copies the samples. */
    public JournalDiff {
        samples = List.copyOf(samples);
    }

    /** Whether journal and Redis have the same jobs. */
    public boolean isEmpty() {
        return missingInRedis == 0 && missingInJournal == 0 && different == 0;
    }

    /**
     * A job that differs.
     *
     * @param queue its queue
     * @param id its id
     * @param journal the job in the journal: state, due time, attempts, and whether it is held; null if the journal does not have it
     * @param redis the job in Redis: state, due time and attempts; null if Redis does not have it
     */
    public record Difference(
            String queue,
            String id,
            @Nullable String journal,
            @Nullable String redis) {}
}
