package io.delayjob.journal.internal.tables;

import io.delayjob.JobState;
import io.delayjob.engine.ledger.FlowPosition;
import org.jspecify.annotations.Nullable;

/**
 * A step of a job.
 *
 * @param queue its queue
 * @param id its id
 * @param position where the flow log of Redis had it
 * @param item its place among the steps of that entry, and of entries of other shards at the same position
 * @param kind the kind of the step
 * @param at when, by Redis' clock, milliseconds since 1970
 * @param state the job's state afterwards; null if there is no such job
 * @param attempt how many attempts had begun
 * @param dueAt when it was due afterwards
 * @param node the node that did it
 * @param detail error, reason or result
 */
public record FlowRow(
        String queue,
        String id,
        FlowPosition position,
        int item,
        String kind,
        long at,
        @Nullable JobState state,
        int attempt,
        @Nullable Long dueAt,
        @Nullable String node,
        @Nullable String detail) {}
