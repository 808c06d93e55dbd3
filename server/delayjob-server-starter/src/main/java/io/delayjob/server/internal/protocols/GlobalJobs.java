package io.delayjob.server.internal.protocols;

import io.delayjob.ActionResult;
import io.delayjob.AsyncDelayJobAdmin;
import io.delayjob.ClaimedJob;
import io.delayjob.DelayJobClaims;
import io.delayjob.DelayJobException;
import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobRequest;
import io.delayjob.JobClaim;
import io.delayjob.JobSettlement;
import io.delayjob.JobSnapshot;
import io.delayjob.JobState;
import io.delayjob.SubmitResult;
import io.delayjob.server.Access;
import io.delayjob.server.Role;
import io.delayjob.server.internal.claims.BoundedClaims;
import io.delayjob.server.internal.claims.Undelivered;
import io.delayjob.server.internal.limits.BoundedQueues;
import io.delayjob.server.internal.web.CallersTrace;
import io.delayjob.server.internal.web.Traced;
import io.delayjob.server.web.Problem;
import io.delayjob.support.Checks;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;

/**
 * The jobs of a protocol, which names them by ids that are unique over all its topics. Each topic has a queue of its own.
 *
 * <p>The {@link JobIndex} notes the queue of an id before its job is submitted, and forgets it after the job's end. A job that it does not
 * know, because Redis lost the entry and the journal put the job back, is looked for in all queues of the protocol.
 */
public final class GlobalJobs {

    private static final Logger log = LoggerFactory.getLogger(GlobalJobs.class);

    /** How many queues are asked at once for a job that the index does not know. */
    private static final int ASKED_AT_ONCE = 32;

    private static final Set<JobState> ENDED = Set.of(JobState.COMPLETED, JobState.CANCELLED);

    private final TopicQueues queues;
    private final JobIndex index;
    private final DelayJobProducer producer;
    private final AsyncDelayJobAdmin admin;
    private final DelayJobClaims claims;
    private final BoundedClaims bounded;
    private final BoundedQueues named;

    /** The jobs of a protocol in an engine. */
    public GlobalJobs(
            TopicQueues queues,
            JobIndex index,
            DelayJobProducer producer,
            AsyncDelayJobAdmin admin,
            DelayJobClaims claims,
            BoundedClaims bounded,
            BoundedQueues named) {
        this.queues = queues;
        this.index = index;
        this.producer = producer;
        this.admin = admin;
        this.claims = claims;
        this.bounded = bounded;
        this.named = named;
    }

    /**
     * Adds a job. The same one once more changes nothing.
     *
     * @param trace headers that name the caller's trace
     * @return its id; fails with a 409 if an unfinished job has the id and is another one
     */
    public Mono<String> add(Access access, NewJob job, Map<String, String> trace) {
        String queue = access.requireSubmit(queues.of(job.topic()), job.topic());
        named.name(access, queue);
        DelayJobRequest<JsonNode> request = CallersTrace.on(job.request(queue), trace);
        JobPlace place = JobPlace.of(queue);
        return Mono.fromFuture(() -> index.note(job.id(), place, job.left()))
                .flatMap(other -> other.filter(known -> !known.queue().equals(queue))
                        .map(known -> vacate(job, known, place).then(submit(job, request, place)))
                        .orElseGet(() -> submit(job, request, place)
                                .delayUntil(result -> other.isPresent()
                                                && result.outcome() == SubmitResult.Outcome.STORED
                                        ? Mono.fromFuture(() -> index.renew(job.id(), other.get(), place, job.left()))
                                        : Mono.empty())))
                .flatMap(result -> answer(job, result, place));
    }

    /** Takes over an id whose job in another queue has ended. */
    private Mono<Void> vacate(NewJob job, JobPlace old, JobPlace place) {
        return Mono.fromFuture(() -> admin.find(old.queue(), job.id())).flatMap(found -> {
            if (found.filter(stored -> !ENDED.contains(stored.state())).isPresent()) {
                return Mono.<Void>error(another(job.id()));
            } else if (old.isRecent()) {
                return Mono.<Void>error(busy(job.id()));
            }
            return Mono.fromFuture(() ->
                            index.remove(job.id(), old).thenCompose(removed -> index.note(job.id(), place, job.left())))
                    .flatMap(other -> other.isEmpty() ? Mono.<Void>empty() : Mono.<Void>error(busy(job.id())));
        });
    }

    private Mono<SubmitResult> submit(NewJob job, DelayJobRequest<JsonNode> request, JobPlace place) {
        return Traced.call(() -> job.submit(request, producer))
                .onErrorResume(
                        IllegalArgumentException.class,
                        refused -> Mono.fromFuture(() -> index.remove(job.id(), place))
                                .then(Mono.error(refused)));
    }

    private Mono<String> answer(NewJob job, SubmitResult result, JobPlace place) {
        return result.outcome() == SubmitResult.Outcome.EXISTS
                ? Mono.fromFuture(() -> admin.find(place.queue(), job.id())).flatMap(stored -> same(job, stored))
                : Mono.just(job.id());
    }

    private static Mono<String> same(NewJob job, Optional<JobSnapshot> stored) {
        if (stored.isEmpty()) {
            return Mono.error(busy(job.id()));
        }
        return job.is(stored.get()) ? Mono.just(job.id()) : Mono.error(another(job.id()));
    }

    private static RuntimeException another(String id) {
        return Problem.WRONG_STATE.with(
                "id %s is taken by another job that has not finished; delete that one, or choose another id"
                        .formatted(Checks.shown(id)));
    }

    private static RuntimeException busy(String id) {
        return Problem.WRONG_STATE.with(
                "id %s was in use by another job a moment ago; add it again in a minute".formatted(Checks.shown(id)));
    }

    /**
     * Hands out due jobs of a topic; those of an answer that cannot be written are given back.
     *
     * @param max the most jobs
     * @param wait how long to wait for the first
     */
    public Mono<List<ClaimedJob>> claim(
            Access access, ServerWebExchange exchange, String topic, int max, Duration wait) {
        String queue = access.require(queues.of(topic), Role.WORK);
        return bounded.claim(access, JobClaim.of(queue).withMax(max).withMaxWait(wait))
                .doOnNext(jobs -> Undelivered.note(exchange, jobs, false))
                .delayUntil(this::noteReserved);
    }

    /** Where that fails, a finish cancels the job instead of completing it. */
    private Mono<Void> noteReserved(List<ClaimedJob> jobs) {
        return jobs.isEmpty()
                ? Mono.empty()
                : Mono.fromFuture(() -> index.reserved(jobs)).onErrorResume(DelayJobException.class, failure -> {
                    log.warn("the reservations of {} jobs were not noted: {}", jobs.size(), failure.getMessage());
                    return Mono.empty();
                });
    }

    /**
     * Ends a job as completed if its last reservation still holds; else cancels it, or deletes a dead one.
     *
     * @return the result, with the job's previous state; {@link ActionResult#NO_SUCH_JOB} also for a job that is not the caller's
     */
    public Mono<ActionResult> finish(Access access, String id) {
        Checks.id(id);
        return find(access, id)
                .filterWhen(this::complete)
                .delayUntil(place -> forget(id, place))
                .map(place -> ActionResult.done(JobState.RESERVED))
                .switchIfEmpty(Mono.defer(() -> cancel(access, id)));
    }

    private Mono<Boolean> complete(JobPlace place) {
        return Mono.justOrEmpty(place.handle())
                .map(handle -> List.of(new JobSettlement.Complete(handle, null)))
                .flatMap(settlements -> Mono.fromFuture(() -> claims.settleAsync(settlements)))
                .map(applied -> applied.get(0));
    }

    /**
     * Cancels a job; deletes a dead one.
     *
     * @return the result, with the job's previous state; {@link ActionResult#NO_SUCH_JOB} also for a job that is not the caller's
     */
    public Mono<ActionResult> cancel(Access access, String id) {
        Checks.id(id);
        return find(access, id)
                .flatMap(place -> cancel(place.queue(), id)
                        .delayUntil(result -> result.done() ? forget(id, place) : Mono.empty()))
                .filter(result -> result.previous() != null)
                .switchIfEmpty(search(access, id).flatMap(queue -> cancel(queue, id)))
                .defaultIfEmpty(ActionResult.NO_SUCH_JOB);
    }

    private Mono<JobPlace> find(Access access, String id) {
        return Mono.fromFuture(() -> index.find(id))
                .flatMap(found -> Mono.justOrEmpty(found))
                .filter(place -> access.isFor(place.queue()));
    }

    /** The queue of the unfinished job of an id, or else of one that has ended and is kept. */
    private Mono<String> search(Access access, String id) {
        return Mono.fromFuture(admin::queues)
                .flatMapIterable(all -> all)
                .filter(queue -> queues.has(queue) && access.isFor(queue))
                .flatMap(
                        queue -> Mono.fromFuture(() -> admin.find(queue, id)).flatMap(found -> Mono.justOrEmpty(found)),
                        ASKED_AT_ONCE)
                .reduce((one, other) -> ENDED.contains(one.state()) ? other : one)
                .map(JobSnapshot::queue);
    }

    /** A dead job cannot be cancelled, so it is deleted. It is not redriven for that, because it could be handed out before it is cancelled. */
    private Mono<ActionResult> cancel(String queue, String id) {
        return Mono.fromFuture(() -> admin.cancel(queue, id))
                .flatMap(result -> result.previous() == JobState.DEAD
                        ? Mono.fromFuture(() -> admin.purge(queue, id))
                        : Mono.just(result));
    }

    private Mono<Void> forget(String id, JobPlace place) {
        return Mono.fromFuture(() -> index.remove(id, place))
                .onErrorComplete(DelayJobException.class)
                .then();
    }
}
