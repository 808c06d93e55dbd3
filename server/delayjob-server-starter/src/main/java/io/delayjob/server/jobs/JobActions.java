package io.delayjob.server.jobs;

import io.delayjob.ActionResult;
import io.delayjob.AsyncDelayJobAdmin;
import io.delayjob.JobState;
import io.delayjob.server.Access;
import io.delayjob.server.internal.web.Items;
import io.delayjob.server.web.Problem;
import io.delayjob.support.Checks;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ProblemDetail;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Cancels, reschedules, redrives and purges jobs, one or many. Both methods throw what the caller may not do: 404 if the queue is not the caller's,
 * 403 if it has none of the roles, as an {@link org.springframework.web.ErrorResponseException}.
 */
public final class JobActions {

    /** How many jobs of a batch are asked about at once. */
    private static final int AT_ONCE = 64;

    private final AsyncDelayJobAdmin admin;

    JobActions(AsyncDelayJobAdmin admin) {
        this.admin = admin;
    }

    /**
     * Acts on a job.
     *
     * @param access the rights of the caller
     * @param queue the job's queue
     * @param id the job's id
     * @param action the action
     * @param delay the new delay from now, to reschedule; null for all other actions
     * @return the result, which is that the action was done; fails with 404 if there is no such job, 409 if its state does not allow the action
     */
    public Mono<ActionResult> act(Access access, String queue, String id, JobAction action, @Nullable Duration delay) {
        access.require(queue, action.roles());
        Checks.id(id);
        Duration checked = checked(action, delay);
        return Mono.fromFuture(() -> asked(queue, id, action, checked)).doOnNext(result -> {
            if (result.previous() == null) {
                throw Jobs.noSuchJob(queue, id);
            } else if (!result.done()) {
                throw refused(id, result.previous());
            }
        });
    }

    /**
     * Acts on several jobs of a queue. Those that do not exist, or are in another state, are skipped.
     *
     * @param access the rights of the caller
     * @param queue the jobs' queue
     * @param ids the jobs' ids, 1 to 1000
     * @param action the action
     * @param delay the new delay from now, to reschedule; null for all other actions
     * @return the results, in the order of the ids
     */
    public Mono<List<ActionResult>> actOnAll(
            Access access, String queue, List<String> ids, JobAction action, @Nullable Duration delay) {
        access.require(queue, action.roles());
        Items.check("ids", ids);
        ids.forEach(Checks::id);
        Duration checked = checked(action, delay);
        return Flux.fromIterable(ids)
                .flatMapSequential(id -> Mono.fromFuture(() -> asked(queue, id, action, checked)), AT_ONCE)
                .collectList();
    }

    private static RuntimeException refused(String id, JobState state) {
        ProblemDetail problem = Problem.WRONG_STATE.detail("job %s is %s".formatted(Checks.shown(id), state));
        problem.setProperty("state", state);
        return Problem.thrown(problem);
    }

    private static Duration checked(JobAction action, @Nullable Duration delay) {
        if (action == JobAction.RESCHEDULE) {
            return Checks.delay(delay);
        }
        if (delay != null) {
            throw new IllegalArgumentException("delay is only for reschedule: " + delay);
        }
        return Duration.ZERO;
    }

    private CompletableFuture<ActionResult> asked(String queue, String id, JobAction action, Duration delay) {
        return switch (action) {
            case CANCEL -> admin.cancel(queue, id);
            case RESCHEDULE -> admin.reschedule(queue, id, delay);
            case RUN_NOW -> admin.runNow(queue, id);
            case REDRIVE -> admin.redrive(queue, id);
            case PURGE -> admin.purge(queue, id);
        };
    }
}
