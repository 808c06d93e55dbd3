package io.delayjob.client.autoconfigure;

import io.micrometer.tracing.Span;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.propagation.Propagator;
import java.util.HashMap;
import java.util.Map;

/**
 * The headers of the span that the submitting thread is in, as the application's propagator writes them; none outside of one.
 *
 * @param tracer the application's
 * @param propagator the application's
 */
record TraceHeaders(Tracer tracer, Propagator propagator) implements DelayJobClientAutoConfiguration.SubmitHeaders {

    @Override
    public Map<String, String> get() {
        Span span = tracer.currentSpan();
        Map<String, String> headers = new HashMap<>();
        if (span != null) {
            propagator.inject(span.context(), headers, (carrier, name, value) -> headers.put(name, value));
        }
        return headers;
    }
}
