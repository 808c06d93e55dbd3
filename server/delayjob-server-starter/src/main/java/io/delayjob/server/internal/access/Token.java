package io.delayjob.server.internal.access;

import io.delayjob.server.Grant;
import io.delayjob.server.Role;
import io.delayjob.server.limits.Limits;
import io.delayjob.support.Checks;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The stored record of a token. The token itself is not stored: only its digest, which is the key of the record.
 *
 * @param name names it for people; tokens of one name replace each other
 * @param roles the roles that it gives
 * @param queues the queues it is for: names, or beginnings of names that end with {@code *}
 * @param createdAt when it was made, by the clock of the server that made it
 * @param expiresAt from when it is no longer valid; null for never
 * @param limits how much may be sent with it; {@link Limits#DEFAULT} if none were stored
 */
public record Token(
        String name,
        Set<Role> roles,
        List<String> queues,
        Instant createdAt,
        @Nullable Instant expiresAt,
        Limits limits) {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if one is not allowed; the message names it
     */
    public Token {
        if (!NAME.matcher(name).matches() || Checks.isDots(name)) {
            throw new IllegalArgumentException(
                    "name must be 1 to 64 of A-Z a-z 0-9 . _ -, and neither . nor ..: " + Checks.shown(name));
        }
        if (roles.isEmpty()) {
            throw new IllegalArgumentException("roles must name at least one of submit, work, read, operate, admin");
        }
        if (queues.isEmpty()) {
            throw new IllegalArgumentException("queues must name at least one; leave it out for all");
        }
        Checks.ifGiven(expiresAt, end -> Checks.dueAt(end, "the end of the token"));
        Grant grant = new Grant(roles, queues);
        roles = grant.roles();
        queues = grant.queues();
        // A token of an older release is stored without them.
        limits = Objects.requireNonNullElse(limits, Limits.DEFAULT);
    }

    public boolean isValid(Instant now) {
        return expiresAt == null || now.isBefore(expiresAt);
    }

    public Token expiringAt(Instant end) {
        return new Token(name, roles, queues, createdAt, end, limits);
    }
}
