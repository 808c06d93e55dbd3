package io.delayjob.redisson.node;

import io.delayjob.JobEvent;
import io.delayjob.engine.TestSettings;
import io.delayjob.engine.extension.Extensions;
import io.delayjob.engine.extension.JobEvents;
import io.delayjob.engine.extension.Transactions;
import io.delayjob.engine.telemetry.Telemetry;
import io.delayjob.spi.JobEventListener;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;

/** The events that one node, or several, published. */
final class EventLog implements JobEventListener {

    private final List<JobEvent> events = new CopyOnWriteArrayList<>();

    @Override
    public void onEvent(JobEvent event) {
        events.add(event);
    }

    Extensions extensions() {
        return new Extensions(
                List::of, JobEvents.onOwnThread(List.of(this), kind -> true), Transactions.NONE, Telemetry.NONE);
    }

    <E extends JobEvent> List<E> of(Class<E> type) {
        return events.stream().filter(type::isInstance).map(type::cast).toList();
    }

    /** Waits for this many events of a type. They are published shortly after what they tell of is seen in the ledger. */
    <E extends JobEvent> List<E> await(Class<E> type, int count) {
        return Awaitility.await().atMost(TestSettings.SOON).until(() -> of(type), found -> found.size() >= count);
    }

    /**
     * The names of the events of a job on the nodes that ran it, in their order. The submit is left out: its node may hear of it
     * when the job runs already.
     */
    List<String> stepsOf(String id) {
        return events.stream()
                .filter(event -> event.id().equals(id))
                .filter(event -> !(event instanceof JobEvent.Submitted))
                .map(event -> event.getClass().getSimpleName())
                .toList();
    }
}
