package io.delayjob.client.callback;

import io.delayjob.JobExecution;
import io.delayjob.JobOptions;
import io.delayjob.Progress;
import io.delayjob.engine.handler.ParamCodec;
import io.delayjob.support.Checks;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** One attempt that a server has called for, as its headers say. */
final class CalledExecution implements JobExecution<Object> {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final String id;
    private final String job;
    private final Instant dueAt;
    private final @Nullable Object param;
    private final Map<String, String> call;
    private final Map<String, String> headers;
    private final ParamCodec params;
    private final JobOptions options;
    private volatile @Nullable String result;

    /**
     * An attempt.
     *
     * @param call the headers of the call
     * @param headers the headers of the job
     */
    CalledExecution(
            String id,
            String job,
            Instant dueAt,
            @Nullable Object param,
            Map<String, String> call,
            Map<String, String> headers,
            ParamCodec params) {
        this.id = id;
        this.job = job;
        this.dueAt = dueAt;
        this.param = param;
        this.call = call;
        this.headers = Map.copyOf(headers);
        this.params = params;
        this.options = options(call.get("delayjob-options"));
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public String job() {
        return job;
    }

    @Override
    public String queue() {
        return call.getOrDefault("delayjob-queue", job);
    }

    @Override
    public Object param() {
        if (param == null) {
            throw new IllegalStateException("job '" + id + "' has no param");
        }
        return param;
    }

    @Override
    public boolean hasParam() {
        return param != null;
    }

    @Override
    public int attempt() {
        try {
            return Math.max(1, Integer.parseInt(call.getOrDefault("delayjob-attempt", "")));
        } catch (NumberFormatException e) {
            return 1;
        }
    }

    @Override
    public int maxAttempts() {
        Integer maxAttempts = options().maxAttempts();
        return maxAttempts == null ? Integer.MAX_VALUE : maxAttempts;
    }

    @Override
    public JobOptions options() {
        return options;
    }

    /** A server of an older release does not tell. */
    private static JobOptions options(@Nullable String header) {
        try {
            return header == null ? JobOptions.NONE : JSON.readValue(header, JobOptions.class);
        } catch (JacksonException e) {
            return JobOptions.NONE;
        }
    }

    @Override
    public Instant dueAt() {
        return dueAt;
    }

    /** A server of an older release does not tell: then when it was due. */
    @Override
    public Instant submittedAt() {
        try {
            return Instant.parse(call.getOrDefault("delayjob-submitted", ""));
        } catch (DateTimeParseException e) {
            return dueAt;
        }
    }

    @Override
    public Map<String, String> headers() {
        return headers;
    }

    @Override
    public void extendLease(Duration duration) {
        throw new UnsupportedOperationException(
                "a job that a server calls for has the timeout of its target; bind topic" + " '" + queue()
                        + "' with a longer one");
    }

    /** Checked and dropped: a call has no way to tell. */
    @Override
    public void progress(int percent, String text) {
        Checks.notNull(new Progress(percent, text), "progress");
    }

    @Override
    public void result(@Nullable Object newResult) {
        result = newResult == null ? null : params.writeResult(job, newResult);
    }

    @Nullable String result() {
        return result;
    }
}
