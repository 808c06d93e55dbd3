package io.delayjob.server.internal.protocols.mykit;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonRawValue;
import io.delayjob.ClaimedJob;
import io.delayjob.JobOptions;
import io.delayjob.server.internal.protocols.JsonFields;
import io.delayjob.server.internal.protocols.NewJob;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A message, as it is answered by get.
 *
 * @param body the body as it was pushed, unchanged
 * @param status a number of {@link MykitStatus}
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
record MykitMessage(
        String topic,
        @Nullable String subtopic,
        String id,
        @Nullable String bizKey,
        @Nullable Long delay,
        @Nullable Integer priority,
        @Nullable Long ttl,
        @JsonRawValue String body,
        @Nullable Long createTime,
        int status) {

    private static final String SUBTOPIC = "subtopic";
    private static final String BIZ_KEY = "bizKey";
    private static final String DELAY = "delay";
    private static final String PRIORITY = "priority";
    private static final String TTL = "ttl";
    private static final String CREATE_TIME = "createTime";
    private static final String HOST = "host";

    /** The end of the year 9999, as milliseconds. */
    private static final long LAST_MILLIS = 253_402_300_799_999L;

    /**
     * The job of a message that is pushed. It is due at {@code createTime + delay}, without {@code createTime} that long from now. A status that
     * the caller states is ignored.
     *
     * @param madeId its id if it has none
     * @param host the address of the server that it is pushed to
     */
    static NewJob pushed(JsonFields message, String madeId, String host) {
        Long delay = message.number(DELAY, 0, LAST_MILLIS, "milliseconds");
        Long priority = message.number(PRIORITY, Integer.MIN_VALUE, Integer.MAX_VALUE, "levels");
        Long createTime = message.number(CREATE_TIME, 0, LAST_MILLIS, "milliseconds since 1970");
        Duration wait = Duration.ofMillis(delay == null ? 0 : delay);
        return new NewJob(
                message.requiredText("topic"),
                id(message).orElse(madeId),
                message.value("body").orElse(null),
                headers(message, delay, priority, createTime),
                Map.of(CREATE_TIME, Long.toString(System.currentTimeMillis()), HOST, host),
                priority == null ? JobOptions.NONE : JobOptions.NONE.withPriority(jobPriority(priority)),
                createTime == null
                        ? new NewJob.Due.In(wait)
                        : new NewJob.Due.At(Instant.ofEpochMilli(createTime).plus(wait)));
    }

    /** The priority of a message's job: a smaller number of mykit goes first, and 0 is the usual one, so 4 and more are 0, and -5 and less are 9. */
    private static int jobPriority(long priority) {
        return (int) Math.max(0, Math.min(JobOptions.USUAL_PRIORITY - priority, 9));
    }

    /** The id of a message; empty if it is to be made. */
    static Optional<String> id(JsonFields message) {
        return message.text("id").filter(id -> !id.isEmpty());
    }

    private static Map<String, String> headers(
            JsonFields message, @Nullable Long delay, @Nullable Long priority, @Nullable Long createTime) {
        Map<String, String> headers = new HashMap<>();
        message.text(SUBTOPIC).ifPresent(text -> headers.put(SUBTOPIC, text));
        message.text(BIZ_KEY).ifPresent(text -> headers.put(BIZ_KEY, text));
        put(headers, DELAY, delay);
        put(headers, PRIORITY, priority);
        put(headers, TTL, message.number(TTL, Long.MIN_VALUE, Long.MAX_VALUE, "units"));
        put(headers, CREATE_TIME, createTime);
        return headers;
    }

    private static void put(Map<String, String> headers, String name, @Nullable Long number) {
        if (number != null) {
            headers.put(name, number.toString());
        }
    }

    static MykitMessage of(ClaimedJob job, MykitStatus status) {
        Map<String, String> headers = job.headers();
        Long priority = number(headers, PRIORITY);
        return new MykitMessage(
                job.topic(),
                headers.get(SUBTOPIC),
                job.id(),
                headers.get(BIZ_KEY),
                number(headers, DELAY),
                priority == null ? null : priority.intValue(),
                number(headers, TTL),
                job.param(),
                number(headers, CREATE_TIME),
                status.number());
    }

    /** Headers of a job that was submitted in another way may be any text. */
    private static @Nullable Long number(Map<String, String> headers, String name) {
        try {
            return headers.containsKey(name) ? Long.valueOf(headers.get(name)) : null;
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** Without the body, which may be secret. */
    @Override
    public String toString() {
        return "MykitMessage[topic=" + topic + ", id=" + id + ", status=" + status + "]";
    }
}
