package io.delayjob.benchmarks.contender.postgresql;

import io.delayjob.benchmarks.contender.Work;
import org.jobrunr.jobs.lambdas.JobRequestHandler;
import org.jobrunr.server.runner.ThreadLocalJobContext;

/** Handler that JobRunr calls to run a job. */
public final class CloseOrderHandler implements JobRequestHandler<CloseOrderRequest> {

    private final Work work;

    CloseOrderHandler(Work work) {
        this.work = work;
    }

    @Override
    public void run(CloseOrderRequest request) throws Exception {
        work.run(
                request.id(),
                request.dueMillis(),
                ThreadLocalJobContext.getJobContext().amountOfFailures() + 1);
    }
}
