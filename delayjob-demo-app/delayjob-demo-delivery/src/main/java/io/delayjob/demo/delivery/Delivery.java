package io.delayjob.demo.delivery;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A job that was submitted to leave.
 *
 * @param target where it goes
 * @param arrival null until it has arrived
 */
record Delivery(
        String id,
        Way way,
        String target,
        Instant submittedAt,
        Instant dueAt,
        @Nullable Arrival arrival) {

    Delivery withArrival(@Nullable Arrival seen) {
        return new Delivery(id, way, target, submittedAt, dueAt, seen);
    }
}
