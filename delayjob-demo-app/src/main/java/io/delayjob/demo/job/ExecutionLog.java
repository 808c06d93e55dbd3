package io.delayjob.demo.job;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** The latest attempts in this process, kept in memory. Thread-safe. */
@Component
public class ExecutionLog {

    /** How many attempts are kept. */
    public static final int CAPACITY = 1000;

    private final Map<Long, Attempt> attempts = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Attempt> eldest) {
            return size() > CAPACITY;
        }
    };

    private long begun;

    /** Adds an attempt; the number returned is for {@link #end}. */
    synchronized long begin(Attempt attempt) {
        attempts.put(++begun, attempt);
        return begun;
    }

    synchronized void end(long number, Outcome outcome) {
        attempts.computeIfPresent(number, (same, attempt) -> attempt.ended(outcome));
    }

    /**
     * The latest attempts.
     *
     * @param limit at most this many
     * @return newest first
     */
    public List<Attempt> latest(int limit) {
        List<Attempt> newestFirst = newestFirst();
        return newestFirst.subList(0, Math.min(limit, newestFirst.size()));
    }

    /**
     * The latest attempt that completed a job.
     *
     * @param id the job's id
     * @return the attempt, or empty if none is kept
     */
    public Optional<Attempt> completed(String id) {
        return newestFirst().stream()
                .filter(attempt -> attempt.outcome() == Outcome.COMPLETED)
                .filter(attempt -> attempt.id().equals(id))
                .findFirst();
    }

    private synchronized List<Attempt> newestFirst() {
        List<Attempt> copy = new ArrayList<>(attempts.values());
        Collections.reverse(copy);
        return copy;
    }
}
