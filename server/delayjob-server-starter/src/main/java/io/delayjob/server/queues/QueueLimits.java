package io.delayjob.server.queues;

import io.delayjob.AsyncDelayJobAdmin;
import io.delayjob.DelayJobLimits;
import io.delayjob.Limits;
import io.delayjob.server.Access;
import io.delayjob.server.Role;
import io.delayjob.server.internal.limits.BoundedQueues;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;

/**
 * Reads and changes the limits of queues and of keys. Each method throws what the caller may not do: 404 if the queue is not the caller's, 403 if it has
 * none of the roles, as an {@link org.springframework.web.ErrorResponseException}. A change answers the limits afterwards.
 */
public final class QueueLimits {

    private final AsyncDelayJobAdmin admin;
    private final BoundedQueues bounded;

    QueueLimits(AsyncDelayJobAdmin admin, BoundedQueues bounded) {
        this.admin = admin;
        this.bounded = bounded;
    }

    /**
     * The limits of a queue.
     *
     * @param access the rights of the caller
     * @param queue the queue
     * @return its limits
     */
    public Mono<DelayJobLimits> find(Access access, String queue) {
        access.require(queue, Role.READ);
        return found(queue);
    }

    /**
     * The limits of a key, and what they hold back.
     *
     * @param access the rights of the caller
     * @param queue the queue
     * @param key the key
     * @return what is known about it
     */
    public Mono<DelayJobLimits.OfKey> find(Access access, String queue, String key) {
        access.require(queue, Role.READ);
        return Mono.fromFuture(() -> admin.limits(queue, key));
    }

    private Mono<DelayJobLimits> found(String queue) {
        return Mono.fromFuture(() -> admin.limits(queue));
    }

    private Mono<DelayJobLimits> changed(Access access, String queue, Supplier<CompletableFuture<Void>> change) {
        access.require(queue, Role.OPERATE);
        bounded.name(access, queue);
        return Mono.fromFuture(change).then(found(queue));
    }

    /**
     * Sets the limits of a queue.
     *
     * @param access the rights of the caller
     * @param queue the queue
     * @param limits the limits
     * @return its limits afterwards
     */
    public Mono<DelayJobLimits> set(Access access, String queue, Limits limits) {
        return changed(access, queue, () -> admin.setLimits(queue, limits));
    }

    /**
     * Removes the limits that were set.
     *
     * @param access the rights of the caller
     * @param queue the queue
     * @return its limits afterwards
     */
    public Mono<DelayJobLimits> clear(Access access, String queue) {
        return changed(access, queue, () -> admin.clearLimits(queue));
    }

    /**
     * Sets the limits of a key.
     *
     * @param access the rights of the caller
     * @param queue the queue
     * @param key the key
     * @param limits the limits
     * @return the limits of the queue afterwards
     */
    public Mono<DelayJobLimits> set(Access access, String queue, String key, Limits limits) {
        return changed(access, queue, () -> admin.setLimits(queue, key, limits));
    }

    /**
     * Removes the limits of a key.
     *
     * @param access the rights of the caller
     * @param queue the queue
     * @param key the key
     * @return the limits of the queue afterwards
     */
    public Mono<DelayJobLimits> clear(Access access, String queue, String key) {
        return changed(access, queue, () -> admin.clearLimits(queue, key));
    }

    /**
     * Pauses a key.
     *
     * @param access the rights of the caller
     * @param queue the queue
     * @param key the key
     * @return the limits of the queue afterwards
     */
    public Mono<DelayJobLimits> pause(Access access, String queue, String key) {
        return changed(access, queue, () -> admin.pause(queue, key));
    }

    /**
     * Resumes a key.
     *
     * @param access the rights of the caller
     * @param queue the queue
     * @param key the key
     * @return the limits of the queue afterwards
     */
    public Mono<DelayJobLimits> resume(Access access, String queue, String key) {
        return changed(access, queue, () -> admin.resume(queue, key));
    }
}
