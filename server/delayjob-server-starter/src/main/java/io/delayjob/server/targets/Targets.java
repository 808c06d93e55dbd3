package io.delayjob.server.targets;

import io.delayjob.delivery.DelayJobTargets;
import io.delayjob.server.Access;
import io.delayjob.server.Role;
import io.delayjob.server.internal.limits.Makers;
import io.delayjob.server.web.Blocking;
import io.delayjob.server.web.Problem;
import io.delayjob.support.Checks;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.springframework.web.ErrorResponseException;
import reactor.core.publisher.Mono;

/**
 * Binds topics to targets, and tells how they are doing. A caller sees and changes the bindings of its own queues alone; each method throws a 403 if it has
 * none of the roles, as an {@link ErrorResponseException}, and fails with a 404 if the topic is not bound. What waits for Redis or a name server does so on
 * threads that may.
 */
public final class Targets {

    private final DelayJobTargets targets;
    private final Makers makers;

    Targets(DelayJobTargets targets, Makers makers) {
        this.targets = targets;
        this.makers = makers;
    }

    /**
     * Lists the bound topics.
     *
     * @param access the rights of the caller
     * @param maker only those that this caller has bound; null for all
     * @return the topics
     */
    public Mono<List<TargetView>> list(Access access, @Nullable String maker) {
        access.require(Role.READ);
        return Mono.fromSupplier(() -> as(access).list().stream()
                .filter(status -> maker == null || maker.equals(status.maker()))
                .map(status -> TargetView.of(status, access))
                .toList());
    }

    /**
     * Finds a bound topic.
     *
     * @param access the rights of the caller
     * @param topic the topic
     * @return the topic
     */
    public Mono<TargetView> find(Access access, String topic) {
        access.require(Role.READ);
        return Mono.fromSupplier(() -> view(access, topic));
    }

    /**
     * Binds a topic, for admins of its queue.
     *
     * @param access the rights of the caller
     * @param topic the topic
     * @param body its target
     * @return the bound topic
     */
    public Mono<TargetView> bind(Access access, String topic, TargetBody body) {
        access.require(Role.ADMIN);
        access.require(body.binding(topic, Optional.empty()).queue(), Role.ADMIN);
        return Makers.refusing(Blocking.call(() -> {
            as(access).bind(topic, now -> body.binding(topic, now));
            return view(access, topic);
        }));
    }

    /**
     * Unbinds a topic, for admins.
     *
     * @param access the rights of the caller
     * @param topic the topic
     * @return completes when it is unbound
     */
    public Mono<Void> unbind(Access access, String topic) {
        access.require(Role.ADMIN);
        return changed(topic, () -> as(access).unbind(topic)).then();
    }

    /**
     * Unbinds all topics that a caller has bound, for admins.
     *
     * @param access the rights of the caller
     * @param maker the caller that has bound them
     * @return how many were unbound
     */
    public Mono<Integer> unbindAll(Access access, @Nullable String maker) {
        access.require(Role.ADMIN);
        String name = Checks.notNull(maker, "maker");
        return Blocking.call(() -> as(access).unbindAll(name));
    }

    /**
     * Pauses the delivery of a topic.
     *
     * @param access the rights of the caller
     * @param topic the topic
     * @return the paused topic
     */
    public Mono<TargetView> pause(Access access, String topic) {
        access.require(Role.OPERATE);
        return changed(topic, () -> as(access).pause(topic)).map(done -> view(access, topic));
    }

    /**
     * Resumes the delivery of a topic.
     *
     * @param access the rights of the caller
     * @param topic the topic
     * @return the resumed topic
     */
    public Mono<TargetView> resume(Access access, String topic) {
        access.require(Role.OPERATE);
        return changed(topic, () -> as(access).resume(topic)).map(done -> view(access, topic));
    }

    /** Only through these a caller sees or changes bindings, so that it does so with those of its own queues alone. */
    private DelayJobTargets as(Access access) {
        return targets.as(makers.of(access));
    }

    private static Mono<Boolean> changed(String topic, Callable<Boolean> change) {
        return Blocking.<Boolean>call(change).filter(done -> done).switchIfEmpty(Mono.error(() -> missing(topic)));
    }

    private TargetView view(Access access, String topic) {
        return as(access)
                .find(topic)
                .map(status -> TargetView.of(status, access))
                .orElseThrow(() -> missing(topic));
    }

    private static ErrorResponseException missing(String topic) {
        return Problem.NO_SUCH_TARGET.with("topic %s is not bound to a target".formatted(Checks.shown(topic)));
    }
}
