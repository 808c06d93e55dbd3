package io.delayjob.modulith;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.modulith.events.core.EventPublicationRegistry;
import org.springframework.modulith.events.core.PublicationTargetIdentifier;
import org.springframework.modulith.events.core.TargetEventPublication;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Which publication an event comes from that is about to reach the externalizer. Spring Modulith hands listeners the bare event; the
 * {@link EventPublicationRegistry}, which this surrounds, knows both. Events are told apart by identity, as the registry does: two
 * that are equal are two publications. Thread-safe.
 */
final class Publications implements MethodInterceptor {

    private static final Set<String> RESUBMITTING =
            Set.of("processIncompletePublications", "processFailedPublications");

    private final PublicationTargetIdentifier target;
    private final Map<Identity, Publication> underway = new ConcurrentHashMap<>();

    /**
     * Of one listener.
     *
     * @param listener its id
     */
    Publications(String listener) {
        target = PublicationTargetIdentifier.of(listener);
    }

    /**
     * A publication on its way to the listener.
     *
     * @param again whether an earlier try did not end well
     */
    record Publication(TargetEventPublication publication, boolean again) {}

    private record Identity(Object event) {

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Identity identity && identity.event == event;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(event);
        }
    }

    /** The publication of an event, once. */
    Publication take(Object event) {
        Publication known = underway.remove(new Identity(event));
        if (known == null) {
            throw new IllegalStateException(
                    "no publication of a %s is under way: the event publication registry is no proxy"
                            .formatted(event.getClass().getName()));
        }
        return known;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation call) throws Throwable {
        String method = call.getMethod().getName();
        if (RESUBMITTING.contains(method)) {
            @SuppressWarnings("unchecked")
            Consumer<TargetEventPublication> resubmit = (Consumer<TargetEventPublication>) call.getArguments()[1];
            call.getArguments()[1] = (Consumer<TargetEventPublication>) publication -> {
                remember(publication, true);
                resubmit.accept(publication);
            };
        }
        Object result = call.proceed();
        if (method.equals("store") && result instanceof Collection<?> stored) {
            stored.forEach(publication -> remember((TargetEventPublication) publication, false));
        }
        return result;
    }

    private void remember(TargetEventPublication publication, boolean again) {
        if (publication.isIdentifiedBy(target)) {
            Identity event = new Identity(publication.getEvent());
            underway.put(event, new Publication(publication, again));
            if (TransactionSynchronizationManager.isSynchronizationActive()) {
                TransactionSynchronizationManager.registerSynchronization(new ForgetAtRollback(event));
            }
        }
    }

    private final class ForgetAtRollback implements TransactionSynchronization {

        private final Identity event;

        ForgetAtRollback(Identity event) {
            this.event = event;
        }

        @Override
        public void afterCompletion(int status) {
            if (status == STATUS_ROLLED_BACK) {
                underway.remove(event);
            }
        }
    }
}
