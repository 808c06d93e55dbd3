package io.delayjob.spring.autoconfigure;

import io.delayjob.JobEvent;
import io.delayjob.engine.extension.JobEvents;
import io.delayjob.spi.JobEventListener;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;

/**
 * Hands events to the application's listeners, and publishes them as application events. Listeners may need what delayjob offers,
 * so they are looked up when all beans are made; events of jobs that beans submit while they are made wait until then. Once the
 * context is up, no event is made of a kind that nobody listens to.
 */
final class EventDelivery
        implements SmartInitializingSingleton, ApplicationListener<ContextRefreshedEvent>, DisposableBean {

    private final ObjectProvider<JobEventListener> beans;
    private final ApplicationEventPublisher publisher;
    private final CountDownLatch made = new CountDownLatch(1);
    private volatile List<JobEventListener> listeners = List.of();
    private volatile Set<Class<? extends JobEvent>> heard = JobEvents.KINDS;

    /** Publishing fails where one of the listeners does. */
    private record Published(ApplicationEventPublisher publisher) implements JobEventListener {

        @Override
        public void onEvent(JobEvent event) {
            publisher.publishEvent(event);
        }

        @Override
        public String toString() {
            return "an @EventListener of the application";
        }
    }

    EventDelivery(ObjectProvider<JobEventListener> beans, ApplicationEventPublisher publisher) {
        this.beans = beans;
        this.publisher = publisher;
    }

    @Override
    public void afterSingletonsInstantiated() {
        listeners = Stream.concat(beans.orderedStream(), Stream.of(new Published(publisher)))
                .toList();
        made.countDown();
    }

    @Override
    public void onApplicationEvent(ContextRefreshedEvent refreshed) {
        heard = beans.stream().findAny().isPresent() ? JobEvents.KINDS : Interest.in(refreshed.getApplicationContext());
    }

    /** Whether an event of a kind would be heard. */
    boolean hears(Class<? extends JobEvent> kind) {
        return heard.contains(kind);
    }

    /** Hands one event to all. */
    void deliver(JobEvent event) {
        try {
            made.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        }
        JobEvents.tell(listeners, event);
    }

    /** Drops all events from now on. */
    @Override
    public void destroy() {
        listeners = List.of();
        made.countDown();
    }
}
