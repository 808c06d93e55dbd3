package io.delayjob.reliability.node;

/**
 * What a job of these tests does.
 *
 * @param millis how long an attempt takes
 * @param failures how many attempts fail before one succeeds; negative if the first says that no other may follow
 */
public record Work(long millis, int failures) {}
