package io.delayjob.server.internal.events;

import io.delayjob.redisson.events.StreamedEvent;
import io.delayjob.server.Access;
import io.delayjob.server.Role;
import io.delayjob.support.Checks;
import java.util.Collection;
import java.util.Set;

/**
 * Which events a subscriber gets.
 *
 * @param access the access of the subscriber
 * @param queues the queues that it asked for; if empty, all that it has access to
 * @param kinds the kinds of events that it asked for; all if empty
 */
record EventFilter(Access access, Set<String> queues, Set<String> kinds) {

    /**
     * Checks what a subscriber asks for.
     *
     * @throws IllegalArgumentException if a queue or kind is none
     * @throws org.springframework.web.ErrorResponseException 403 if the token may not read, 404 if it is not for one of the queues
     */
    static EventFilter of(Access access, Collection<String> queues, Collection<String> kinds) {
        access.require(Role.READ);
        access.require(queues, Role.READ);
        for (String kind : kinds) {
            if (!StreamedEvent.KINDS.contains(kind)) {
                throw new IllegalArgumentException("there are no events of kind " + Checks.shown(kind)
                        + "; the kinds are " + String.join(", ", StreamedEvent.KINDS));
            }
        }
        return new EventFilter(access, Set.copyOf(queues), Set.copyOf(kinds));
    }

    boolean passes(StreamedEvent event) {
        if (event.kind().equals(StreamedEvent.GAP)) {
            return event.queue().isEmpty() || isOfItsQueues(event);
        }
        return (kinds.isEmpty() || kinds.contains(event.kind())) && isOfItsQueues(event);
    }

    private boolean isOfItsQueues(StreamedEvent event) {
        return queues.isEmpty()
                ? Checks.isQueue(event.queue()) && access.isFor(event.queue())
                : queues.contains(event.queue());
    }
}
