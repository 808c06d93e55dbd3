package io.delayjob.benchmarks.contender.postgresql;

import org.jobrunr.jobs.lambdas.JobRequest;

/** Request that JobRunr stores with a job, as JSON. Public, because JobRunr deserializes it. */
public record CloseOrderRequest(String id, long dueMillis, String payload) implements JobRequest {

    @Override
    public Class<CloseOrderHandler> getJobRequestHandler() {
        return CloseOrderHandler.class;
    }
}
