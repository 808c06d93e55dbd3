package io.delayjob.engine.internal.recurring;

import org.jspecify.annotations.Nullable;

/** Told when the next instant of a shard's schedules comes, on the node that is the holder. */
public interface ScheduleWatch {

    /** Ignores the instants. */
    ScheduleWatch NONE = untilMillis -> {};

    /**
     * The holder was told of the next instant.
     *
     * @param untilMillis the time until then; null if no schedule is to fire, or this node is no longer the holder
     */
    void heard(@Nullable Long untilMillis);
}
