package io.delayjob.redisson.internal.events;

import io.delayjob.redisson.events.EventStream;
import io.delayjob.redisson.events.StreamedEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/**
 * Content of one call to the event stream.
 *
 * @param gaps how many events were not sent before, by their queues
 * @param events the events that follow
 */
record Batch(List<Gap> gaps, List<StreamedEvent> events) {

    static final Batch NONE = new Batch(List.of(), List.of());

    /** Events of a queue that were not sent. */
    record Gap(String queue, int count) {}

    /** Takes the gaps and the waiting events that are to be sent next, as many as fit into a call. */
    static Batch next(Missed missed, Queue<StreamedEvent> waiting) {
        List<Gap> gaps = missed.take(Gap::new);
        List<StreamedEvent> events = new ArrayList<>();
        for (int room = EventStream.MOST - gaps.size(); room > 0; room--) {
            StreamedEvent event = waiting.poll();
            if (event == null) {
                break;
            }
            events.add(event);
        }
        return new Batch(gaps, events);
    }

    boolean isEmpty() {
        return gaps.isEmpty() && events.isEmpty();
    }

    List<StreamedEvent> sent(EventText text) {
        List<StreamedEvent> sent = new ArrayList<>(gaps.size() + events.size());
        gaps.forEach(gap -> sent.add(text.gap(gap.queue(), gap.count())));
        sent.addAll(events);
        return sent;
    }

    /** Notes that it was not sent, and never will be. */
    void giveUp(Missed missed) {
        gaps.forEach(gap -> missed.add(gap.queue(), gap.count()));
        events.forEach(event -> missed.add(event.queue(), 1));
    }
}
