package io.delayjob.server.internal.access;

import io.delayjob.server.internal.web.Problem;
import io.delayjob.support.Checks;
import java.util.Arrays;
import java.util.Collection;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * What the caller of a request may do. Every route asks it first.
 *
 * @param token the caller's token
 */
public record Access(Token token) {

    /** The attribute of a request that holds it. */
    public static final String ATTRIBUTE = "delayjob.access";

    /**
     * Allows a route to those who have one of the roles, whatever their queues.
     *
     * @throws org.springframework.web.ErrorResponseException 403 if the token has none of them
     */
    public void require(Role... any) {
        if (!token.allows(any)) {
            throw Problem.FORBIDDEN.with("token '%s' needs the role %s"
                    .formatted(
                            token.name(),
                            Arrays.stream(any)
                                    .map(role -> role.name().toLowerCase(Locale.ROOT))
                                    .collect(Collectors.joining(" or "))));
        }
    }

    /**
     * Allows a route of one queue.
     *
     * @return the queue
     * @throws IllegalArgumentException if it is not the name of a queue
     * @throws org.springframework.web.ErrorResponseException 404 if the token is not for the queue, 403 if it has none of the roles
     */
    public String require(String queue, Role... any) {
        Checks.queue(queue);
        if (!token.isFor(queue)) {
            throw Problem.NO_SUCH_QUEUE.with("token '%s' knows no queue '%s'".formatted(token.name(), queue));
        }
        require(any);
        return queue;
    }

    /** The same for each of several queues. */
    public void require(Collection<String> queues, Role... any) {
        queues.forEach(queue -> require(queue, any));
    }

    /** Whether the token is for a queue. */
    public boolean isFor(String queue) {
        return token.isFor(queue);
    }
}
