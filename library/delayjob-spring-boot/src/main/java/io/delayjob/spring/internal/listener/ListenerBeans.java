package io.delayjob.spring.internal.listener;

import io.delayjob.DelayJobListener;
import io.delayjob.RecurringDelayJob;
import io.delayjob.spring.InvalidConfigurationException;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.stereotype.Component;

/** Finds the methods marked {@link DelayJobListener} of all beans, without creating a bean. */
record ListenerBeans(ConfigurableListableBeanFactory beans, ListenerJobs jobs) {

    private static final Logger log = LoggerFactory.getLogger(ListenerBeans.class);

    List<Candidate> find() {
        List<Candidate> found = new ArrayList<>();
        for (String beanName : beans.getBeanNamesForType(Object.class, true, false)) {
            Class<?> type = ScopedProxyUtils.isScopedTarget(beanName) ? null : type(beanName);
            if (type != null && mayHave(type, DelayJobListener.class)) {
                marked(beanName, type, DelayJobListener.class)
                        .forEach((method, listener) -> found.add(jobs.candidate(beanName, type, method, listener)));
            }
            if (type != null && mayHave(type, RecurringDelayJob.class)) {
                marked(beanName, type, RecurringDelayJob.class)
                        .keySet()
                        .forEach(method -> refuseMute(beanName, method));
            }
        }
        return found;
    }

    private @Nullable Class<?> type(String beanName) {
        try {
            return BeanTypes.target(beans, beanName);
        } catch (BeansException | LinkageError e) {
            log.debug("the class of bean '{}' is not known, so it is not searched for listeners", beanName, e);
            return null;
        }
    }

    private static boolean mayHave(Class<?> type, Class<? extends Annotation> annotation) {
        return AnnotationUtils.isCandidateClass(type, annotation) && !isSprings(type);
    }

    private static void refuseMute(String beanName, Method method) {
        if (!AnnotatedElementUtils.hasAnnotation(method, DelayJobListener.class)) {
            throw new InvalidConfigurationException(
                    "@RecurringDelayJob on " + method.getName() + " of bean '" + beanName
                            + "': it is not a listener; add @DelayJobListener(topic = …) to the method",
                    null);
        }
    }

    /** Whether a class is Spring's own and no component, by the rule of Spring's {@code EventListenerMethodProcessor}. */
    private static boolean isSprings(Class<?> type) {
        return type.getName().startsWith("org.springframework.")
                && !AnnotatedElementUtils.isAnnotated(type, Component.class);
    }

    private static <M extends Annotation> Map<Method, M> marked(String beanName, Class<?> type, Class<M> annotation) {
        try {
            return MethodIntrospector.selectMethods(type, (MethodIntrospector.MetadataLookup<M>)
                    method -> AnnotatedElementUtils.findMergedAnnotation(method, annotation));
        } catch (LinkageError e) {
            log.debug(
                    "bean '{}' has a method with a type that cannot be loaded, so it is not searched for listeners",
                    beanName,
                    e);
            return Map.of();
        }
    }
}
