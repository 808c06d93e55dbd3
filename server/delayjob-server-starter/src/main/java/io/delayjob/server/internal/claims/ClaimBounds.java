package io.delayjob.server.internal.claims;

/**
 * Limits on concurrent claims, for all callers and for each.
 *
 * @param waiting the most claims that wait
 * @param waitingPerCaller the most waiting claims of a caller
 * @param queues the most queues with a claim within the last minute, other than those of topics of older protocols
 * @param queuesPerCaller the most such queues of a caller
 * @param topics the most topics of older protocols with a claim within the last minute
 * @param topicsPerCaller the most such topics of a caller
 */
public record ClaimBounds(
        int waiting, int waitingPerCaller, int queues, int queuesPerCaller, int topics, int topicsPerCaller) {}
