package io.delayjob.spring.autoconfigure;

import java.lang.reflect.Modifier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.AnnotatedBeanDefinition;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.core.type.MethodMetadata;

/**
 * Makes beans at the start, whatever {@code spring.main.lazy-initialization} says, whose class is not known until they are made: those of a
 * {@code @Bean} method that returns an interface. Their listeners would not be found.
 */
final class EagerUnknownBeans implements LazyInitializationExcludeFilter {

    @Override
    public boolean isExcluded(String beanName, BeanDefinition definition, @Nullable Class<?> type) {
        return type != null
                && Modifier.isAbstract(type.getModifiers())
                && definition instanceof AnnotatedBeanDefinition annotated
                && isOfOthersThanSpring(annotated.getFactoryMethodMetadata());
    }

    private static boolean isOfOthersThanSpring(@Nullable MethodMetadata method) {
        return method != null && !method.getDeclaringClassName().startsWith("org.springframework.");
    }
}
