package io.delayjob.benchmarks.contender;

/**
 * A job of a run.
 *
 * @param id {@code <prefix>-<number>}
 * @param dueMillis when it is due, epoch ms
 * @param payload text that the job carries
 */
public record Job(String id, long dueMillis, String payload) {}
