package io.delayjob.redisson.internal.engine;

import io.delayjob.redisson.internal.ledger.NewJob;
import java.util.Locale;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Whether a submit is one that was made before: equal in everything but the headers of its trace, which differ with every try. */
final class SubmittedAgain {

    /** Of W3C Trace Context, W3C Baggage and B3. */
    private static final Set<String> TRACE = Set.of(
            "traceparent",
            "tracestate",
            "baggage",
            "b3",
            "x-b3-traceid",
            "x-b3-spanid",
            "x-b3-parentspanid",
            "x-b3-sampled",
            "x-b3-flags");

    private static final JsonMapper JSON = JsonMapper.shared();

    private SubmittedAgain() {}

    static boolean same(NewJob first, NewJob again) {
        return first.equals(again)
                || (withBody(first, "").equals(withBody(again, "")) && sameButForTrace(first.body(), again.body()));
    }

    private static NewJob withBody(NewJob job, String body) {
        return new NewJob(job.id(), job.due(), job.leaseMillis(), job.dedupe(), body);
    }

    private static boolean sameButForTrace(String first, String again) {
        try {
            return withoutTrace(first).equals(withoutTrace(again));
        } catch (JacksonException e) {
            return false;
        }
    }

    private static JsonNode withoutTrace(String body) {
        JsonNode record = JSON.readTree("{" + body);
        if (record instanceof ObjectNode fields && fields.get("headers") instanceof ObjectNode headers) {
            headers.properties()
                    .removeIf(header -> TRACE.contains(header.getKey().toLowerCase(Locale.ROOT)));
            if (headers.isEmpty()) {
                fields.remove("headers");
            }
        }
        return record;
    }
}
