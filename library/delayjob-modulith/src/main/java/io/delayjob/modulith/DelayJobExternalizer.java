package io.delayjob.modulith;

import io.delayjob.DelayJobProducer;
import io.delayjob.modulith.Publications.Publication;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.modulith.events.ApplicationModuleListener;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.util.StringValueResolver;

/**
 * Submits a job for each event that is marked {@link DelayJobExternalized}. Spring Modulith calls it after the commit, on a thread of
 * its own, and completes the publication when the submit is confirmed. Thread-safe.
 */
class DelayJobExternalizer {

    /** Stands in the registry with each publication, so it never changes. */
    static final String ID = "delayjob";

    private final DelayJobProducer producer;
    private final Publications publications;
    private final StringValueResolver placeholders;
    private final Map<Class<?>, EventJob> jobs = new ConcurrentHashMap<>();

    /**
     * On a producer.
     *
     * @param placeholders resolves {@code ${…}} in what annotations state
     */
    DelayJobExternalizer(DelayJobProducer producer, Publications publications, StringValueResolver placeholders) {
        this.producer = producer;
        this.publications = publications;
        this.placeholders = placeholders;
    }

    /** Whether an event becomes a job. */
    public boolean externalizes(Object event) {
        return stated(event.getClass()) != null;
    }

    /** Done when Redis has the job. */
    @ApplicationModuleListener(
            id = ID,
            condition = "@delayJobExternalizer.externalizes(#root.args[0])",
            propagation = Propagation.NOT_SUPPORTED)
    public CompletableFuture<Void> externalize(Object event) {
        Publication publication = publications.take(event);
        EventJob job = jobs.computeIfAbsent(event.getClass(), this::job);
        return producer.submitAsync(
                        job.request(event, publication.publication().getIdentifier()),
                        left(job.delay(event), publication))
                .thenAccept(confirmed -> {});
    }

    private EventJob job(Class<?> type) {
        return EventJob.of(Objects.requireNonNull(stated(type)), placeholders);
    }

    private static @Nullable DelayJobExternalized stated(Class<?> type) {
        return AnnotatedElementUtils.findMergedAnnotation(type, DelayJobExternalized.class);
    }

    /** The delay of a first try is what is stated, to the millisecond. */
    private static Duration left(Duration delay, Publication publication) {
        if (!publication.again()) {
            return delay;
        }
        Duration left = delay.minus(Duration.between(publication.publication().getPublicationDate(), Instant.now()));
        return left.isNegative() ? Duration.ZERO : left;
    }
}
