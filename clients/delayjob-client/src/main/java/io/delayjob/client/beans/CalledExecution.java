package io.delayjob.client.beans;

import io.delayjob.ClaimedJob;
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

/** One attempt that a server has called for. */
final class CalledExecution extends RemoteExecution {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private volatile @Nullable String result;

    CalledExecution(ClaimedJob job, @Nullable Object param, ParamCodec params) {
        super(job, param, params);
    }

    /**
     * The job of a call, as its headers say. It has no handle: the answer to the call ends the attempt.
     *
     * @param param the param as text
     * @param call the headers of the call
     * @param headers the headers of the job
     */
    static ClaimedJob job(
            String id,
            String topic,
            Instant dueAt,
            String param,
            Map<String, String> call,
            Map<String, String> headers) {
        return new ClaimedJob(
                call.getOrDefault("delayjob-queue", topic),
                id,
                topic,
                param,
                headers,
                attempt(call),
                dueAt,
                submittedAt(call, dueAt),
                dueAt,
                options(call),
                "");
    }

    private static int attempt(Map<String, String> call) {
        try {
            return Math.max(1, Integer.parseInt(call.getOrDefault("delayjob-attempt", "")));
        } catch (NumberFormatException e) {
            return 1;
        }
    }

    /** A server of an older release does not tell: then when it was due. */
    private static Instant submittedAt(Map<String, String> call, Instant dueAt) {
        try {
            return Instant.parse(call.getOrDefault("delayjob-submitted", ""));
        } catch (DateTimeParseException e) {
            return dueAt;
        }
    }

    /** A server of an older release does not tell. */
    private static JobOptions options(Map<String, String> call) {
        String header = call.get("delayjob-options");
        try {
            return header == null ? JobOptions.NONE : JSON.readValue(header, JobOptions.class);
        } catch (JacksonException e) {
            return JobOptions.NONE;
        }
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
        result = newResult == null ? null : written(newResult);
    }

    @Nullable String result() {
        return result;
    }
}
