package io.delayjob.demo.job;

import java.util.Map;

/**
 * How an attempt at the demo's job behaves. Travels as headers, because it is about the attempts and not about what the job
 * is for.
 *
 * @param sleepMillis how long each attempt takes, in milliseconds
 * @param fail how many attempts throw before one succeeds
 */
public record Behaviour(long sleepMillis, int fail) {

    private static final String SLEEP_MILLIS = "sleepMillis";
    private static final String FAIL = "fail";

    static Behaviour of(Map<String, String> headers) {
        return new Behaviour(
                Long.parseLong(headers.getOrDefault(SLEEP_MILLIS, "0")),
                Integer.parseInt(headers.getOrDefault(FAIL, "0")));
    }

    /**
     * The headers that carry it with a job.
     *
     * @return the headers
     */
    public Map<String, String> toHeaders() {
        return Map.of(SLEEP_MILLIS, Long.toString(sleepMillis), FAIL, Integer.toString(fail));
    }
}
