package io.delayjob.spring.autoconfigure;

import static java.util.stream.Collectors.toUnmodifiableSet;

import io.delayjob.JobEvent;
import io.delayjob.engine.extension.JobEvents;
import java.util.Arrays;
import java.util.Set;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.event.GenericApplicationListener;
import org.springframework.context.event.GenericApplicationListenerAdapter;
import org.springframework.context.event.SmartApplicationListener;
import org.springframework.context.support.AbstractApplicationContext;
import org.springframework.core.ResolvableType;

/**
 * To which kinds of events of jobs somebody listens as application events. Publishing millions of others to nobody would cost more
 * than running some of the jobs.
 */
final class Interest {

    private Interest() {}

    /** The kinds that a listener of the context, or of one above it, asks for. */
    static Set<Class<? extends JobEvent>> in(ApplicationContext context) {
        return JobEvents.KINDS.stream()
                .filter(kind -> isHeard(published(kind), context))
                .collect(toUnmodifiableSet());
    }

    private static boolean isHeard(ResolvableType event, ApplicationContext context) {
        ApplicationContext parent = context.getParent();
        boolean here = !(context instanceof AbstractApplicationContext known)
                || known.getApplicationListeners().stream().anyMatch(listener -> hears(listener, event))
                || isDeclared(event, known.getBeanFactory());
        return here || (parent != null && isHeard(event, parent));
    }

    /** Whether a bean hears it that is not made yet, or of which only its definition says so, as of a lambda. */
    private static boolean isDeclared(ResolvableType event, ConfigurableListableBeanFactory beans) {
        return Arrays.stream(beans.getBeanNamesForType(ApplicationListener.class, true, false))
                .filter(beans::containsBeanDefinition)
                .map(name -> eventOf(beans.getMergedBeanDefinition(name).getResolvableType()))
                .anyMatch(declared -> !isAny(declared) && declared.isAssignableFrom(event));
    }

    private static boolean hears(ApplicationListener<?> listener, ResolvableType event) {
        return !takesAnything(listener) && new GenericApplicationListenerAdapter(listener).supportsEventType(event);
    }

    /** The event type that Spring publishes for a kind. */
    private static ResolvableType published(Class<? extends JobEvent> kind) {
        return ResolvableType.forClassWithGenerics(PayloadApplicationEvent.class, kind);
    }

    /** Infrastructure, such as Boot's own, that is told of every event and looks for its own. */
    private static boolean takesAnything(ApplicationListener<?> listener) {
        return !(listener instanceof SmartApplicationListener)
                && !(listener instanceof GenericApplicationListener)
                && isAny(eventOf(ResolvableType.forInstance(listener)));
    }

    private static ResolvableType eventOf(ResolvableType listener) {
        return listener.as(ApplicationListener.class).getGeneric(0);
    }

    private static boolean isAny(ResolvableType event) {
        return event.resolve(ApplicationEvent.class) == ApplicationEvent.class;
    }
}
