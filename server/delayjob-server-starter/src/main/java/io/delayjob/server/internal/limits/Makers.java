package io.delayjob.server.internal.limits;

import io.delayjob.delivery.DelayJobTargets;
import io.delayjob.delivery.Maker;
import io.delayjob.delivery.RefusedBindingException;
import io.delayjob.server.Access;
import io.delayjob.server.Role;
import io.delayjob.server.limits.Limits;
import io.delayjob.server.web.Problem;
import reactor.core.publisher.Mono;

/**
 * Says as whom a caller binds topics and registers processes.
 *
 * @param mostBindings how many topics may be bound by a caller; administrators of all queues may bind as many as there may be
 * @param mostClients how many processes may be registered by a caller within ten minutes
 */
public record Makers(int mostBindings, int mostClients) {

    private static final long LATER = 60;

    /** The maker that a caller is. */
    public Maker of(Access access) {
        boolean isForEverything = access.isForAll() && access.grant().allows(Role.ADMIN);
        return new Maker(
                access.caller(), access::isFor, isForEverything ? DelayJobTargets.MOST : mostBindings, mostClients);
    }

    /** Answers a refused change as a problem that says what the caller may not do. */
    public static <T> Mono<T> refusing(Mono<T> work) {
        return work.onErrorMap(RefusedBindingException.class, Makers::problem);
    }

    private static Throwable problem(RefusedBindingException refused) {
        return switch (refused.reason()) {
            case NOT_ITS_OWN -> Problem.FORBIDDEN.with(String.valueOf(refused.getMessage()));
            case TOO_MANY ->
                Problem.thrown(Problem.tooMany(
                        "%s (%sbindings-per-token, clients-per-token); wait %d s, or ask an administrator to remove what is not needed"
                                .formatted(refused.getMessage(), Limits.PROPERTIES, LATER),
                        LATER));
        };
    }
}
