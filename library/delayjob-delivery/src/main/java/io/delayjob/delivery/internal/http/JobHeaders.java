package io.delayjob.delivery.internal.http;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.delayjob.ClaimedJob;
import io.delayjob.delivery.Binding;
import io.netty.handler.codec.http.HttpHeaders;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.json.JsonMapper;

/** The headers of a call: what it is about, and the signature. */
final class JobHeaders {

    private static final int LONGEST = 8192;
    private static final Set<String> TRACE = Set.of("traceparent", "tracestate");
    private static final String TOKEN = "[A-Za-z0-9!#$&'*+.^_`|~-]{1,128}";

    /** Headers are ASCII. */
    private static final JsonMapper OPTIONS = JsonMapper.builder()
            .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
            .changeDefaultPropertyInclusion(old -> old.withValueInclusion(JsonInclude.Include.NON_EMPTY))
            .build();

    private JobHeaders() {}

    static void set(HttpHeaders headers, Binding binding, ClaimedJob job, byte[] body) {
        String id = Signature.id(job.id());
        long seconds = Instant.now().getEpochSecond();
        headers.set("user-agent", "delayjob")
                .set("accept", "*/*")
                .set("content-type", "application/json")
                .set("content-length", body.length)
                .set("webhook-id", id)
                .set("webhook-timestamp", seconds)
                .set("delayjob-id", Signature.header(job.id()))
                .set("delayjob-queue", job.queue())
                .set("delayjob-topic", Signature.header(job.topic()))
                .set("delayjob-attempt", job.attempt())
                .set("delayjob-due", job.dueAt().toString())
                .set("delayjob-submitted", job.submittedAt().toString())
                .set("delayjob-options", OPTIONS.writeValueAsString(job.options()));
        if (!binding.secrets().isEmpty()) {
            headers.set("webhook-signature", Signature.of(binding.secrets(), id, seconds, body));
        }
        own(headers, job.headers());
    }

    /** Headers of the job: trace unchanged, others prefixed so that none has a name of HTTP's own, and left out if all are too long together. */
    private static void own(HttpHeaders headers, Map<String, String> own) {
        int length = own.entrySet().stream()
                .mapToInt(header -> header.getKey().length() + header.getValue().length())
                .sum();
        own.forEach((name, value) -> {
            boolean trace = TRACE.contains(name);
            if ((trace || length <= LONGEST) && name.matches(TOKEN)) {
                headers.set(trace ? name : "delayjob-header-" + name, Signature.header(value));
            }
        });
    }
}
