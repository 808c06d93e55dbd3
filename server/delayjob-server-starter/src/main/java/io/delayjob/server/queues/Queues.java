package io.delayjob.server.queues;

import io.delayjob.AsyncDelayJobAdmin;
import io.delayjob.QueueCounts;
import io.delayjob.server.Access;
import io.delayjob.server.Role;
import io.delayjob.server.internal.limits.BoundedQueues;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Counts the jobs of queues, and acts on whole queues. Each method throws what the caller may not do: 404 if the queue is not the caller's, 403 if
 * it has none of the roles, as an {@link org.springframework.web.ErrorResponseException}.
 */
public final class Queues {

    private final AsyncDelayJobAdmin admin;
    private final BoundedQueues bounded;

    Queues(AsyncDelayJobAdmin admin, BoundedQueues bounded) {
        this.admin = admin;
        this.bounded = bounded;
    }

    /**
     * Counts the jobs of a queue.
     *
     * @param access the rights of the caller
     * @param queue the queue
     * @return how many are in each state
     */
    public Mono<QueueCounts> counts(Access access, String queue) {
        access.require(queue, Role.READ);
        return counted(queue);
    }

    private Mono<QueueCounts> counted(String queue) {
        return Mono.fromFuture(() -> admin.counts(queue));
    }

    /**
     * Pauses a queue.
     *
     * @param access the rights of the caller
     * @param queue the queue
     * @return how many jobs are in each state afterwards
     */
    public Mono<QueueCounts> pause(Access access, String queue) {
        access.require(queue, Role.OPERATE);
        bounded.name(access, queue);
        return Mono.fromFuture(() -> admin.pause(queue)).then(counted(queue));
    }

    /**
     * Resumes a queue.
     *
     * @param access the rights of the caller
     * @param queue the queue
     * @return how many jobs are in each state afterwards
     */
    public Mono<QueueCounts> resume(Access access, String queue) {
        access.require(queue, Role.OPERATE);
        return Mono.fromFuture(() -> admin.resume(queue)).then(counted(queue));
    }

    /**
     * Redrives dead jobs of a queue.
     *
     * @param access the rights of the caller
     * @param queue the queue
     * @param limit the most jobs
     * @param perSecond how many become due each second; null for all at once
     * @return how many were redriven
     */
    public Mono<Integer> redriveDead(Access access, String queue, int limit, @Nullable Integer perSecond) {
        access.require(queue, Role.OPERATE);
        return Mono.fromFuture(
                () -> perSecond == null ? admin.redriveAll(queue, limit) : admin.redriveAll(queue, limit, perSecond));
    }

    /**
     * Removes dead jobs of a queue for good.
     *
     * @param access the rights of the caller
     * @param queue the queue
     * @param olderThan only those that have been dead for longer
     * @param limit the most jobs
     * @return how many were removed
     */
    public Mono<Integer> purgeDead(Access access, String queue, Duration olderThan, int limit) {
        access.require(queue, Role.OPERATE);
        return Mono.fromFuture(() -> admin.purgeDead(queue, olderThan, limit));
    }
}
