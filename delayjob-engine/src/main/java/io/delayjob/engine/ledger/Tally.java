package io.delayjob.engine.ledger;

import io.delayjob.QueueCounts;

/**
 * How many jobs a shard has, or several, and how late they are.
 *
 * @param counts how many there are in each state
 * @param overdueMillis for how long the job that has waited longest to be handed out could have been: since it was due, was offered
 *     again after nodes could not run it, or its lease ran out; 0 if none could
 */
public record Tally(QueueCounts counts, long overdueMillis) {}
