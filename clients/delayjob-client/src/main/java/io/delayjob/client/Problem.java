package io.delayjob.client;

import io.delayjob.JobSubmissionException;
import io.delayjob.support.Checks;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * An error answer: problem+json (RFC 9457) of the server, or the answer of a proxy before it.
 *
 * @param status the status of the answer
 * @param type the kind of problem; empty if the answer is none of a delayjob server
 * @param detail the error in words, for people
 * @param outcome whether the jobs of a submit are stored; null if the answer does not say
 * @param jobs the result of each job of a submit; empty if the answer does not say
 * @param retryAfter after how long to ask again; null if the answer does not say
 */
record Problem(
        int status,
        String type,
        String detail,
        JobSubmissionException.@Nullable Outcome outcome,
        List<Json.Submitted> jobs,
        @Nullable Duration retryAfter) {

    private static final String TYPES = "urn:delayjob:problem:";
    private static final Set<Integer> INVALID = Set.of(400, 413, 422);
    private static final Set<Integer> ELSEWHERE = Set.of(301, 302, 303, 307, 308, 404, 405);
    private static final Set<Integer> PASSING = Set.of(408, 429, 502, 503, 504);

    static Problem of(HttpResponse<byte[]> answer) {
        String text = new String(answer.body(), StandardCharsets.UTF_8);
        Duration retryAfter =
                answer.headers().firstValue("Retry-After").map(Problem::wait).orElse(null);
        try {
            JsonNode body = Json.MAPPER.readTree(text);
            String type = body.path("type").asString("");
            if (type.startsWith(TYPES)) {
                return new Problem(
                        answer.statusCode(),
                        type.substring(TYPES.length()),
                        body.path("detail").asString(""),
                        Json.MAPPER.convertValue(body.get("outcome"), JobSubmissionException.Outcome.class),
                        body.path("jobs").valueStream().map(Problem::submitted).toList(),
                        retryAfter);
            }
        } catch (JacksonException e) {
            // Somebody else's answer.
        }
        return new Problem(answer.statusCode(), "", Checks.shown(text), null, List.of(), retryAfter);
    }

    private static Json.Submitted submitted(JsonNode job) {
        return Json.MAPPER.convertValue(job, Json.Submitted.class);
    }

    /** Of a number of seconds or an HTTP date. */
    private static @Nullable Duration wait(String retryAfter) {
        try {
            return retryAfter.matches("\\d{1,9}")
                    ? Duration.ofSeconds(Long.parseLong(retryAfter))
                    : Duration.between(
                            Instant.now(), ZonedDateTime.parse(retryAfter, DateTimeFormatter.RFC_1123_DATE_TIME));
        } catch (DateTimeException e) {
            return null;
        }
    }

    /** Whether there is no such schedule, or none in the queues of the token. */
    boolean isNoSuchSchedule() {
        return type.equals("no-such-schedule");
    }

    /** Whether the same request may succeed later. What replicas did not acknowledge is stored: the caller decides what follows. */
    boolean isPassing() {
        return (PASSING.contains(status) || type.equals("key-in-use"))
                && outcome != JobSubmissionException.Outcome.NOT_REPLICATED;
    }

    /** Whether the request may have taken effect. */
    boolean isUnsure() {
        return status >= 500 && outcome != JobSubmissionException.Outcome.NOT_STORED;
    }

    /** Whether the caller passed a value that is not allowed. */
    boolean isInvalid() {
        return INVALID.contains(status);
    }

    /** The answer and what to do, as a sentence. */
    String text() {
        return "answered %d%s: %s%s".formatted(status, type.isEmpty() ? "" : " (" + type + ")", detail, remedy());
    }

    private String remedy() {
        if (status == 401) {
            return "; set delayjob.client.token to a valid token of this server";
        } else if (status == 403) {
            return "; set delayjob.client.token to a token with this role";
        } else if (type.isEmpty() && ELSEWHERE.contains(status)) {
            return "; is delayjob.client.url the address of a delayjob server?";
        } else if (detail.startsWith("unknown field")) {
            return "; the server is older than this client";
        } else if (status == 404) {
            return "; set delayjob.client.token to a token for this queue, or name another queue (delayjob.client.queue)";
        }
        return "";
    }
}
