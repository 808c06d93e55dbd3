package io.delayjob.client.beans;

import io.delayjob.ClaimedJob;
import io.delayjob.JobExecution;
import io.delayjob.JobOptions;
import io.delayjob.engine.handler.ParamCodec;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One attempt at a job that a server has handed out. */
abstract class RemoteExecution implements JobExecution<Object> {

    private final ClaimedJob job;
    private final @Nullable Object param;
    private final ParamCodec params;

    /**
     * An attempt.
     *
     * @param param what its handler gets; null for a job without one
     * @param params writes its result
     */
    RemoteExecution(ClaimedJob job, @Nullable Object param, ParamCodec params) {
        this.job = job;
        this.param = param;
        this.params = params;
    }

    @Override
    public String id() {
        return job.id();
    }

    @Override
    public String job() {
        return job.topic();
    }

    @Override
    public String queue() {
        return job.queue();
    }

    @Override
    public Object param() {
        if (param == null) {
            throw new IllegalStateException("job '" + id() + "' has no param");
        }
        return param;
    }

    @Override
    public boolean hasParam() {
        return param != null;
    }

    @Override
    public int attempt() {
        return job.attempt();
    }

    /** A server of an older release does not tell. */
    @Override
    public int maxAttempts() {
        Integer maxAttempts = options().maxAttempts();
        return maxAttempts == null ? Integer.MAX_VALUE : maxAttempts;
    }

    @Override
    public JobOptions options() {
        return job.options();
    }

    @Override
    public Instant dueAt() {
        return job.dueAt();
    }

    @Override
    public Instant submittedAt() {
        return job.submittedAt();
    }

    @Override
    public Map<String, String> headers() {
        return job.headers();
    }

    /** A result as JSON. */
    String written(Object result) {
        return params.writeResult(job(), result);
    }
}
