package io.delayjob.client;

import io.delayjob.Dedupe;
import io.delayjob.DelayJob;
import io.delayjob.DelayJobRequest;
import io.delayjob.JobOptions;
import io.delayjob.support.Checks;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.JsonNode;

/** Checks requests and writes them as the server reads them. */
final class JobWriter {

    private static final Base64.Encoder ID = Base64.getUrlEncoder().withoutPadding();

    private final HttpDelayJobSettings settings;

    JobWriter(HttpDelayJobSettings settings) {
        this.settings = settings;
    }

    OutgoingJob write(DelayJobRequest<?> request, @Nullable Duration delay, @Nullable Instant dueAt) {
        Class<? extends DelayJob<?>> jobClass = request.jobClass();
        String topic = jobClass == null ? String.valueOf(request.topic()) : JobClasses.name(jobClass);
        Dedupe dedupe = request.options().dedupe();
        // Beside a dedupe key the server makes the id: a repeat finds the first job by that key.
        boolean madeHere = request.id() == null && dedupe == null;
        String id = madeHere ? randomId() : request.id();
        Json.Job job = new Json.Job(
                id, topic, param(topic, jobClass, request.param()), delay, dueAt, options(request), request.headers());
        String known = id != null ? id : Objects.requireNonNull(dedupe).key();
        boolean waits = Boolean.TRUE.equals(request.afterCommit());
        return new OutgoingJob(queue(request, topic), known, madeHere, waits, job, Json.bytes(job).length);
    }

    /** The options of a request, with the priority of its class if it states none. */
    private static JobOptions options(DelayJobRequest<?> request) {
        JobOptions options = request.options();
        Class<?> jobClass = request.jobClass();
        Integer priority = options.priority() != null || jobClass == null ? null : JobClasses.priority(jobClass);
        return priority == null ? options : options.withPriority(priority);
    }

    private static String randomId() {
        UUID uuid = UUID.randomUUID();
        return ID.encodeToString(ByteBuffer.allocate(Long.BYTES * 2)
                .putLong(uuid.getMostSignificantBits())
                .putLong(uuid.getLeastSignificantBits())
                .array());
    }

    private String queue(DelayJobRequest<?> request, String topic) {
        Class<?> jobClass = request.jobClass();
        String ofClass = request.queue() != null || jobClass == null ? request.queue() : JobClasses.queue(jobClass);
        String queue = ofClass == null ? settings.queue() : ofClass;
        if (queue == null) {
            throw new IllegalArgumentException("the queue of '" + topic
                    + "' is not known here: name it with withQueue, or set delayjob.client.queue for all such jobs");
        }
        return queue;
    }

    private @Nullable JsonNode param(String topic, @Nullable Class<?> jobClass, @Nullable Object param) {
        JavaType type = type(jobClass);
        if (param == null) {
            if (type != null && !type.hasRawClass(Void.class)) {
                throw new IllegalArgumentException(
                        topic + " takes " + type.toCanonical() + ": the param must not be null");
            }
            return null;
        }
        try {
            String text = type == null
                    ? settings.mapper().writeValueAsString(param)
                    : settings.mapper().writerFor(type).writeValueAsString(param);
            if (type != null) {
                Checks.notNull(settings.mapper().readerFor(type).readValue(text), "the param");
            }
            return Json.MAPPER.readTree(text);
        } catch (JacksonException | IllegalArgumentException e) {
            String place = e instanceof JacksonException json ? " at " + json.getPathReference() : "";
            throw new IllegalArgumentException(
                    "the param of '" + topic + "' cannot be written as JSON and read back: "
                            + e.getClass().getName() + place,
                    e);
        }
    }

    /** The type of a class' param; null if it states none. */
    private @Nullable JavaType type(@Nullable Class<?> jobClass) {
        JavaType[] found = jobClass == null
                ? null
                : settings.mapper().constructType(jobClass).findTypeParameters(DelayJob.class);
        return found == null || found.length == 0 || found[0].isJavaLangObject() ? null : found[0];
    }
}
