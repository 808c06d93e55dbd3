package io.delayjob.server.internal.claims;

/**
 * How many claims a server takes at once.
 *
 * @param waiting the claims that wait
 * @param waitingPerCaller those of one caller
 * @param queues the queues that were claimed from within the last minute
 */
public record ClaimBounds(int waiting, int waitingPerCaller, int queues) {}
