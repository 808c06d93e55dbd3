package io.delayjob.engine.internal.consuming;

import io.delayjob.engine.extension.Interceptors;
import io.delayjob.engine.extension.JobEvents;
import io.delayjob.engine.handler.JobRegistry;
import io.delayjob.engine.handler.ParamCodec;
import io.delayjob.engine.internal.calls.Queues;
import io.delayjob.engine.internal.calls.Shard;
import io.delayjob.engine.internal.running.JobRunner;
import io.delayjob.engine.internal.running.ShardRuns;
import io.delayjob.engine.internal.running.Slots;
import io.delayjob.engine.ledger.Backend;
import io.delayjob.engine.settings.EngineSettings;
import io.delayjob.engine.settings.QueueSettings;
import io.delayjob.engine.telemetry.QueueTelemetries;
import io.delayjob.engine.telemetry.QueueTelemetry;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;

/**
 * What all queues of this node share.
 *
 * @param settings how the node is run
 * @param backend opens doorbells
 * @param queues the shards
 * @param registry the beans and listeners
 * @param params reads params
 * @param interceptors surround attempts
 * @param events hear of every step
 * @param telemetries measure what happens
 * @param scheduler begins jobs when they are due, and ends attempts that take too long
 */
public record NodeParts(
        EngineSettings settings,
        Backend backend,
        Queues queues,
        JobRegistry registry,
        ParamCodec params,
        Interceptors interceptors,
        JobEvents events,
        QueueTelemetries telemetries,
        ScheduledExecutorService scheduler) {

    /** The runs of a shard. */
    public ShardRuns runs(Shard shard, QueueSettings queue, Slots slots, Executor workers) {
        QueueTelemetry telemetry = telemetries.of(shard.id().queue());
        JobRunner runner =
                new JobRunner(shard, queue, settings, registry, params, interceptors, events, telemetry, scheduler);
        return new ShardRuns(shard, queue.lease().toMillis(), slots, workers, runner, events, telemetry, scheduler);
    }
}
