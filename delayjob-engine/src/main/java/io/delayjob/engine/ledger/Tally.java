package io.delayjob.engine.ledger;

import io.delayjob.QueueCounts;

/**
 * The number of jobs of one or several shards, and how overdue they are.
 *
 * @param counts the number of jobs in each state
 * @param overdueMillis for how many milliseconds the job that has waited longest could have been handed out: since it was due, was
 *     offered again after nodes could not run it, or its lease ran out; 0 if no job can be handed out
 */
public record Tally(QueueCounts counts, long overdueMillis) {}
