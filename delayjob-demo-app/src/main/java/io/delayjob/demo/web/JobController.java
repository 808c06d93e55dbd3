package io.delayjob.demo.web;

import io.delayjob.JobSnapshot;
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

    @DeleteMapping
    Cancelled cancel(@PathVariable String id) {
        Parameters.id(id);
        if (jobs.cancel(id)) {
            return new Cancelled("cancelled", id);
        }
        JobSnapshot job = jobs.find(id).orElseThrow(() -> Problems.noSuchJob(id));
        throw notWaiting(job);
    }

    private static ErrorResponseException notWaiting(JobSnapshot job) {
        String reason = switch (job.state()) {
            case RESERVED -> "is running on node " + job.node() + "; only a waiting job can be cancelled";
            case DEAD -> "is dead: it was given up and will not run, so there is nothing to cancel";
            default -> "changed its state in this moment; try again";
        };
        return Problems.ofJob(
                HttpStatus.CONFLICT, "Job cannot be cancelled", "job '%s' %s".formatted(job.id(), reason), job.id());
    }
}
