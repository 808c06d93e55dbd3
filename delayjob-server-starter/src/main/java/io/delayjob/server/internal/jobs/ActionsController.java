package io.delayjob.server.internal.jobs;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.delayjob.ActionResult;
import io.delayjob.AsyncDelayJobAdmin;
import io.delayjob.JobState;
import io.delayjob.server.Access;
import io.delayjob.server.Role;
import io.delayjob.server.internal.web.ApiController;
import io.delayjob.server.internal.web.Items;
import io.delayjob.server.web.Body;
import io.delayjob.server.web.Problem;
import io.delayjob.server.web.Required;
import io.delayjob.server.web.View;
import io.delayjob.support.Checks;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Cancels, reschedules and redrives jobs, one or many. */
@ApiController
@RequestMapping("/queues/{queue}/jobs")
public final class ActionsController {

    /** How many jobs of a batch are asked about at once. */
    private static final int AT_ONCE = 64;

    private final AsyncDelayJobAdmin admin;

    /** An action on a job. */
    public enum Action {
        @JsonProperty("cancel")
        CANCEL,
        @JsonProperty("reschedule")
        RESCHEDULE,
        @JsonProperty("run-now")
        RUN_NOW,
        @JsonProperty("redrive")
        REDRIVE,
        @JsonProperty("purge")
        PURGE;

        private Role[] roles() {
            return this == REDRIVE || this == PURGE
                    ? new Role[] {Role.OPERATE}
                    : new Role[] {Role.SUBMIT, Role.OPERATE};
        }
    }

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
            @Required Action action,

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
    public record ActionsView(List<ActionView> results) implements View {}

    /** Routes over an engine. */
    public ActionsController(AsyncDelayJobAdmin admin) {
        this.admin = admin;
    }

    @DeleteMapping(name = "cancelJob", path = "/{id}")
    public Mono<ActionView> cancel(
            @RequestAttribute(Access.ATTRIBUTE) Access access, @PathVariable String queue, @PathVariable String id) {
        return one(access, queue, id, Action.CANCEL, null);
    }

    @PostMapping(name = "rescheduleJob", path = "/{id}/reschedule")
    public Mono<ActionView> reschedule(
            @RequestAttribute(Access.ATTRIBUTE) Access access,
            @PathVariable String queue,
            @PathVariable String id,
            @RequestBody RescheduleBody body) {
        return one(access, queue, id, Action.RESCHEDULE, body.delay());
    }

    @PostMapping(name = "runJobNow", path = "/{id}/run-now")
    public Mono<ActionView> runNow(
            @RequestAttribute(Access.ATTRIBUTE) Access access, @PathVariable String queue, @PathVariable String id) {
        return one(access, queue, id, Action.RUN_NOW, null);
    }

    @PostMapping(name = "redriveJob", path = "/{id}/redrive")
    public Mono<ActionView> redrive(
            @RequestAttribute(Access.ATTRIBUTE) Access access, @PathVariable String queue, @PathVariable String id) {
        return one(access, queue, id, Action.REDRIVE, null);
    }

    @PostMapping(name = "purgeJob", path = "/{id}/purge")
    public Mono<ActionView> purge(
            @RequestAttribute(Access.ATTRIBUTE) Access access, @PathVariable String queue, @PathVariable String id) {
        return one(access, queue, id, Action.PURGE, null);
    }

    @PostMapping(name = "actOnJobs", path = "/actions")
    public Mono<ActionsView> several(
            @RequestAttribute(Access.ATTRIBUTE) Access access,
            @PathVariable String queue,
            @RequestBody ActionsBody body) {
        access.require(queue, body.action().roles());
        Items.check("ids", body.ids());
        body.ids().forEach(Checks::id);
        Duration delay = delay(body.action(), body.delay());
        return Flux.fromIterable(body.ids())
                .flatMapSequential(
                        id -> Mono.fromFuture(() -> act(queue, id, body.action(), delay))
                                .map(result -> ActionView.of(id, result)),
                        AT_ONCE)
                .collectList()
                .map(ActionsView::new);
    }

    private Mono<ActionView> one(Access access, String queue, String id, Action action, @Nullable Duration wanted) {
        access.require(queue, action.roles());
        Checks.id(id);
        Duration delay = delay(action, wanted);
        return Mono.fromFuture(() -> act(queue, id, action, delay)).map(result -> {
            if (result.previous() == null) {
                throw JobsController.noSuchJob(queue, id);
            } else if (!result.done()) {
                throw refused(id, result.previous());
            }
            return ActionView.of(id, result);
        });
    }

    private static RuntimeException refused(String id, JobState state) {
        ProblemDetail problem = Problem.WRONG_STATE.detail("job %s is %s".formatted(Checks.shown(id), state));
        problem.setProperty("state", state);
        return Problem.thrown(problem);
    }

    private static Duration delay(Action action, @Nullable Duration delay) {
        if (action == Action.RESCHEDULE) {
            return Checks.delay(delay);
        }
        if (delay != null) {
            throw new IllegalArgumentException("delay is only for reschedule: " + delay);
        }
        return Duration.ZERO;
    }

    private CompletableFuture<ActionResult> act(String queue, String id, Action action, Duration delay) {
        return switch (action) {
            case CANCEL -> admin.cancel(queue, id);
            case RESCHEDULE -> admin.reschedule(queue, id, delay);
            case RUN_NOW -> admin.runNow(queue, id);
            case REDRIVE -> admin.redrive(queue, id);
            case PURGE -> admin.purge(queue, id);
        };
    }
}
