package io.delayjob.server.internal.access;

import io.delayjob.support.Checks;
import java.time.Instant;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What is stored of a token. The token itself is not: only its digest, which is the key that it is stored under.
 *
 * @param name names it for people; tokens of one name replace each other
 * @param roles what it allows
 * @param queues the queues it is for: names, or beginnings of names that end with {@code *}
 * @param createdAt when it was made, by the clock of the server that made it
 * @param expiresAt from when it is no longer valid; null for never
 */
public record Token(
        String name,
        Set<Role> roles,
        List<String> queues,
        Instant createdAt,
        @Nullable Instant expiresAt) {

    /** All queues. */
    public static final List<String> ALL_QUEUES = List.of("*");

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");
    private static final Pattern QUEUES = Pattern.compile("[A-Za-z0-9._-]{0,63}\\*|[A-Za-z0-9._-]{1,64}");
    private static final int MAX_QUEUES = 100;

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if one is not allowed; the message names it
     */
    public Token {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("name must be 1 to 64 of A-Z a-z 0-9 . _ -: " + Checks.shown(name));
        }
        if (roles.isEmpty()) {
            throw new IllegalArgumentException("roles must name at least one of submit, work, read, operate, admin");
        }
        roles = Collections.unmodifiableSet(EnumSet.copyOf(roles));
        queues = List.copyOf(queues);
        if (queues.isEmpty() || queues.size() > MAX_QUEUES) {
            throw new IllegalArgumentException("queues must name 1 to " + MAX_QUEUES + " queues: " + queues.size());
        }
        queues.forEach(Token::checkQueues);
    }

    private static void checkQueues(String pattern) {
        if (!QUEUES.matcher(pattern).matches()) {
            throw new IllegalArgumentException(
                    "queues must be names of queues, or the beginning of names and *: " + Checks.shown(pattern));
        }
    }

    boolean isValid(Instant now) {
        return expiresAt == null || now.isBefore(expiresAt);
    }

    /** Whether it allows any of these. */
    boolean allows(Role... any) {
        return roles.contains(Role.ADMIN) || List.of(any).stream().anyMatch(roles::contains);
    }

    boolean isFor(String queue) {
        return queues.stream().anyMatch(pattern -> matches(pattern, queue));
    }

    private static boolean matches(String pattern, String queue) {
        return pattern.endsWith("*")
                ? queue.startsWith(pattern.substring(0, pattern.length() - 1))
                : pattern.equals(queue);
    }

    Token expiringAt(Instant end) {
        return new Token(name, roles, queues, createdAt, end);
    }
}
