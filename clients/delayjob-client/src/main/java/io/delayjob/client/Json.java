package io.delayjob.client;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.delayjob.ClaimedJob;
import io.delayjob.JobClaim;
import io.delayjob.JobOptions;
import io.delayjob.JobSettlement;
import io.delayjob.Progress;
import io.delayjob.SubmitResult;
import io.delayjob.support.Checks;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;

/** The bodies and answers of the API, whatever the application's own mapper is set to. Numbers keep all their digits. */
final class Json {

    static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            // Half a character in an error does not keep a worker from settling: it is sent as an escape.
            .disable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8)
            .changeDefaultPropertyInclusion(old -> old.withValueInclusion(JsonInclude.Include.NON_NULL))
            // A server of an older release refuses fields that it does not know, such as tags.
            .withConfigOverride(
                    List.class,
                    list -> list.setInclude(
                            JsonInclude.Value.construct(JsonInclude.Include.NON_EMPTY, JsonInclude.Include.NON_EMPTY)))
            .build();

    /** Reads answers that leave fields out. */
    static final JsonMapper LENIENT = MAPPER.rebuild()
            .disable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .disable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
            .build();

    /** Jobs to submit. */
    record Jobs(List<Job> jobs) {}

    /** A job to submit. */
    record Job(
            @Nullable String id,
            String topic,
            @Nullable JsonNode param,
            @Nullable Duration delay,
            @Nullable Instant dueAt,
            @JsonUnwrapped JobOptions options,
            Map<String, String> headers) {}

    /** The result of one submitted job. */
    record Submitted(String id, SubmitResult.Outcome outcome) {}

    /** The answer to a submit. */
    record SubmittedAll(List<Submitted> jobs) {

        List<Submitted> of(int size) {
            return sized(jobs, size);
        }
    }

    /** A claim. */
    record Claim(
            List<String> queues,
            int max,
            @JsonProperty("wait") Duration maxWait,
            @Nullable Duration lease,
            @Nullable String worker,
            @Nullable String claimId) {

        static Claim of(JobClaim claim, Duration maxWait) {
            return new Claim(claim.queues(), claim.max(), maxWait, claim.lease(), claim.worker(), claim.id());
        }
    }

    /** The answer to a claim. */
    record Claimed(List<JsonNode> jobs) {

        List<ClaimedJob> claimed() {
            return jobs.stream().map(Claimed::job).toList();
        }

        private static ClaimedJob job(JsonNode job) {
            return MAPPER.treeToValue(job, Taken.class).job(LENIENT.treeToValue(job, LaterFields.class));
        }
    }

    /** Fields of a claimed job that a server of an older release leaves out. */
    record LaterFields(
            @Nullable Instant submittedAt, @JsonUnwrapped JobOptions options) {}

    /** A claimed job. */
    record Taken(
            String queue,
            String id,
            String topic,
            JsonNode param,
            Map<String, String> headers,
            int attempt,
            Instant dueAt,
            Instant leaseEndsAt,
            String handle) {

        ClaimedJob job(LaterFields later) {
            return new ClaimedJob(
                    queue,
                    id,
                    topic,
                    MAPPER.writeValueAsString(param),
                    headers,
                    attempt,
                    dueAt,
                    later.submittedAt() == null ? dueAt : later.submittedAt(),
                    leaseEndsAt,
                    later.options(),
                    handle);
        }
    }

    /** Attempts to settle. */
    record Settlements(List<Settlement> settlements) {}

    /** The settlement of one attempt: an action and its details. */
    record Settlement(
            String handle,
            String action,
            @Nullable Duration delay,
            @Nullable String error,
            @Nullable JsonNode result,
            @Nullable Duration lease,
            @Nullable Progress progress,
            @Nullable Boolean slowKey) {

        private Settlement(
                String handle,
                String action,
                @Nullable Duration delay,
                @Nullable String error,
                @Nullable JsonNode result,
                @Nullable Duration lease,
                @Nullable Progress progress) {
            this(handle, action, delay, error, result, lease, progress, null);
        }

        static Settlement of(JobSettlement of) {
            if (of instanceof JobSettlement.Complete one) {
                return new Settlement(one.handle(), "complete", null, null, result(one.result()), null, null);
            } else if (of instanceof JobSettlement.Retry one) {
                return new Settlement(one.handle(), "retry", one.delay(), one.error(), null, null, null);
            } else if (of instanceof JobSettlement.Bury one) {
                return new Settlement(one.handle(), "bury", null, one.reason(), null, null, null);
            } else if (of instanceof JobSettlement.Release one) {
                Duration slow = one.slowKey();
                return new Settlement(
                        one.handle(), "release", slow, null, null, null, null, slow == null ? null : Boolean.TRUE);
            } else if (of instanceof JobSettlement.Extend one) {
                return new Settlement(one.handle(), "extend", null, null, null, one.lease(), null);
            } else if (of instanceof JobSettlement.Report one) {
                return new Settlement(one.handle(), "progress", null, null, null, null, one.progress());
            }
            throw new IllegalArgumentException(
                    "unknown settlement: " + of.getClass().getName());
        }

        private static @Nullable JsonNode result(@Nullable String text) {
            try {
                return text == null ? null : MAPPER.readTree(text);
            } catch (JacksonException e) {
                throw new IllegalArgumentException(
                        "the result of a completion must be JSON: " + e.getOriginalMessage(), e);
            }
        }
    }

    /** The answer to settlements. */
    record Settled(List<Applied> results) {

        List<Boolean> of(int size) {
            return sized(results, size).stream().map(Applied::applied).toList();
        }
    }

    /** Whether a settlement was applied. */
    record Applied(boolean applied) {}

    private Json() {}

    /** Throws if a result is not JSON, or too deep for the body of a settlement. */
    static void checkResult(String result) {
        byte[] unused = settlements(List.of(new JobSettlement.Complete("", result)));
    }

    /** The body of settlements; throws an {@link IllegalArgumentException} if one cannot be written. */
    static byte[] settlements(List<? extends JobSettlement> settlements) {
        try {
            return bytes(
                    new Settlements(settlements.stream().map(Settlement::of).toList()));
        } catch (JacksonException e) {
            throw new IllegalArgumentException("a settlement cannot be written as JSON: " + e.getOriginalMessage(), e);
        }
    }

    static byte[] bytes(Object body) {
        return MAPPER.writeValueAsBytes(body);
    }

    static <T> T read(byte[] answer, Class<T> type) {
        return Checks.notNull(MAPPER.readValue(answer, type), "the answer");
    }

    private static <T> List<T> sized(List<T> answers, int size) {
        if (answers.size() != size) {
            throw new IllegalArgumentException(size + " answers are expected: " + answers.size());
        }
        return answers;
    }
}
