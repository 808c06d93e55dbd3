package io.delayjob.test;

import io.delayjob.JobEvent;
import io.delayjob.engine.extension.JobEvents;
import io.delayjob.spi.JobEventListener;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.ApplicationEventPublisher;

/**
 * Delivers events, on the thread on which they happen, to the record of the test and to the application: its listeners, and as
 * application events. Events before all beans are created reach the application afterwards, as in production.
 */
final class TestEvents implements SmartInitializingSingleton {

    private final Recording record;
    private final ObjectProvider<JobEventListener> beans;
    private final ApplicationEventPublisher publisher;
    private final List<JobEvent> early = new ArrayList<>();
    private List<JobEventListener> listeners = List.of();
    private boolean made;

    TestEvents(Recording record, ObjectProvider<JobEventListener> beans, ApplicationEventPublisher publisher) {
        this.record = record;
        this.beans = beans;
        this.publisher = publisher;
    }

    void deliver(JobEvent event) {
        record.add(event);
        List<JobEventListener> now;
        synchronized (early) {
            if (!made) {
                early.add(event);
            }
            now = listeners;
        }
        JobEvents.tell(now, event);
    }

    @Override
    public void afterSingletonsInstantiated() {
        JobEventListener published = publisher::publishEvent;
        List<JobEventListener> all =
                Stream.concat(beans.orderedStream(), Stream.of(published)).toList();
        List<JobEvent> missed;
        synchronized (early) {
            made = true;
            listeners = all;
            missed = List.copyOf(early);
            early.clear();
        }
        missed.forEach(event -> JobEvents.tell(all, event));
    }
}
