package io.delayjob.spring.autoconfigure;

import io.delayjob.engine.ledger.Tally;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of a queue, or why Redis did not give one.
 *
 * @param queue the queue
 * @param tally the counts of its jobs; null if Redis did not answer, or was only asked whether it answers
 * @param failure why Redis did not answer; null if it did
 */
record QueueLook(
        String queue, @Nullable Tally tally, @Nullable String failure) {}
