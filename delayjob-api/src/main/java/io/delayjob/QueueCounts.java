package io.delayjob;

/**
 * How many jobs of a queue are in each state, summed over its shards. Each shard is counted atomically, but not all shards at the
 * same moment.
 *
 * @param delayed jobs waiting for their time
 * @param ready jobs that are due and wait for a worker
 * @param reserved jobs handed to a worker
 * @param dead jobs given up
 * @param finished retained completed and cancelled jobs
 * @param paused whether the queue is paused
 */
public record QueueCounts(long delayed, long ready, long reserved, long dead, long finished, boolean paused) {}
