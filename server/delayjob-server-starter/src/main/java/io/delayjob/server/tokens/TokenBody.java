package io.delayjob.server.tokens;

import io.delayjob.server.Grant;
import io.delayjob.server.Role;
import io.delayjob.server.internal.access.Token;
import io.delayjob.server.limits.Limits;
import io.delayjob.server.web.Body;
import io.delayjob.server.web.Required;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A token to make.
 *
 * @param name names it for people
 * @param roles the roles that it gives
 * @param queues the queues it is for: names, or beginnings of names that end with {@code *}; all if left out
 * @param expiresAt from when it is no longer valid; never if left out
 * @param requestsPerSecond how many requests each server takes a second; as it takes of others if left out
 * @param bytesPerSecond how many bytes of bodies each server takes a second; as it takes of others if left out
 */
public record TokenBody(
        @Required String name,

        @Required Set<Role> roles,

        @Nullable List<String> queues,
        @Nullable Instant expiresAt,
        @Nullable Integer requestsPerSecond,
        @Nullable Long bytesPerSecond)
        implements Body {

    Token token() {
        return new Token(
                name,
                roles,
                queues == null ? Grant.ALL_QUEUES : queues,
                Instant.now(),
                expiresAt,
                new Limits(requestsPerSecond, bytesPerSecond));
    }
}
