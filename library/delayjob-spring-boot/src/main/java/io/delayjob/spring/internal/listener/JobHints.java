package io.delayjob.spring.internal.listener;

import io.delayjob.Acknowledgment;
import io.delayjob.DelayJob;
import io.delayjob.DelayJobListener;
import io.delayjob.JobExecution;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;

/** Keeps in a native image what jobs need of reflection: the methods of listeners, and the types of params. */
final class JobHints implements BeanRegistrationAotProcessor {

    private final BindingReflectionHintsRegistrar params = new BindingReflectionHintsRegistrar();

    @Override
    public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean bean) {
        Class<?> type = ClassUtils.getUserClass(bean.getBeanClass());
        Set<Method> listeners = MethodIntrospector.selectMethods(
                type, (Method method) -> AnnotatedElementUtils.hasAnnotation(method, DelayJobListener.class));
        return listeners.isEmpty() && !DelayJob.class.isAssignableFrom(type)
                ? null
                : (generation, code) -> register(generation.getRuntimeHints().reflection(), type, listeners);
    }

    private void register(ReflectionHints hints, Class<?> type, Set<Method> listeners) {
        registerParam(hints, ResolvableType.forClass(type).as(DelayJob.class).getGeneric(0));
        for (Method listener : listeners) {
            hints.registerMethod(listener, ExecutableMode.INVOKE);
            Arrays.stream(listener.getParameters())
                    .map(MethodParameter::forParameter)
                    .map(parameter -> ResolvableType.forMethodParameter(parameter.withContainingClass(type)))
                    .forEach(argument -> registerArgument(hints, argument));
        }
    }

    private void registerArgument(ReflectionHints hints, ResolvableType argument) {
        if (argument.resolve() == JobExecution.class) {
            registerParam(hints, argument.getGeneric(0));
        } else if (argument.resolve() != Acknowledgment.class) {
            registerParam(hints, argument);
        }
    }

    private void registerParam(ReflectionHints hints, ResolvableType param) {
        if (param.resolve() != null) {
            params.registerReflectionHints(hints, param.getType());
        }
    }
}
