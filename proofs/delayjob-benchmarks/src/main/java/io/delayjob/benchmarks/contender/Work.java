package io.delayjob.benchmarks.contender;

/** Code that runs a job. */
@FunctionalInterface
public interface Work {

    /**
     * Runs a job.
     *
     * @param dueMicros from when its lateness counts, epoch µs
     * @param attempt from 1
     * @throws Exception if the attempt fails and another is to follow
     */
    void runSince(String id, long dueMicros, int attempt) throws Exception;

    /** Runs a job that is due at a time, epoch ms. */
    default void run(String id, long dueMillis, int attempt) throws Exception {
        runSince(id, dueMillis * 1000, attempt);
    }
}
