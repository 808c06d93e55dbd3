package io.delayjob.engine.internal.running;

import io.delayjob.engine.extension.Hooks;
import io.delayjob.engine.handler.HandlerRegistry;
import io.delayjob.engine.handler.ParamCodec;
import io.delayjob.engine.internal.calls.Queues;
import io.delayjob.engine.ledger.Backend;
import io.delayjob.engine.settings.EngineSettings;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;

/**
 * The parts that all queues of this node share.
 *
 * @param settings the settings of the node
 * @param backend opens doorbells
 * @param queues the shards of all queues
 * @param registry the handlers of this node
 * @param params reads params
 * @param hooks the application's extensions
 * @param scheduler starts jobs when they are due, and interrupts attempts that take too long
 * @param planner computes the instants of schedules
 */
public record Node(
        EngineSettings settings,
        Backend backend,
        Queues queues,
        HandlerRegistry registry,
        ParamCodec params,
        Hooks hooks,
        ScheduledExecutorService scheduler,
        Executor planner) {}
