package io.delayjob.client.beans;

import io.delayjob.AckMode;
import io.delayjob.Acknowledgment;
import io.delayjob.ClaimedJob;
import io.delayjob.engine.extension.Interceptors;
import io.delayjob.engine.handler.Handler;
import io.delayjob.engine.handler.HandlerRegistry;
import io.delayjob.engine.handler.ParamCodec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.web.util.UriUtils;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Runs the bean or listener that a call is for, on the calling thread. Answers 200 with the job's result when it has returned; 422 if it threw,
 * which is a failed attempt of the job and no fault of the process, so it opens no breaker; 404, 400 and 401 for calls that are for nobody here,
 * malformed, or not signed. Thread-safe.
 */
final class CalledJobs {

    private static final Logger log = LoggerFactory.getLogger(CalledJobs.class);
    private static final String OWN_HEADER = "delayjob-header-";
    private static final int LONGEST_ERROR = 400;
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Acknowledgment NONE = new Acknowledgment() {

        @Override
        public void acknowledge() {
            throw unsupported();
        }

        @Override
        public void retry(Duration wait) {
            throw unsupported();
        }

        @Override
        public void reject(String reason) {
            throw unsupported();
        }
    };

    private final HandlerRegistry registry;
    private final ParamCodec params;
    private final Interceptors interceptors;
    private final CallSignature signature;

    CalledJobs(HandlerRegistry registry, ParamCodec params, Interceptors interceptors, CallSignature signature) {
        this.registry = registry;
        this.params = params;
        this.interceptors = interceptors;
        this.signature = signature;
    }

    /**
     * An HTTP answer to a call.
     *
     * @param body JSON
     */
    record Answer(int status, String body) {

        static Answer error(int status, String why) {
            String line = why.length() <= LONGEST_ERROR ? why : why.substring(0, LONGEST_ERROR) + "…";
            return new Answer(status, JSON.createObjectNode().put("error", line).toString());
        }
    }

    private static UnsupportedOperationException unsupported() {
        return new UnsupportedOperationException("a job that a server calls for cannot be acknowledged by hand");
    }

    /** The types of jobs that run here, sorted. */
    List<String> types() {
        registry.check();
        return registry.names().stream().map(this::checked).toList();
    }

    private String checked(String type) {
        Handler handler = registry.named(type).orElseThrow();
        if (handler.ackMode() == AckMode.MANUAL) {
            throw new IllegalStateException(handler.label() + " acknowledges by hand, which a job that a server calls"
                    + " for cannot: return when the work is done, and remove ackMode");
        }
        return type;
    }

    /** Runs what a call asks for. */
    Answer call(Map<String, String> headersAsSent, byte[] body) {
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.putAll(headersAsSent);
        String refusal = signature.refusal(headers, body);
        if (refusal != null) {
            log.warn("a call was refused: {}", refusal);
            return Answer.error(401, refusal);
        }
        JsonNode task;
        try {
            task = JSON.readTree(body);
        } catch (JacksonException e) {
            return Answer.error(400, "the body is not JSON: " + e.getOriginalMessage());
        }
        String type = task.path("taskType").asString("");
        String id = task.path("taskId").asString("");
        if (type.isEmpty() || id.isEmpty()) {
            return Answer.error(400, "the body must be a JSON object with taskId, taskType, delayTime and params");
        }
        return registry.named(type)
                .map(handler -> run(handler, id, task, headers))
                .orElseGet(() -> Answer.error(
                        404,
                        "no bean or listener here runs jobs of type '" + type + "'; there are " + registry.names()));
    }

    private Answer run(Handler handler, String id, JsonNode task, Map<String, String> headers) {
        ClaimedJob job = CalledExecution.job(
                id,
                handler.name(),
                Instant.ofEpochMilli(task.path("delayTime").asLong(0)),
                task.path("params").toString(),
                headers,
                own(headers));
        LoggedJob logged = new LoggedJob(job);
        try {
            return run(handler, job, task.path("params"));
        } finally {
            logged.end();
        }
    }

    private Answer run(Handler handler, ClaimedJob job, JsonNode sent) {
        Object param;
        try {
            param = param(handler, sent);
        } catch (RuntimeException | LinkageError e) {
            return failed(
                    handler,
                    job.id(),
                    "the param does not bind to " + handler.paramType().toCanonical(),
                    e);
        }
        CalledExecution execution = new CalledExecution(job, param, params);
        try {
            interceptors.execute(execution, () -> handler.work().execute(execution, NONE));
        } catch (Exception | LinkageError | StackOverflowError e) {
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            if (handler.ackMode() != AckMode.ALWAYS) {
                return failed(handler, job.id(), "the job failed", e);
            }
            log.warn(
                    "job '{}' of {} failed, but is completed because its listener has AckMode.ALWAYS",
                    job.id(),
                    handler.label(),
                    e);
        }
        String result = execution.result();
        return new Answer(200, result == null ? "" : result);
    }

    private static Answer failed(Handler handler, String id, String what, Throwable failure) {
        log.warn("job '{}' of {}: {}", id, handler.label(), what, failure);
        return Answer.error(422, what + ": " + failure);
    }

    /** Params are text: JSON as a rule, or the text itself where the param was a string. */
    private @Nullable Object param(Handler handler, JsonNode sent) {
        String text = sent.isString() ? sent.stringValue() : sent.toString();
        if (!sent.isString()
                || !CharSequence.class.isAssignableFrom(handler.paramType().getRawClass())) {
            try {
                return params.read(handler, text);
            } catch (JacksonException e) {
                if (!sent.isString()) {
                    throw e;
                }
            }
        }
        return params.read(handler, JSON.writeValueAsString(text));
    }

    private static Map<String, String> own(Map<String, String> headers) {
        Map<String, String> own = new TreeMap<>();
        headers.forEach((name, value) -> {
            String lower = name.toLowerCase(Locale.ROOT);
            if (lower.startsWith(OWN_HEADER)) {
                own.put(name.substring(OWN_HEADER.length()), decoded(value));
            } else if (lower.equals("traceparent") || lower.equals("tracestate")) {
                own.put(lower, value);
            }
        });
        return own;
    }

    private static String decoded(String value) {
        try {
            return UriUtils.decode(value, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return value;
        }
    }
}
