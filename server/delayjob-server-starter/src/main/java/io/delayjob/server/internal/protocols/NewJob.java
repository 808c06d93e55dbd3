package io.delayjob.server.internal.protocols;

import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobRequest;
import io.delayjob.JobOptions;
import io.delayjob.JobSnapshot;
import io.delayjob.SubmitResult;
import io.delayjob.server.web.ServerJson;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.NullNode;

/**
 * A job that is added by a protocol.
 *
 * @param topic its topic
 * @param id its id, unique over all topics
 * @param body its body; null for none
 * @param headers other values of the job that its caller has set
 * @param defaults headers that its caller has left to the server; another job is the same whatever it has there
 * @param options its options; those that are null are left to its queue
 * @param due when it is due
 */
public record NewJob(
        String topic,
        String id,
        @Nullable JsonNode body,
        Map<String, String> headers,
        Map<String, String> defaults,
        JobOptions options,
        Due due) {

    /** When a job is due. */
    public sealed interface Due {

        /** After a delay, by Redis' clock. */
        record In(Duration delay) implements Due {}

        /** At a time. */
        record At(Instant time) implements Due {}

        /** How long that is from now, more or less. */
        private Duration left() {
            Duration left = this instanceof At at ? Duration.between(Instant.now(), at.time()) : ((In) this).delay();
            return left.isNegative() ? Duration.ZERO : left;
        }
    }

    /**
     * The request.
     *
     * @throws IllegalArgumentException if a value is not allowed; the message names it
     */
    DelayJobRequest<JsonNode> request(String queue) {
        Map<String, String> all = new HashMap<>(defaults);
        all.putAll(headers);
        return new DelayJobRequest<>(null, topic, body, id, queue, options, false, all);
    }

    Duration left() {
        return due.left();
    }

    CompletableFuture<SubmitResult> submit(DelayJobRequest<JsonNode> request, DelayJobProducer producer) {
        return due instanceof Due.At at
                ? producer.submitAsync(request, at.time())
                : producer.submitAsync(request, ((Due.In) due).delay());
    }

    /** Whether a stored job is this one. */
    boolean is(JobSnapshot stored) {
        return topic.equals(stored.job())
                && stored.headers().entrySet().containsAll(headers.entrySet())
                && ServerJson.mapper().readTree(stored.param()).equals(body == null ? NullNode.getInstance() : body);
    }
}
