package io.delayjob.spring.autoconfigure;

import io.delayjob.engine.ledger.Tally;
import org.jspecify.annotations.Nullable;

/**
 * What Redis said of a queue, or why it did not.
 *
 * @param queue the queue
 * @param tally how its jobs stand; null if Redis did not answer, or was asked for an answer alone
 * @param failure why Redis did not answer; null if it did
 */
record QueueLook(
        String queue, @Nullable Tally tally, @Nullable String failure) {}
