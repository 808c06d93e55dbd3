package io.delayjob.spring.internal.observation;

import io.delayjob.DelayJobRequest;
import io.delayjob.support.Checks;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The context of a trace on its way with a job. */
final class TraceHeaders {

    private TraceHeaders() {}

    /** The request's own headers stay as they are; what there is no room for, as baggage may be too long, stays behind. */
    static <T> DelayJobRequest<T> on(DelayJobRequest<T> request, @Nullable Map<String, String> trace) {
        if (trace == null || trace.isEmpty()) {
            return request;
        }
        Map<String, String> headers = new HashMap<>(request.headers());
        trace.forEach((name, value) -> {
            if (Checks.fitsHeader(headers, name, value)) {
                headers.putIfAbsent(name, value);
            }
        });
        return request.withHeaders(headers);
    }
}
