package io.delayjob.server.tokens;

import io.delayjob.server.Role;
import io.delayjob.server.internal.access.Token;
import io.delayjob.server.web.View;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A token, as it is shown.
 *
 * @param name names it for people
 * @param roles the roles that it gives
 * @param queues the queues it is for
 * @param createdAt when it was made
 * @param expiresAt from when it is no longer valid; left out for never
 * @param requestsPerSecond how many requests each server takes a second; left out for as many as of others
 * @param bytesPerSecond how many bytes of bodies each server takes a second; left out for as many as of others
 * @param token the token itself; only in the answer to the request that made it
 */
public record TokenView(
        String name,
        Set<Role> roles,
        List<String> queues,
        Instant createdAt,
        @Nullable Instant expiresAt,
        @Nullable Integer requestsPerSecond,
        @Nullable Long bytesPerSecond,
        @Nullable String token)
        implements View {

    static TokenView of(Token token) {
        return of(token, null);
    }

    static TokenView of(Token token, @Nullable String secret) {
        return new TokenView(
                token.name(),
                token.roles(),
                token.queues(),
                token.createdAt(),
                token.expiresAt(),
                token.limits().requestsPerSecond(),
                token.limits().bytesPerSecond(),
                secret);
    }

    /** Without the token. */
    @Override
    public String toString() {
        return "TokenView[" + name + "]";
    }
}
