package io.delayjob.server.internal.claims;

/**
 * How much callers may claim at once.
 *
 * @param waiting the claims that wait
 * @param waitingPerCaller those of a caller
 * @param queues the queues with a claim within the last minute, other than those of topics of older protocols
 * @param queuesPerCaller those of a caller
 * @param topics the topics of older protocols with a claim within the last minute
 * @param topicsPerCaller those of a caller
 */
public record ClaimBounds(
        int waiting, int waitingPerCaller, int queues, int queuesPerCaller, int topics, int topicsPerCaller) {}
