package io.delayjob.benchmarks.contender;

/** Code that runs a job. */
@FunctionalInterface
public interface Work {

    /**
     * Runs a job.
     *
     * @param attempt from 1
     * @throws Exception if the attempt fails and another is to follow
     */
    void run(String id, long dueMillis, int attempt) throws Exception;
}
