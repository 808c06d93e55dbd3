package io.delayjob.engine.internal.running;

import io.delayjob.engine.extension.Hooks;
import io.delayjob.engine.handler.HandlerRegistry;
import io.delayjob.engine.handler.ParamCodec;
import io.delayjob.engine.internal.calls.Queues;
import io.delayjob.engine.ledger.Backend;
import io.delayjob.engine.settings.EngineSettings;
import java.util.concurrent.ScheduledExecutorService;

/**
 * What all queues of this node share.
 *
 * @param settings how the node is run
 * @param backend opens doorbells
 * @param queues the shards
 * @param registry the handlers
 * @param params reads params
 * @param hooks surround attempts, hear of every step and measure it
 * @param scheduler begins jobs when they are due, and ends attempts that take too long
 */
public record Node(
        EngineSettings settings,
        Backend backend,
        Queues queues,
        HandlerRegistry registry,
        ParamCodec params,
        Hooks hooks,
        ScheduledExecutorService scheduler) {}
