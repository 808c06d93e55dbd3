package io.delayjob.server.internal.access;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.delayjob.server.internal.limits.Address;
import io.delayjob.server.limits.Limits;
import io.delayjob.server.limits.Rate;
import io.delayjob.server.web.Problem;
import io.github.bucket4j.TimeMeter;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.ProblemDetail;

/**
 * Finds the tokens of requests. After too many wrong ones from an address, further ones from there are for a while looked for among all tokens,
 * which are read once a second: Redis is not asked for each, and a valid token is still found.
 */
final class Logins {

    private static final Logger log = LoggerFactory.getLogger(Logins.class);

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final int MOST = 50_000;

    /** How many wrong tokens of all addresses are logged in a minute; one of each address. */
    private static final int LOGGED = 60;

    private final Function<String, CompletableFuture<Optional<Token>>> tokens;
    private final Function<String, CompletableFuture<Optional<Token>>> amongAll;
    private final int failuresPerMinute;
    private final TimeMeter clock;
    /** By address. A rate is full again after a minute, and not worth keeping. */
    private final Cache<String, Rate> tries =
            Caffeine.newBuilder().expireAfterAccess(MINUTE).maximumSize(MOST).build();
    /** The addresses of which a wrong token was logged within the last minute. */
    private final Cache<String, Boolean> logged;

    private final Rate logs;

    /**
     * Logins.
     *
     * @param tokens finds the valid token of a digest
     * @param amongAll does the same at a cost that does not grow with the number of digests
     * @param failuresPerMinute how many wrong tokens of an address are looked for in a minute
     */
    Logins(
            Function<String, CompletableFuture<Optional<Token>>> tokens,
            Function<String, CompletableFuture<Optional<Token>>> amongAll,
            int failuresPerMinute,
            TimeMeter clock) {
        this.tokens = tokens;
        this.amongAll = amongAll;
        this.failuresPerMinute = failuresPerMinute;
        this.clock = clock;
        this.logged = Caffeine.newBuilder()
                .expireAfterWrite(MINUTE)
                .ticker(clock::currentTimeNanos)
                .maximumSize(MOST)
                .build();
        this.logs = new Rate(LOGGED, MINUTE, LOGGED, clock);
    }

    /**
     * The valid token of a secret; empty if there is none.
     *
     * @param address where it came from
     * @return fails with a {@link org.springframework.web.ErrorResponseException} 429 if too many wrong ones came from there
     */
    CompletableFuture<Optional<Token>> find(String secret, Address address) {
        String digest = Secrets.digest(secret);
        Rate left = tries.get(address.network(), from -> new Rate(failuresPerMinute, MINUTE, failuresPerMinute, clock));
        long wait = left.look();
        if (wait > 0) {
            return amongAll.apply(digest)
                    .thenApply(found -> Optional.of(found.orElseThrow(() -> Problem.thrown(tooMany(wait)))));
        }
        return tokens.apply(digest).thenApply(found -> {
            if (found.isEmpty()) {
                left.used(1);
                log(address);
            }
            return found;
        });
    }

    private ProblemDetail tooMany(long wait) {
        return Problem.tooMany(
                "your address has sent more than the %d wrong tokens a minute that %sfailed-logins-per-minute allows; wait %d s, and send a valid one"
                        .formatted(failuresPerMinute, Limits.PROPERTIES, wait),
                wait);
    }

    private void log(Address address) {
        if (logged.asMap().putIfAbsent(address.network(), true) == null && logs.use() == 0) {
            log.warn(
                    "a token or sign-in that is unknown, revoked or expired came from {}; further ones from there are"
                            + " not logged for a minute",
                    address.shown());
        }
    }
}
