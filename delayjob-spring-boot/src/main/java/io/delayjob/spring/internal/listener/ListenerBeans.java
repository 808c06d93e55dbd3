package io.delayjob.spring.internal.listener;

import io.delayjob.DelayJobListener;
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
            if (type != null && mayListen(type)) {
                listeners(beanName, type)
                        .forEach((method, listener) -> found.add(jobs.candidate(beanName, type, method, listener)));
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

    private static boolean mayListen(Class<?> type) {
        return AnnotationUtils.isCandidateClass(type, DelayJobListener.class) && !isSprings(type);
    }

    /** Whether a class is Spring's own and no component, by the rule of Spring's {@code EventListenerMethodProcessor}. */
    private static boolean isSprings(Class<?> type) {
        return type.getName().startsWith("org.springframework.")
                && !AnnotatedElementUtils.isAnnotated(type, Component.class);
    }

    private static Map<Method, DelayJobListener> listeners(String beanName, Class<?> type) {
        try {
            return MethodIntrospector.selectMethods(type, (MethodIntrospector.MetadataLookup<DelayJobListener>)
                    method -> AnnotatedElementUtils.findMergedAnnotation(method, DelayJobListener.class));
        } catch (LinkageError e) {
            log.debug(
                    "bean '{}' has a method with a type that cannot be loaded, so it is not searched for listeners",
                    beanName,
                    e);
            return Map.of();
        }
    }
}
