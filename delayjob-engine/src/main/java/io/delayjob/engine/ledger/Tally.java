package io.delayjob.engine.ledger;

import io.delayjob.QueueCounts;

/**
 * How the jobs of a shard stand, or of several.
 *
 * @param counts how many there are in each state
 * @param overdueMillis for how long the job that has waited longest to be handed out could have been: since it was due, was offered
 *     again after nodes could not run it, or its lease ran out; 0 if none could
 */
public record Tally(QueueCounts counts, long overdueMillis) {}
