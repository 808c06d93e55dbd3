package io.delayjob.redisson.events;

import static java.util.stream.Collectors.collectingAndThen;
import static java.util.stream.Collectors.toCollection;

import io.delayjob.JobEvent;
import io.delayjob.engine.extension.JobEvents;
import io.delayjob.engine.extension.QueueChange;
import java.util.Collections;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * An event as it is in the stream. Anything may have been written there, so none of it is certain.
 *
 * @param kind the kind, one of {@link #KINDS} or {@link #GAP}; another one if a newer release sent it
 * @param queue the queue; empty for a gap of many queues
 * @param data the details of the event, as a JSON object
 */
public record StreamedEvent(String kind, String queue, String data) {

    /** In place of events that a node could not send. */
    public static final String GAP = "gap";

    /**
     * The kinds of events that nodes send: those of queues, and those of jobs but for renewals, of which a job that runs has one every few
     * seconds.
     */
    public static final SortedSet<String> KINDS = Stream.concat(
                    Stream.of(QueueChange.Kind.values()).map(StreamedEvent::kind),
                    JobEvents.KINDS.stream().filter(StreamedEvent::isSent).map(StreamedEvent::kind))
            .collect(collectingAndThen(toCollection(TreeSet::new), Collections::unmodifiableSortedSet));

    /** Whether events of a kind are sent. */
    public static boolean isSent(Class<? extends JobEvent> kind) {
        return kind != JobEvent.Renewed.class;
    }

    /** The name of a kind of changes of queues. */
    public static String kind(QueueChange.Kind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    /** The name of a kind of events of jobs. */
    public static String kind(Class<? extends JobEvent> kind) {
        return kind.getSimpleName().toLowerCase(Locale.ROOT);
    }
}
