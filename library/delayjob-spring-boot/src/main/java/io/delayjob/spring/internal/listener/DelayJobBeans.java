package io.delayjob.spring.internal.listener;

import io.delayjob.AckMode;
import io.delayjob.DelayJob;
import io.delayjob.DelayJobName;
import io.delayjob.DelayJobPolicy;
import io.delayjob.DelayJobQueue;
import io.delayjob.JobExecution;
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
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.EmbeddedValueResolver;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;
import tools.jackson.databind.JavaType;

/** Finds the {@link DelayJob} beans of an application, behind whatever proxies they have, and the type each is given. */
final class DelayJobBeans {

    private static final Method EXECUTE = ClassUtils.getMethod(DelayJob.class, "execute", JobExecution.class);

    private final ConfigurableListableBeanFactory beans;
    private final ParamCodec params;
    private final NodeQueues queues;
    private final StatedOptions options;

    DelayJobBeans(ConfigurableListableBeanFactory beans, ParamCodec params, NodeQueues queues, StatedOptions options) {
        this.beans = beans;
        this.params = params;
        this.queues = queues;
        this.options = options;
    }

    List<Candidate> find() {
        return Stream.of(beans.getBeanNamesForType(DelayJob.class, true, false))
                .filter(beanName -> !ScopedProxyUtils.isScopedTarget(beanName))
                .map(this::candidate)
                .toList();
    }

    private Candidate candidate(String beanName) {
        Class<?> jobClass = jobClass(beanName);
        String label = "bean '" + beanName + "' (" + jobClass.getName() + ")";
        refuseAsync(label, jobClass);
        String queue = queue(label, jobClass);
        Handler job = new Handler(
                name(label, jobClass),
                label,
                jobClass,
                paramType(beanName, jobClass),
                (execution, acknowledgment) -> bean(beanName).execute(execution),
                AckMode.ON_SUCCESS,
                options(label, jobClass, queue),
                priority(label, jobClass),
                queue == null ? null : ConsumedQueue.ofBean(queue));
        return new Candidate(recurring(job, label, jobClass, queue), label);
    }

    private Handler recurring(Handler job, String label, Class<?> jobClass, @Nullable String queue) {
        RecurringDelayJob stated = AnnotationUtils.findAnnotation(jobClass, RecurringDelayJob.class);
        return stated == null
                ? job
                : RecurringJobs.declaring(stated, job, label, new EmbeddedValueResolver(beans), queue, params);
    }

    private static void refuseAsync(String label, Class<?> jobClass) {
        try {
            Asynchrony.refuseAsync(ClassUtils.getMostSpecificMethod(EXECUTE, jobClass), jobClass);
        } catch (IllegalArgumentException e) {
            throw new InvalidConfigurationException("execute of DelayJob " + label + ": " + e.getMessage(), e);
        }
    }

    @SuppressWarnings("unchecked")
    private DelayJob<Object> bean(String beanName) {
        return beans.getBean(beanName, DelayJob.class);
    }

    private Class<?> jobClass(String beanName) {
        Class<?> type = beans.containsSingleton(beanName)
                ? AopProxyUtils.ultimateTargetClass(beans.getBean(beanName))
                : AutoProxyUtils.determineTargetClass(beans, beanName);
        return type == null ? DelayJob.class : ClassUtils.getUserClass(type);
    }

    private JavaType paramType(String beanName, Class<?> jobClass) {
        ResolvableType param =
                ResolvableType.forClass(jobClass).as(DelayJob.class).getGeneric(0);
        if (jobClass.isInterface() || jobClass.isSynthetic() || jobClass.isHidden() || param.resolve() == null) {
            throw new InvalidConfigurationException(
                    "DelayJob bean '" + beanName + "' of " + jobClass.getName()
                            + " does not state the type of its param,"
                            + " as a lambda, a raw type or an interface cannot; make it a class that implements"
                            + " DelayJob<YourParam>, and let a @Bean method return that class",
                    null);
        }
        return readable(beanName, jobClass, params.type(jobClass).findTypeParameters(DelayJob.class)[0]);
    }

    private JavaType readable(String beanName, Class<?> jobClass, JavaType param) {
        try {
            params.refuseUnreadable(param);
            return param;
        } catch (IllegalArgumentException e) {
            throw new InvalidConfigurationException(
                    "DelayJob bean '" + beanName + "' of " + jobClass.getName() + ": " + e.getMessage(), e);
        }
    }

    private static String name(String label, Class<?> jobClass) {
        DelayJobName alias = AnnotationUtils.findAnnotation(jobClass, DelayJobName.class);
        try {
            return alias == null ? jobClass.getName() : Checks.jobName(alias.value());
        } catch (IllegalArgumentException e) {
            throw new InvalidConfigurationException("@DelayJobName of " + label + ": " + e.getMessage(), e);
        }
    }

    private @Nullable String queue(String label, Class<?> jobClass) {
        DelayJobQueue queue = AnnotationUtils.findAnnotation(jobClass, DelayJobQueue.class);
        return queue == null ? null : attributes("@DelayJobQueue", label).name("value", queue.value(), Checks::queue);
    }

    private Attributes attributes(String annotation, String label) {
        return new Attributes(annotation + " of " + label, new EmbeddedValueResolver(beans));
    }

    private AttemptPolicy options(String label, Class<?> jobClass, @Nullable String queue) {
        DelayJobPolicy policy = policy(jobClass);
        if (policy == null) {
            return AttemptPolicy.NONE;
        }
        QueueSettings its = queue == null ? queues.defaults() : queues.of(queue);
        return options.of(policy, ofPolicy(label), its.backoff());
    }

    private @Nullable Integer priority(String label, Class<?> jobClass) {
        DelayJobPolicy policy = policy(jobClass);
        return policy == null ? null : ofPolicy(label).priority("priority", policy.priority());
    }

    private static @Nullable DelayJobPolicy policy(Class<?> jobClass) {
        return AnnotationUtils.findAnnotation(jobClass, DelayJobPolicy.class);
    }

    private Attributes ofPolicy(String label) {
        return attributes("@DelayJobPolicy", label);
    }
}
