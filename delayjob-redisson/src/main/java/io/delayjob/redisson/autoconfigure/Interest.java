package io.delayjob.redisson.autoconfigure;

import static java.util.stream.Collectors.toUnmodifiableSet;

import io.delayjob.JobEvent;
import io.delayjob.redisson.internal.engine.JobEvents;
import java.util.Set;
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
                || known.getApplicationListeners().stream().anyMatch(listener -> hears(listener, event));
        return here || (parent != null && isHeard(event, parent));
    }

    private static boolean hears(ApplicationListener<?> listener, ResolvableType event) {
        return !takesAnything(listener) && new GenericApplicationListenerAdapter(listener).supportsEventType(event);
    }

    /** What Spring makes of it. */
    private static ResolvableType published(Class<? extends JobEvent> kind) {
        return ResolvableType.forClassWithGenerics(PayloadApplicationEvent.class, kind);
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
