package io.delayjob.redisson.autoconfigure;

import io.delayjob.AckMode;
import io.delayjob.DelayJob;
import io.delayjob.DelayJobName;
import io.delayjob.JobExecution;
import io.delayjob.internal.Checks;
import io.delayjob.redisson.internal.engine.JobOptions;
import io.delayjob.redisson.internal.engine.ParamCodec;
import io.delayjob.redisson.internal.engine.RegisteredJob;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;
import tools.jackson.databind.JavaType;

/** Finds the {@link DelayJob} beans of an application, behind whatever proxies they have, and the type each is given. */
final class DelayJobBeans {

    private final ConfigurableListableBeanFactory beans;
    private final ParamCodec params;

    DelayJobBeans(ConfigurableListableBeanFactory beans, ParamCodec params) {
        this.beans = beans;
        this.params = params;
    }

    List<RegisteredJob> find() {
        List<RegisteredJob> found = new ArrayList<>();
        Map<String, String> described = new HashMap<>();
        for (String beanName : beans.getBeanNamesForType(DelayJob.class, true, false)) {
            if (!ScopedProxyUtils.isScopedTarget(beanName)) {
                RegisteredJob job = registered(beanName);
                String bean = "'" + beanName + "' (" + job.name() + ")";
                refuseSecond(job.name(), described.putIfAbsent(job.name(), bean), bean);
                found.add(job);
            }
        }
        return found;
    }

    private static void refuseSecond(String name, @Nullable String first, String second) {
        if (first != null) {
            throw new InvalidConfigurationException(
                    "two DelayJob beans share the name '" + name + "': " + first + " and " + second
                            + "; keep one bean of a class, and use each @DelayJobName once",
                    null);
        }
    }

    private RegisteredJob registered(String beanName) {
        Class<?> jobClass = jobClass(beanName);
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
        JavaType paramType = params.type(jobClass).findTypeParameters(DelayJob.class)[0];
        return new RegisteredJob(
                name(beanName, jobClass),
                "bean '" + beanName + "' (" + jobClass.getName() + ")",
                jobClass,
                paramType,
                (execution, acknowledgment) -> execute(beanName, execution),
                AckMode.ON_SUCCESS,
                JobOptions.NONE,
                null);
    }

    /** The registry binds a bean to its own param type, which the compiler cannot see. */
    @SuppressWarnings("unchecked")
    private void execute(String beanName, JobExecution<Object> execution) throws Exception {
        ((DelayJob<Object>) beans.getBean(beanName, DelayJob.class)).execute(execution);
    }

    private Class<?> jobClass(String beanName) {
        Class<?> type = beans.containsSingleton(beanName)
                ? AopProxyUtils.ultimateTargetClass(beans.getBean(beanName))
                : AutoProxyUtils.determineTargetClass(beans, beanName);
        return type == null ? DelayJob.class : ClassUtils.getUserClass(type);
    }

    private static String name(String beanName, Class<?> jobClass) {
        DelayJobName alias = AnnotationUtils.findAnnotation(jobClass, DelayJobName.class);
        try {
            return alias == null ? jobClass.getName() : Checks.jobName(alias.value());
        } catch (IllegalArgumentException e) {
            throw new InvalidConfigurationException(
                    "@DelayJobName of bean '" + beanName + "' (" + jobClass.getName() + "): " + e.getMessage(), e);
        }
    }
}
