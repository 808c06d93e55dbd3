package io.delayjob.server.internal.queues;

import io.delayjob.QueueCounts;
import io.delayjob.server.web.View;

/** How many jobs of a queue are in each state; see {@link QueueCounts}. */
public record QueueView(String queue, long delayed, long ready, long reserved, long dead, long finished, boolean paused)
        implements View {

    static QueueView of(String queue, QueueCounts counts) {
        return new QueueView(
                queue,
                counts.delayed(),
                counts.ready(),
                counts.reserved(),
                counts.dead(),
                counts.finished(),
                counts.paused());
    }
}
