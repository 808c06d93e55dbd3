package io.delayjob.spring.internal.listener;

import io.delayjob.AckMode;
import io.delayjob.DelayJobListener;
import io.delayjob.RecurringDelayJob;
import io.delayjob.engine.handler.Handler;
import io.delayjob.engine.handler.ParamCodec;
import io.delayjob.engine.settings.AttemptPolicy;
import io.delayjob.engine.settings.ConsumedQueue;
import io.delayjob.engine.settings.NodeQueues;
import io.delayjob.engine.settings.QueueSettings;
import io.delayjob.spring.InvalidConfigurationException;
import io.delayjob.support.Checks;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.EmbeddedValueResolver;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;

/** Makes jobs of listener methods, and refuses what cannot run. */
final class ListenerJobs {

    private final ConfigurableListableBeanFactory beans;
    private final ParamCodec params;
    private final NodeQueues queues;
    private final StatedOptions options;
    private final HeaderResolver headers;

    ListenerJobs(ConfigurableListableBeanFactory beans, ParamCodec params, NodeQueues queues, StatedOptions options) {
        this.beans = beans;
        this.params = params;
        this.queues = queues;
        this.options = options;
        this.headers = new HeaderResolver(beans);
    }

    /** The job of a method of a bean. */
    Candidate candidate(String beanName, Class<?> target, Method method, DelayJobListener listener) {
        String methodName = ClassUtils.getQualifiedMethodName(method, target);
        String place = "@DelayJobListener on " + methodName + " of bean '" + beanName + "'";
        Attributes attributes = new Attributes(place, new EmbeddedValueResolver(beans));
        String queue = attributes.name("queue", listener.queue(), Checks::queue);
        String topic = topic(attributes, listener, queue);
        String id = attributes.name("id", listener.id(), Checks::jobName);
        String listenerId = id == null ? topic : id;
        ConsumedQueue listened = listened(attributes, listener, listenerId, queue);
        Signature signature = checked(place, () -> signature(beanName, target, method, listener.ackMode()));
        String label = "listener '" + listenerId + "' (" + methodName + ")";
        Handler job = new Handler(
                topic,
                label,
                null,
                checked(place, () -> signature.paramType(params)),
                new ListenerWork(label, beans, beanName, method, signature),
                listener.ackMode(),
                options(attributes, listener, queue),
                attributes.priority("priority", listener.priority()),
                listened);
        RecurringDelayJob recurring = AnnotatedElementUtils.findMergedAnnotation(method, RecurringDelayJob.class);
        Handler declaring = recurring == null
                ? job
                : RecurringJobs.declaring(recurring, job, label, attributes.resolver(), queue, params);
        return new Candidate(declaring, label + " of bean '" + beanName + "'");
    }

    private static String topic(Attributes attributes, DelayJobListener listener, @Nullable String queue) {
        String topic = attributes.name("topic", listener.topic(), Checks::jobName);
        if (topic == null && queue == null) {
            throw attributes.invalid(
                    "topic",
                    "topic is empty, and queue is too; state the topic, or a queue that it is named after",
                    null);
        }
        return topic == null ? Checks.notNull(queue, "queue") : topic;
    }

    private static ConsumedQueue listened(
            Attributes attributes, DelayJobListener listener, String id, @Nullable String queue) {
        return new ConsumedQueue(
                id,
                queue,
                attributes.count("concurrency", listener.concurrency()),
                attributes.lease("lease", listener.lease()),
                attributes.flag("autoStartup", listener.autoStartup()));
    }

    private AttemptPolicy options(Attributes attributes, DelayJobListener listener, @Nullable String queue) {
        QueueSettings its = queues.of(queue == null ? queues.defaultQueue() : queue);
        return options.of(listener, attributes, its.backoff());
    }

    private Signature signature(String beanName, Class<?> target, Method method, AckMode ackMode) {
        if (Modifier.isStatic(method.getModifiers())) {
            throw new IllegalArgumentException("the method is static; a listener is a method of its bean");
        }
        Asynchrony.refuse(method, target);
        Signature signature = new Signature(method, target, headers);
        if (signature.takes(Argument.ACKNOWLEDGMENT) != (ackMode == AckMode.MANUAL)) {
            throw new IllegalArgumentException(
                    ackMode == AckMode.MANUAL
                            ? "ackMode MANUAL needs a parameter of type Acknowledgment; " + Argument.ALLOWED
                            : "a parameter of type Acknowledgment needs ackMode MANUAL, found " + ackMode);
        }
        Class<?> exposed = beans.getType(beanName);
        if (exposed != null) {
            ListenerWork.invocable(method, exposed);
        }
        return signature;
    }

    private static <V> V checked(String place, Supplier<V> made) {
        try {
            return made.get();
        } catch (IllegalArgumentException | IllegalStateException e) {
            throw new InvalidConfigurationException(place + ": " + e.getMessage(), e);
        }
    }
}
