package io.delayjob.server.tokens;

import io.delayjob.server.internal.access.Token;
import io.delayjob.server.limits.Limits;
import io.delayjob.server.web.Body;
import io.delayjob.support.Checks;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How a token is rotated.
 *
 * @param keep how long the old one is valid beside the new one; not at all if left out
 * @param requestsPerSecond how many requests each server takes a second; as before if left out
 * @param bytesPerSecond how many bytes of bodies each server takes a second; as before if left out
 */
public record RotateBody(
        @Nullable Duration keep,
        @Nullable Integer requestsPerSecond,
        @Nullable Long bytesPerSecond) implements Body {

    /** The new one replaces the old one at once, with its limits. */
    public static final RotateBody NONE = new RotateBody(null, null, null);

    Duration kept() {
        return keep == null ? Duration.ZERO : Checks.notNegative(keep, "keep");
    }

    Token next(Token old) {
        Limits limits = new Limits(requestsPerSecond, bytesPerSecond).or(old.limits());
        return new Token(old.name(), old.roles(), old.queues(), Instant.now(), old.expiresAt(), limits);
    }
}
