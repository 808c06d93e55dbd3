package io.delayjob.delivery.internal.broker;

import io.delayjob.ClaimedJob;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.json.JsonMapper;

/**
 * Message content of a job: its param as the body, its headers, and headers that say which job it is.
 *
 * @param text the param: a string as it is, anything else as JSON; empty for none
 * @param contentType {@code text/plain} for a string, else {@code application/json}
 * @param headers the job's headers and {@code delayjob-id}, {@code delayjob-topic}, {@code delayjob-queue}, {@code delayjob-attempt} and
 *     {@code delayjob-due}, which is a time such as {@code 2026-11-23T10:15:30.123Z}
 */
public record JobMessage(String text, String contentType, Map<String, String> headers) {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    /** The message of a job. */
    public static JobMessage of(ClaimedJob job) {
        Map<String, String> headers = new TreeMap<>(job.headers());
        headers.put("delayjob-id", job.id());
        headers.put("delayjob-topic", job.topic());
        headers.put("delayjob-queue", job.queue());
        headers.put("delayjob-attempt", Integer.toString(job.attempt()));
        headers.put("delayjob-due", job.dueAt().toString());
        String param = job.param().strip();
        if (param.startsWith("\"")) {
            return new JobMessage(JSON.readValue(param, String.class), "text/plain", headers);
        }
        return new JobMessage(param.equals("null") ? "" : param, "application/json", headers);
    }

    /** The body in UTF-8. */
    public byte[] body() {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
