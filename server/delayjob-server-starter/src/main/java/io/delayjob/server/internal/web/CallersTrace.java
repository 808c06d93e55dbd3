package io.delayjob.server.internal.web;

import io.delayjob.DelayJobRequest;
import io.delayjob.support.Checks;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.springframework.http.HttpHeaders;

/**
 * The trace that the caller of a submit names in W3C's headers. A server that traces makes spans of its own in it, and those are stored
 * with the job; one that does not stores what the caller sent.
 */
public final class CallersTrace {

    private static final String PARENT = "traceparent";
    private static final String STATE = "tracestate";
    private static final Pattern VALID = Pattern.compile("[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}");

    private final boolean isStored;

    /**
     * Creates the trace handling of a server.
     *
     * @param isStored whether the server stores what the caller sent
     */
    public CallersTrace(boolean isStored) {
        this.isStored = isStored;
    }

    /** The headers to store; none if the caller sent none that are valid. */
    public Map<String, String> of(HttpHeaders headers) {
        String parent = headers.getFirst(PARENT);
        if (!isStored || parent == null || !VALID.matcher(parent).matches()) {
            return Map.of();
        }
        String state = headers.getFirst(STATE);
        return state == null ? Map.of(PARENT, parent) : Map.of(PARENT, parent, STATE, state);
    }

    /** The request with the headers, unless it has a trace of its own. */
    public static <T> DelayJobRequest<T> on(DelayJobRequest<T> request, Map<String, String> trace) {
        if (trace.isEmpty() || request.headers().containsKey(PARENT)) {
            return request;
        }
        Map<String, String> headers = new HashMap<>(request.headers());
        trace.forEach((name, value) -> {
            if (Checks.fitsHeader(headers, name, value)) {
                headers.put(name, value);
            }
        });
        return request.withHeaders(headers);
    }
}
