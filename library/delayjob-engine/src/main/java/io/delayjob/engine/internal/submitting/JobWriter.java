package io.delayjob.engine.internal.submitting;

import io.delayjob.Dedupe;
import io.delayjob.DelayJobRequest;
import io.delayjob.JobOptions;
import io.delayjob.engine.handler.Handler;
import io.delayjob.engine.handler.HandlerRegistry;
import io.delayjob.engine.handler.ParamCodec;
import io.delayjob.engine.internal.calls.Queues;
import io.delayjob.engine.internal.records.JobIds;
import io.delayjob.engine.internal.records.JobIndex;
import io.delayjob.engine.internal.records.RecordCodec;
import io.delayjob.engine.ledger.JobContent;
import io.delayjob.engine.ledger.NewJob;
import io.delayjob.engine.settings.ConsumedQueue;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Converts a request into a job as the ledger stores it. */
public final class JobWriter {

    private static final Logger log = LoggerFactory.getLogger(JobWriter.class);
    private static final int MOST_WARNINGS = 1000;

    private final HandlerRegistry registry;
    private final ParamCodec params;
    private final Queues queues;
    private final String defaultQueue;
    private final Map<List<String>, JobIndex> indexes = new ConcurrentHashMap<>();
    private final RecordCodec records = new RecordCodec();
    private final Set<String> warned = ConcurrentHashMap.newKeySet();

    public JobWriter(HandlerRegistry registry, ParamCodec params, Queues queues, String defaultQueue) {
        this.registry = registry;
        this.params = params;
        this.queues = queues;
        this.defaultQueue = defaultQueue;
    }

    /** The request, with the priority of the bean or listener if it states none: nobody can ask for it once the job waits for its turn. */
    public DelayJobRequest<?> withPriority(DelayJobRequest<?> request) {
        if (request.options().priority() != null) {
            return request;
        }
        Integer stated = known(request).map(Handler::priority).orElse(null);
        return stated == null ? request : request.withPriority(stated);
    }

    /** The queue of a job: the one that the request names, else that of the bean or listener, else the default queue. */
    public String queue(DelayJobRequest<?> request) {
        if (request.queue() != null) {
            return request.queue();
        }
        Optional<Handler> known = known(request);
        if (known.isEmpty()) {
            warnOnce(request.topic());
        }
        return known.map(Handler::consumed).map(ConsumedQueue::queue).orElse(defaultQueue);
    }

    /**
     * Warns once per topic: it may belong to another application that consumes this queue, or be a typo that would go unnoticed for
     * long.
     */
    private void warnOnce(@Nullable String topic) {
        if (topic != null && warned.size() < MOST_WARNINGS && warned.add(topic)) {
            log.warn(
                    "this application has no bean or listener for '{}': its jobs go to the default queue '{}', and are buried if no"
                            + " node that consumes that queue has one. If its listener is on another queue, name the queue with"
                            + " withQueue",
                    topic,
                    defaultQueue);
        }
    }

    NewJob write(DelayJobRequest<?> request, String queue, NewJob.Due due) {
        return new NewJob(id(request, queue), due, content(request, queue));
    }

    /** The content of a job for a queue. */
    public JobContent content(DelayJobRequest<?> request, String queue) {
        Handler job = known(request).orElse(null);
        String name = job == null ? String.valueOf(request.topic()) : job.name();
        String param = job == null ? params.write(name, request.param()) : params.write(job, request.param());
        return JobContent.of(records.body(name, request, param, marks(request, queue, param)), request.options());
    }

    private String marks(DelayJobRequest<?> request, String queue, String param) {
        List<String> words = queues.index(queue);
        return words.isEmpty()
                ? ""
                : indexes.computeIfAbsent(words, JobIndex::new)
                        .marks(param, request.options().tags());
    }

    /** A stored param: of the type that the topic's handler in this application takes, else as maps, lists, texts, numbers and booleans. */
    public @Nullable Object param(String topic, String json) {
        Handler job = named(topic).orElse(null);
        try {
            return job == null ? params.readAny(json) : params.read(job, json);
        } catch (RuntimeException e) {
            log.debug("not a param of '{}'", topic, e);
            return params.readAny(json);
        }
    }

    /** The handler of the job, if this application has one; throws for a class without a bean. */
    private Optional<Handler> known(DelayJobRequest<?> request) {
        Class<?> jobClass = request.jobClass();
        return jobClass != null ? Optional.of(registry.of(jobClass)) : named(request.topic());
    }

    private Optional<Handler> named(@Nullable String topic) {
        return topic == null ? Optional.empty() : registry.named(topic);
    }

    /** The id of the job. One that delayjob makes belongs to the shard of the job, so that it needs no pointer. */
    private String id(DelayJobRequest<?> request, String queue) {
        Dedupe dedupe = request.options().dedupe();
        String key = request.options().key();
        String place = place(request.options());
        if (place == null) {
            return request.id() == null ? JobIds.random() : request.id();
        }
        int shards = queues.shards(queue).size();
        if (dedupe != null && key != null && !queues.areTogether(queue, key, dedupe.key())) {
            throw new IllegalArgumentException("queue '" + queue + "' has " + shards + " shards, and the key '" + key
                    + "' belongs to another one than the dedupe key '" + dedupe.key()
                    + "'; leave one of them out, or use the same text for both");
        }
        return request.id() == null ? queues.idBeside(queue, place) : request.id();
    }

    /**
     * The dedupe key or key that gives a job its shard; null if its id does. Redis decides on a key and on a dedupe key in one step, so the job must be in
     * the shard of these.
     */
    static @Nullable String place(JobOptions options) {
        return options.dedupe() == null ? options.key() : options.dedupe().key();
    }
}
