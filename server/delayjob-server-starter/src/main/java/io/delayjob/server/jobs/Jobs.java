package io.delayjob.server.jobs;

import io.delayjob.AsyncDelayJobAdmin;
import io.delayjob.DelayJobProducer;
import io.delayjob.Explanation;
import io.delayjob.IndexedJobs;
import io.delayjob.IndexedValue;
import io.delayjob.JobPage;
import io.delayjob.JobQuery;
import io.delayjob.JobSnapshot;
import io.delayjob.SubmitResult;
import io.delayjob.server.Access;
import io.delayjob.server.Role;
import io.delayjob.server.internal.limits.BoundedQueues;
import io.delayjob.server.internal.web.CallersTrace;
import io.delayjob.server.internal.web.Items;
import io.delayjob.server.internal.web.Traced;
import io.delayjob.server.web.Problem;
import io.delayjob.support.Checks;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import reactor.core.publisher.Mono;

/**
 * Submits jobs and finds them. Each method throws what the caller may not do: 404 if the queue is not the caller's, 403 if it has none of the
 * roles, as an {@link org.springframework.web.ErrorResponseException}.
 */
public final class Jobs {

    private final Submits submits;
    private final AsyncDelayJobAdmin admin;
    private final CallersTrace trace;
    private final BoundedQueues bounded;

    Jobs(DelayJobProducer producer, AsyncDelayJobAdmin admin, CallersTrace trace, BoundedQueues bounded) {
        this.submits = new Submits(producer);
        this.admin = admin;
        this.trace = trace;
        this.bounded = bounded;
    }

    /**
     * Submits a job.
     *
     * @param access the rights of the caller
     * @param queue the queue
     * @param job the job
     * @param made the id of a job that has neither its own nor a dedupe key; null for a random one
     * @param headers of the request, which may name a trace
     * @return the result
     */
    public Mono<SubmitResult> submit(
            Access access, String queue, JobBody job, @Nullable String made, HttpHeaders headers) {
        access.requireSubmit(queue, job.topic());
        bounded.name(access, queue);
        return Traced.call(() -> submits.submit(queue, job, made, trace.of(headers)));
    }

    /**
     * Submits several jobs.
     *
     * @param access the rights of the caller
     * @param queue the queue
     * @param jobs the jobs, 1 to 1000
     * @param prefix with a hyphen and the job's place, the id of each that has neither its own nor a dedupe key; null for random ones
     * @param headers of the request, which may name a trace
     * @return the results, in the order of the jobs
     */
    public Mono<List<SubmitResult>> submitAll(
            Access access, String queue, List<JobBody> jobs, @Nullable String prefix, HttpHeaders headers) {
        access.require(queue, Role.SUBMIT);
        Items.check("jobs", jobs);
        jobs.forEach(job -> access.requireSubmit(queue, job.topic()));
        bounded.name(access, queue);
        return Traced.call(() -> submits.submitAll(queue, jobs, prefix, trace.of(headers)));
    }

    /**
     * Finds a job.
     *
     * @param access the rights of the caller
     * @param queue the job's queue
     * @param id the job's id
     * @return the job; fails with 404 if there is none
     */
    public Mono<JobSnapshot> find(Access access, String queue, String id) {
        access.require(queue, Role.READ);
        Checks.id(id);
        return Mono.fromFuture(() -> admin.find(queue, id)).map(found -> found.orElseThrow(() -> noSuchJob(queue, id)));
    }

    static RuntimeException noSuchJob(String queue, String id) {
        return Problem.NO_SUCH_JOB.with("queue '%s' has no job %s: it was never submitted, or has ended and is not kept"
                .formatted(queue, Checks.shown(id)));
    }

    /**
     * Explains why a job is or is not running.
     *
     * @param access the rights of the caller
     * @param queue the job's queue
     * @param id the job's id
     * @return the explanation, also of a job that does not exist
     */
    public Mono<Explanation> explain(Access access, String queue, String id) {
        access.require(queue, Role.READ);
        Checks.id(id);
        return Mono.fromFuture(() -> admin.explain(queue, id));
    }

    /**
     * Lists jobs of a queue.
     *
     * @param access the rights of the caller
     * @param query the queue, and which of its jobs
     * @return a page of them
     */
    public Mono<JobPage> list(Access access, JobQuery query) {
        access.require(query.queue(), Role.READ);
        return Mono.fromFuture(() -> admin.list(query));
    }

    /**
     * Finds jobs of a queue by its index.
     *
     * @param access the rights of the caller
     * @param queue the queue
     * @param value the word of the index, and the value
     * @return the jobs that have not ended and have the value
     */
    public Mono<IndexedJobs> indexed(Access access, String queue, IndexedValue value) {
        access.require(queue, Role.READ);
        return Mono.fromFuture(() -> admin.findIndexed(queue, value));
    }
}
