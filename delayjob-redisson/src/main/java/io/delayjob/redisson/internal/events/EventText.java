package io.delayjob.redisson.internal.events;

import io.delayjob.DelayJobName;
import io.delayjob.DelayJobRequest;
import io.delayjob.JobEvent;
import io.delayjob.engine.extension.QueueChange;
import io.delayjob.redisson.events.StreamedEvent;
import java.time.Instant;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AnnotationUtils;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The JSON of events: what happened to which job, and nothing of what the job carries. */
final class EventText {

    private static final JsonMapper JSON = JsonMapper.shared();

    private final String node;
    private final Supplier<Instant> clock;

    /**
     * The texts of a node.
     *
     * @param node the name of the node
     * @param clock the node's clock
     */
    EventText(String node, Supplier<Instant> clock) {
        this.node = node;
        this.clock = clock;
    }

    StreamedEvent of(JobEvent event) {
        ObjectNode fields = JSON.createObjectNode().put("queue", event.queue()).put("id", event.id());
        if (event instanceof JobEvent.OfAttempt attempt) {
            put(fields, "topic", attempt.job());
            fields.put("attempt", attempt.attempt());
            addAttempt(fields, attempt);
        } else {
            addAction(fields, event);
        }
        return made(StreamedEvent.kind(event.getClass()), event.queue(), fields);
    }

    StreamedEvent of(QueueChange change) {
        ObjectNode fields = JSON.createObjectNode().put("queue", change.queue());
        put(fields, "key", change.key());
        return made(StreamedEvent.kind(change.kind()), change.queue(), fields);
    }

    /**
     * Makes the event that stands in for events that were not sent.
     *
     * @param queue their queue; empty for several
     * @param missed how many they are at most
     */
    StreamedEvent gap(String queue, int missed) {
        ObjectNode fields = JSON.createObjectNode().put("reason", "not-sent");
        if (!queue.isEmpty()) {
            fields.put("queue", queue).put("missed", missed);
        }
        return made(StreamedEvent.GAP, queue, fields);
    }

    private StreamedEvent made(String kind, String queue, ObjectNode fields) {
        fields.put("node", node).put("at", clock.get().toString());
        return new StreamedEvent(kind, queue, JSON.writeValueAsString(fields));
    }

    private static void addAttempt(ObjectNode fields, JobEvent.OfAttempt event) {
        if (event instanceof JobEvent.Claimed claimed) {
            fields.put("dueAt", claimed.dueAt().toString());
        } else if (event instanceof JobEvent.Completed completed) {
            fields.put("duration", completed.duration().toString());
        } else if (event instanceof JobEvent.Retried retried) {
            fields.put("error", ErrorLine.of(retried.failure()));
            fields.put("delay", retried.backoff().toString());
        } else if (event instanceof JobEvent.Buried buried) {
            fields.put("error", ErrorLine.of(buried.reason(), buried.failure()));
        } else if (event instanceof JobEvent.Released released) {
            fields.put("reason", ErrorLine.of(released.reason(), null));
        } else if (event instanceof JobEvent.Lost lost) {
            fields.put("cancelled", lost.cancelled());
        }
    }

    private static void addAction(ObjectNode fields, JobEvent event) {
        if (event instanceof JobEvent.Submitted submitted) {
            fields.put("topic", topic(submitted.request()));
            fields.put("outcome", submitted.outcome().name());
            put(fields, "delay", submitted.delay());
            put(fields, "dueAt", submitted.dueAt());
        } else if (event instanceof JobEvent.Cancelled cancelled) {
            fields.put("running", cancelled.running());
        } else if (event instanceof JobEvent.Rescheduled rescheduled) {
            fields.put("delay", rescheduled.delay().toString());
        }
    }

    private static void put(ObjectNode fields, String name, @Nullable Object value) {
        if (value != null) {
            fields.put(name, value.toString());
        }
    }

    private static String topic(DelayJobRequest<?> request) {
        Class<?> jobClass = request.jobClass();
        if (jobClass == null) {
            return Objects.requireNonNull(request.topic());
        }
        DelayJobName stated = AnnotationUtils.findAnnotation(jobClass, DelayJobName.class);
        return stated == null ? jobClass.getName() : stated.value();
    }
}
