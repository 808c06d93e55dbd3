package io.delayjob.engine.internal.claiming;

import io.delayjob.JobEvent;
import io.delayjob.engine.TestSettings;
import io.delayjob.engine.extension.Extensions;
import io.delayjob.engine.extension.Hooks;
import io.delayjob.engine.extension.JobEvents;
import io.delayjob.engine.extension.Transactions;
import io.delayjob.engine.handler.HandlerRegistry;
import io.delayjob.engine.internal.calls.Queues;
import io.delayjob.engine.internal.running.Node;
import io.delayjob.engine.ledger.Backend;
import io.delayjob.engine.settings.EngineSettings;
import io.delayjob.engine.settings.QueueSettings;
import io.delayjob.engine.telemetry.Telemetry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;

/** Nodes of tests without handlers, whose default queue is "q". */
final class Nodes {

    private Nodes() {}

    static Node of(
            Backend backend,
            QueueSettings queue,
            Duration timeout,
            ScheduledExecutorService scheduler,
            List<JobEvent> events,
            Telemetry telemetry) {
        EngineSettings settings = TestSettings.node("q", queue, timeout);
        Extensions extensions =
                new Extensions(List::of, JobEvents.onCallersThread(List.of(events::add)), Transactions.NONE, telemetry);
        return new Node(
                settings,
                backend,
                new Queues(backend, settings, name -> true, scheduler),
                new HandlerRegistry(List::of),
                TestSettings.PARAMS,
                Hooks.of(extensions, name -> true),
                scheduler,
                Runnable::run);
    }
}
