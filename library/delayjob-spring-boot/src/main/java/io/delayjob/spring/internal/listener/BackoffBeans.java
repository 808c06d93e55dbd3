package io.delayjob.spring.internal.listener;

import io.delayjob.spi.BackoffPolicy;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.springframework.beans.factory.ListableBeanFactory;

/** The {@link BackoffPolicy} beans of an application, by name. */
public final class BackoffBeans {

    private final ListableBeanFactory beans;

    public BackoffBeans(ListableBeanFactory beans) {
        this.beans = beans;
    }

    /**
     * A policy that asks a bean, which is not made before it is asked, because it may need what delayjob offers.
     *
     * @throws IllegalArgumentException if there is no such bean
     */
    public BackoffPolicy named(String name) {
        if (!beans.containsBean(name) || !beans.isTypeMatch(name, BackoffPolicy.class)) {
            throw new IllegalArgumentException("no BackoffPolicy bean is named '" + name + "'; there are " + names());
        }
        return new BackoffBean(beans, name);
    }

    private List<String> names() {
        return Arrays.asList(beans.getBeanNamesForType(BackoffPolicy.class, true, false));
    }

    private record BackoffBean(ListableBeanFactory beans, String name) implements BackoffPolicy {

        @Override
        public Duration waitAfter(int attempt, Throwable failure) {
            return beans.getBean(name, BackoffPolicy.class).waitAfter(attempt, failure);
        }

        @Override
        public String toString() {
            return "BackoffPolicy bean '" + name + "'";
        }
    }
}
