package io.delayjob.benchmarks.contender;

import java.util.List;
import java.util.Map;

/** A scheduler or queue that runs jobs later, set up as its users would set it up. */
@SuppressWarnings("try") // close may be interrupted; nobody closes one with an interrupt pending
public interface Contender extends AutoCloseable {

    /** The settings that matter for the numbers, as they are printed. */
    Map<String, String> settings();

    /** Submits one job; returns when its store has confirmed it. */
    void submit(Job job) throws Exception;

    /** Submits jobs in the fastest way that it offers; returns when its store has confirmed all. */
    void submitAll(List<Job> jobs) throws Exception;

    /**
     * Stores a schedule that has the id of the job, and runs it at its due time.
     *
     * @param job due at a whole second
     * @throws UnsupportedOperationException if it is not measured with schedules
     */
    default void putSchedule(Job job) throws Exception {
        throw new UnsupportedOperationException("no schedules");
    }

    /** Starts workers; work is called with each job when it runs, and may throw to fail the attempt. */
    void consume(int workers, Work work) throws Exception;

    @Override
    void close() throws Exception;
}
