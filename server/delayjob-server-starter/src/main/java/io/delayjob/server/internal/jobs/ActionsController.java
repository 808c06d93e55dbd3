package io.delayjob.server.internal.jobs;

import io.delayjob.ActionResult;
import io.delayjob.JobState;
import io.delayjob.server.Access;
import io.delayjob.server.internal.web.ApiController;
import io.delayjob.server.jobs.JobAction;
import io.delayjob.server.jobs.JobActions;
import io.delayjob.server.web.Body;
import io.delayjob.server.web.Required;
import io.delayjob.server.web.View;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import reactor.core.publisher.Mono;

/** Cancels, reschedules and redrives jobs, one or many. */
@ApiController
@RequestMapping("/queues/{queue}/jobs")
public final class ActionsController {

    private final JobActions actions;

    /**
     * When the job is to run.
     *
     * @param delay from now
     */
    public record RescheduleBody(@Required Duration delay) implements Body {}

    /**
     * An action on several jobs.
     *
     * @param action the action on each job
     * @param ids the jobs, 1 to 1000
     * @param delay from now; only to reschedule
     */
    public record ActionsBody(
            @Required JobAction action,

            @Required List<String> ids,

            @Nullable Duration delay) implements Body {}

    /**
     * The result of an action on a job.
     *
     * @param id the job
     * @param done whether it was done
     * @param previous the state that the job was in; left out if there is no such job
     */
    public record ActionView(
            String id, boolean done, @Nullable JobState previous) implements View {

        static ActionView of(String id, ActionResult result) {
            return new ActionView(id, result.done(), result.previous());
        }
    }

    /** The result of an action on several jobs. */
    public record ActionsView(List<ActionView> results) implements View {

        static ActionsView of(List<String> ids, List<ActionResult> results) {
            return new ActionsView(IntStream.range(0, ids.size())
                    .mapToObj(place -> ActionView.of(ids.get(place), results.get(place)))
                    .toList());
        }
    }

    /** Routes over the actions. */
    public ActionsController(JobActions actions) {
        this.actions = actions;
    }

    @DeleteMapping(name = "cancelJob", path = "/{id}")
    public Mono<ActionView> cancel(
            @RequestAttribute(Access.ATTRIBUTE) Access access, @PathVariable String queue, @PathVariable String id) {
        return one(access, queue, id, JobAction.CANCEL, null);
    }

    @PostMapping(name = "rescheduleJob", path = "/{id}/reschedule")
    public Mono<ActionView> reschedule(
            @RequestAttribute(Access.ATTRIBUTE) Access access,
            @PathVariable String queue,
            @PathVariable String id,
            @RequestBody RescheduleBody body) {
        return one(access, queue, id, JobAction.RESCHEDULE, body.delay());
    }

    @PostMapping(name = "runJobNow", path = "/{id}/run-now")
    public Mono<ActionView> runNow(
            @RequestAttribute(Access.ATTRIBUTE) Access access, @PathVariable String queue, @PathVariable String id) {
        return one(access, queue, id, JobAction.RUN_NOW, null);
    }

    @PostMapping(name = "redriveJob", path = "/{id}/redrive")
    public Mono<ActionView> redrive(
            @RequestAttribute(Access.ATTRIBUTE) Access access, @PathVariable String queue, @PathVariable String id) {
        return one(access, queue, id, JobAction.REDRIVE, null);
    }

    @PostMapping(name = "purgeJob", path = "/{id}/purge")
    public Mono<ActionView> purge(
            @RequestAttribute(Access.ATTRIBUTE) Access access, @PathVariable String queue, @PathVariable String id) {
        return one(access, queue, id, JobAction.PURGE, null);
    }

    @PostMapping(name = "actOnJobs", path = "/actions")
    public Mono<ActionsView> several(
            @RequestAttribute(Access.ATTRIBUTE) Access access,
            @PathVariable String queue,
            @RequestBody ActionsBody body) {
        return actions.actOnAll(access, queue, body.ids(), body.action(), body.delay())
                .map(results -> ActionsView.of(body.ids(), results));
    }

    private Mono<ActionView> one(Access access, String queue, String id, JobAction action, @Nullable Duration delay) {
        return actions.act(access, queue, id, action, delay).map(result -> ActionView.of(id, result));
    }
}
