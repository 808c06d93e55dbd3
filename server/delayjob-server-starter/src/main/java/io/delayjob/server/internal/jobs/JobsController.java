package io.delayjob.server.internal.jobs;

import io.delayjob.AsyncDelayJobAdmin;
import io.delayjob.DelayJobException;
import io.delayjob.Explanation;
import io.delayjob.JobQuery;
import io.delayjob.JobState;
import io.delayjob.SubmitResult;
import io.delayjob.TimeRange;
import io.delayjob.server.Access;
import io.delayjob.server.internal.idempotency.IdempotencyFilter;
import io.delayjob.server.internal.web.ApiController;
import io.delayjob.server.internal.web.ResultView;
import io.delayjob.server.jobs.JobBody;
import io.delayjob.server.jobs.Jobs;
import io.delayjob.server.web.Body;
import io.delayjob.server.web.Everyday;
import io.delayjob.server.web.Required;
import io.delayjob.server.web.View;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import reactor.core.publisher.Mono;

/** Submits jobs and shows them. */
@ApiController
@RequestMapping("/queues/{queue}/jobs")
public final class JobsController {

    private final Jobs jobs;
    private final AsyncDelayJobAdmin admin;

    /** Several jobs to submit. */
    public record BatchBody(@Required List<JobBody> jobs) implements Body {}

    /** The result of each job of a batch. */
    public record BatchView(List<ResultView> jobs) implements View {}

    /**
     * A page of jobs.
     *
     * @param jobs the jobs
     * @param next the cursor of the next page; left out if there is none
     */
    public record PageView(List<JobView> jobs, @Nullable String next) implements View {}

    /**
     * Why a job is or is not running.
     *
     * @param reason the reason
     * @param text the reason as a sentence
     * @param job the job; left out if there is none
     */
    public record ExplanationView(
            Explanation.Reason reason,
            String text,
            @Nullable JobView job) implements View {}

    /** Routes over the jobs of an engine. */
    public JobsController(Jobs jobs, AsyncDelayJobAdmin admin) {
        this.jobs = jobs;
        this.admin = admin;
    }

    @Everyday
    @PostMapping(name = "submitJob")
    public Mono<ResponseEntity<SubmittedView>> submit(
            @RequestAttribute(Access.ATTRIBUTE) Access access,
            @RequestAttribute(name = IdempotencyFilter.JOB_IDS, required = false) @Nullable String ids,
            @PathVariable String queue,
            @RequestBody JobBody body,
            ServerHttpRequest request) {
        return jobs.submit(access, queue, body, ids, request.getHeaders())
                .flatMap(result -> Mono.fromFuture(() -> admin.find(result.queue(), result.id()))
                        // It is stored, whatever can be said of it now.
                        .onErrorResume(DelayJobException.class, failure -> Mono.just(Optional.empty()))
                        .map(job -> ResponseEntity.status(status(result)).body(SubmittedView.of(result, job))));
    }

    private static HttpStatus status(SubmitResult result) {
        return switch (result.outcome()) {
            case STORED, REPLACED, JOURNALED -> HttpStatus.CREATED;
            default -> HttpStatus.OK;
        };
    }

    @Everyday
    @PostMapping(name = "submitJobs", path = "/batch")
    public Mono<BatchView> submitAll(
            @RequestAttribute(Access.ATTRIBUTE) Access access,
            @RequestAttribute(name = IdempotencyFilter.JOB_IDS, required = false) @Nullable String ids,
            @PathVariable String queue,
            @RequestBody BatchBody body,
            ServerHttpRequest request) {
        return jobs.submitAll(access, queue, body.jobs(), ids, request.getHeaders())
                .map(results -> new BatchView(results.stream()
                        .map(result -> new ResultView(result.id(), result.outcome()))
                        .toList()));
    }

    @GetMapping(name = "listJobs")
    public Mono<PageView> list(
            @RequestAttribute(Access.ATTRIBUTE) Access access,
            @PathVariable String queue,
            @RequestParam JobState state,
            @RequestParam(required = false) @Nullable String topic,
            @RequestParam(required = false) @Nullable String idPrefix,
            @RequestParam(required = false) @Nullable Instant from,
            @RequestParam(required = false) @Nullable Instant to,
            @RequestParam(defaultValue = "100") int limit,
            @RequestParam(required = false) @Nullable String cursor) {
        JobQuery query = new JobQuery(queue, state, topic, idPrefix, new TimeRange(from, to), limit, cursor);
        return jobs.list(access, query)
                .map(page -> new PageView(page.jobs().stream().map(JobView::of).toList(), page.next()));
    }

    @GetMapping(name = "findJob", path = "/{id}")
    public Mono<JobView> find(
            @RequestAttribute(Access.ATTRIBUTE) Access access, @PathVariable String queue, @PathVariable String id) {
        return jobs.find(access, queue, id).map(JobView::of);
    }

    @GetMapping(name = "explainJob", path = "/{id}/explanation")
    public Mono<ExplanationView> explain(
            @RequestAttribute(Access.ATTRIBUTE) Access access, @PathVariable String queue, @PathVariable String id) {
        return jobs.explain(access, queue, id)
                .map(why -> new ExplanationView(
                        why.reason(), why.text(), why.job() == null ? null : JobView.of(why.job())));
    }
}
