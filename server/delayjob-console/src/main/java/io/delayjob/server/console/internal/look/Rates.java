package io.delayjob.server.console.internal.look;

/**
 * Rates and lateness of the attempts of the last minute.
 *
 * @param completed attempts that succeeded, a second
 * @param failed attempts that failed, a second, including those after which the job was given up
 * @param p50 milliseconds from due time to start that half of the attempts did not exceed; -1 if none started
 * @param p99 the same of 99 in 100
 */
public record Rates(double completed, double failed, long p50, long p99) {}
