package io.delayjob.server.internal.claims;

/**
 * How much may be claimed from a server at once.
 *
 * @param waiting claims that wait
 * @param waitingPerCaller claims of one caller that wait
 * @param queues watched queues, without those of topics
 * @param topics watched queues of topics of older protocols
 */
public record ClaimBounds(int waiting, int waitingPerCaller, int queues, int topics) {}
