package io.delayjob.benchmarks.contender.delayjob;

/**
 * The param of the jobs.
 *
 * @param dueMillis when the submitter meant the job to run, epoch ms
 */
public record CloseOrder(long dueMillis, String payload) {}
