package io.delayjob.redisson.autoconfigure;

import io.delayjob.JobEvent;
import java.util.List;
import java.util.stream.Stream;
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
 * Whether anybody listens to events of jobs as application events. Publishing millions of them to nobody would cost more than
 * running some of the jobs.
 */
final class Interest {

    private static final List<ResolvableType> PUBLISHED = leaves(JobEvent.class)
            .map(type -> ResolvableType.forClassWithGenerics(PayloadApplicationEvent.class, type))
            .toList();

    private Interest() {}

    private static Stream<Class<?>> leaves(Class<?> type) {
        Class<?>[] parts = type.getPermittedSubclasses();
        return parts == null ? Stream.of(type) : Stream.of(parts).flatMap(Interest::leaves);
    }

    /** Whether a listener of the context, or of one above it, asks for any of them. */
    static boolean in(ApplicationContext context) {
        ApplicationContext parent = context.getParent();
        boolean here = !(context instanceof AbstractApplicationContext known)
                || known.getApplicationListeners().stream().anyMatch(Interest::of);
        return here || (parent != null && in(parent));
    }

    private static boolean of(ApplicationListener<?> listener) {
        GenericApplicationListener adapter = new GenericApplicationListenerAdapter(listener);
        return !takesAnything(listener) && PUBLISHED.stream().anyMatch(adapter::supportsEventType);
    }

    /** Infrastructure, such as Boot's own, that is told of every event and looks for its own. */
    private static boolean takesAnything(ApplicationListener<?> listener) {
        return !(listener instanceof SmartApplicationListener)
                && !(listener instanceof GenericApplicationListener)
                && ResolvableType.forInstance(listener)
                                .as(ApplicationListener.class)
                                .getGeneric(0)
                                .resolve(ApplicationEvent.class)
                        == ApplicationEvent.class;
    }
}
