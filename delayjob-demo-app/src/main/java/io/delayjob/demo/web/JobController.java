package io.delayjob.demo.web;

import io.delayjob.ActionResult;
import io.delayjob.JobSnapshot;
import io.delayjob.JobState;
import io.delayjob.demo.job.ExecutionLog;
import java.util.Optional;
import org.springframework.http.HttpStatus;
import org.springframework.web.ErrorResponseException;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Shows and cancels single jobs. */
@RestController
@RequestMapping("/api/delayJob/jobs/{id}")
final class JobController {

    private final Jobs jobs;
    private final ExecutionLog executions;
    private final JsonMapper json;

    JobController(Jobs jobs, ExecutionLog executions, JsonMapper json) {
        this.jobs = jobs;
        this.executions = executions;
        this.json = json;
    }

    @GetMapping
    JobView show(@PathVariable String id) {
        Parameters.id(id);
        return jobs.find(id)
                .map(job -> JobView.of(job, param(job)))
                .or(() -> completedHere(id))
                .orElseThrow(() -> Problems.noSuchJob(id));
    }

    private Object param(JobSnapshot job) {
        try {
            return json.readTree(job.param());
        } catch (JacksonException e) {
            return job.param();
        }
    }

    // Redis forgets a completed job.
    private Optional<JobView> completedHere(String id) {
        return executions.completed(id).map(last -> JobView.completed(jobs.queue(), last));
    }

    /** Why the job is not running. */
    @GetMapping("/explanation")
    ExplanationView explain(@PathVariable String id) {
        Parameters.id(id);
        return ExplanationView.of(jobs.explain(id));
    }

    @DeleteMapping
    Cancelled cancel(@PathVariable String id) {
        Parameters.id(id);
        ActionResult result = jobs.cancel(id);
        if (result.done()) {
            return new Cancelled("cancelled", id);
        }
        JobState state = result.previous();
        throw state == null ? Problems.noSuchJob(id) : notCancellable(id, state);
    }

    private static ErrorResponseException notCancellable(String id, JobState state) {
        return Problems.of(
                HttpStatus.CONFLICT,
                "Job cannot be cancelled",
                "job '%s' is %s: it will not run, so there is nothing to cancel".formatted(id, state),
                id);
    }
}
