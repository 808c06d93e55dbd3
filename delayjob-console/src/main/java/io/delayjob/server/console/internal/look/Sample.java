package io.delayjob.server.console.internal.look;

/**
 * How a queue was in one minute.
 *
 * @param ready jobs that were due
 * @param delayed jobs that were not
 * @param dead jobs that were given up
 * @param overdueMillis for how long the job that had waited longest had been due
 */
public record Sample(long ready, long delayed, long dead, long overdueMillis) {}
