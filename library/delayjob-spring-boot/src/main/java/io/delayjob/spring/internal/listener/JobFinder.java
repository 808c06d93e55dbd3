package io.delayjob.spring.internal.listener;

import io.delayjob.engine.handler.Handler;
import io.delayjob.engine.handler.ParamCodec;
import io.delayjob.engine.settings.NodeQueues;
import io.delayjob.spring.InvalidConfigurationException;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/** Finds everything in an application that runs jobs, and refuses what clashes. */
public final class JobFinder {

    private final DelayJobBeans classes;
    private final ListenerBeans listeners;
    private final NodeQueues queues;

    public JobFinder(ConfigurableListableBeanFactory beans, ParamCodec params, NodeQueues queues) {
        StatedOptions options = new StatedOptions(new BackoffBeans(beans));
        this.classes = new DelayJobBeans(beans, params, queues, options);
        this.listeners = new ListenerBeans(beans, new ListenerJobs(beans, params, queues, options));
        this.queues = queues;
    }

    /**
     * Looks at all beans.
     *
     * @throws InvalidConfigurationException if one cannot run jobs, or two cannot together
     */
    public List<Handler> find() {
        List<Candidate> found = Stream.concat(classes.find().stream(), listeners.find().stream())
                .toList();
        new Clashes(found, queues.defaultQueue()).refuse();
        return found.stream().map(Candidate::job).toList();
    }
}
