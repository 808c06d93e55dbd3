package io.delayjob.server.internal.access;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.delayjob.server.limits.Limits;
import io.delayjob.server.limits.Rate;
import io.delayjob.server.web.Problem;
import io.github.bucket4j.TimeMeter;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the tokens of requests. After too many wrong ones from an address, it looks for none of that address any more, for a while; but for
 * one that was valid a moment ago it always does, because many callers may come by one address, that of a proxy.
 */
final class Logins {

    private static final Logger log = LoggerFactory.getLogger(Logins.class);

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration REMEMBERED = Duration.ofMinutes(10);
    private static final int MOST = 50_000;

    /** How many wrong tokens of all addresses are logged in a minute; one of each address. */
    private static final int LOGGED = 60;

    /** The part of an IPv6 address that is its network's; the rest its owner may choose. */
    private static final int NETWORK = 8;

    private final Function<String, CompletableFuture<Optional<Token>>> tokens;
    private final int failuresPerMinute;
    private final TimeMeter clock;
    /** By address. A rate is full again after a minute, and not worth keeping. */
    private final Cache<String, Rate> tries =
            Caffeine.newBuilder().expireAfterAccess(MINUTE).maximumSize(MOST).build();
    /** The addresses of which a wrong token was logged within the last minute. */
    private final Cache<String, Boolean> logged;

    private final Rate logs;

    /** Digests of tokens that were valid. */
    private final Cache<String, Boolean> valid = Caffeine.newBuilder()
            .expireAfterAccess(REMEMBERED)
            .maximumSize(MOST)
            .build();

    /**
     * Logins.
     *
     * @param tokens finds the valid token of a digest
     * @param failuresPerMinute how many wrong tokens of an address are looked for in a minute
     */
    Logins(Function<String, CompletableFuture<Optional<Token>>> tokens, int failuresPerMinute, TimeMeter clock) {
        this.tokens = tokens;
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
     * @param address where it came from; null if that is unknown
     * @return fails with a {@link org.springframework.web.ErrorResponseException} 429 if too many wrong ones came from there
     */
    CompletableFuture<Optional<Token>> find(String secret, @Nullable InetAddress address) {
        String digest = Secrets.digest(secret);
        if (valid.getIfPresent(digest) != null) {
            return tokens.apply(digest).thenApply(found -> remember(digest, found));
        }
        String place = place(address);
        Rate left = tries.get(place, from -> new Rate(failuresPerMinute, MINUTE, failuresPerMinute, clock));
        long wait = left.look();
        if (wait > 0) {
            return CompletableFuture.failedFuture(Problem.thrown(Problem.tooMany(
                    "your address has sent more than the %d wrong tokens a minute that %sfailed-logins-per-minute allows; wait %d s, and send a valid one"
                            .formatted(failuresPerMinute, Limits.PROPERTIES, wait),
                    wait)));
        }
        return tokens.apply(digest).thenApply(found -> {
            if (found.isEmpty()) {
                left.used(1);
                log(place, address);
            }
            return remember(digest, found);
        });
    }

    private Optional<Token> remember(String digest, Optional<Token> found) {
        if (found.isPresent()) {
            valid.put(digest, true);
        } else {
            valid.invalidate(digest);
        }
        return found;
    }

    private void log(String place, @Nullable InetAddress address) {
        if (logged.asMap().putIfAbsent(place, true) == null && logs.use() == 0) {
            log.warn(
                    "a token or sign-in that is unknown, revoked or expired came from {}; further ones from there are"
                            + " not logged for a minute",
                    address == null ? "an unknown address" : address.getHostAddress());
        }
    }

    private static String place(@Nullable InetAddress address) {
        if (address == null) {
            return "";
        }
        return address instanceof Inet6Address
                ? HexFormat.of().formatHex(Arrays.copyOf(address.getAddress(), NETWORK))
                : address.getHostAddress();
    }
}
