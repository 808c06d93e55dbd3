package io.delayjob.spring.handler;

import io.delayjob.engine.handler.Handler;
import io.delayjob.engine.handler.ParamCodec;
import io.delayjob.engine.ledger.Replication;
import io.delayjob.engine.ledger.Retention;
import io.delayjob.engine.settings.AttemptPolicy;
import io.delayjob.engine.settings.ExceptionRules;
import io.delayjob.engine.settings.NodeQueues;
import io.delayjob.engine.settings.QueueSettings;
import io.delayjob.spring.InvalidConfigurationException;
import io.delayjob.spring.internal.listener.JobFinder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/** Finds the {@code DelayJob} beans and listeners of an application that runs jobs without an engine: a server hands them out, and decides about attempts. */
public final class ApplicationHandlers {

    private ApplicationHandlers() {}

    /**
     * Looks at all beans. Their own attempts and waits are checked, and not used.
     *
     * @param beans the beans of the application
     * @param params reads the params of their jobs
     * @return the handlers
     * @throws InvalidConfigurationException if a bean cannot run jobs, or two cannot together
     */
    public static List<Handler> find(ConfigurableListableBeanFactory beans, ParamCodec params) {
        return new JobFinder(beans, params, new NodeQueues("default", unused(), Map.of())).find();
    }

    private static QueueSettings unused() {
        AttemptPolicy once =
                new AttemptPolicy(1, (attempt, failure) -> Duration.ofSeconds(1), null, null, ExceptionRules.NONE);
        return new QueueSettings(1, 1, Duration.ofSeconds(10), once, 1, Retention.NONE, Replication.NONE);
    }
}
