package io.delayjob.server.internal.access;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.delayjob.server.internal.limits.Limits;
import io.delayjob.server.internal.limits.Rate;
import io.delayjob.server.internal.web.Problem;
import io.github.bucket4j.TimeMeter;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Finds the tokens of requests. After too many wrong ones from an address, it looks for none of that address any more, for a while; but for
 * one that was valid a moment ago it always does, because many callers may come by one address, that of a proxy.
 */
final class Logins {

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration REMEMBERED = Duration.ofMinutes(10);
    private static final int MOST = 50_000;

    /** The part of an IPv6 address that is its network's; the rest its owner may choose. */
    private static final int NETWORK = 8;

    private final FirstToken tokens;
    private final int failuresPerMinute;
    private final TimeMeter clock;
    /** By address. A rate is full again after a minute, and not worth keeping. */
    private final Cache<String, Rate> tries =
            Caffeine.newBuilder().expireAfterAccess(MINUTE).maximumSize(MOST).build();
    /** Digests of tokens that were valid. */
    private final Cache<String, Boolean> valid = Caffeine.newBuilder()
            .expireAfterAccess(REMEMBERED)
            .maximumSize(MOST)
            .build();

    /**
     * Logins.
     *
     * @param failuresPerMinute how many wrong tokens of an address are looked for in a minute
     */
    Logins(FirstToken tokens, int failuresPerMinute, TimeMeter clock) {
        this.tokens = tokens;
        this.failuresPerMinute = failuresPerMinute;
        this.clock = clock;
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
            return tokens.find(digest).thenApply(found -> remember(digest, found));
        }
        Rate left = tries.get(place(address), from -> new Rate(failuresPerMinute, MINUTE, failuresPerMinute, clock));
        long wait = left.look();
        if (wait > 0) {
            return CompletableFuture.failedFuture(Problem.thrown(Problem.tooMany(
                    "your address has sent more than the %d wrong tokens a minute that %sfailed-logins-per-minute allows; wait %d s, and send a valid one"
                            .formatted(failuresPerMinute, Limits.PROPERTIES, wait),
                    wait)));
        }
        return tokens.find(digest).thenApply(found -> {
            if (found.isEmpty()) {
                left.used(1);
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

    private static String place(@Nullable InetAddress address) {
        if (address == null) {
            return "";
        }
        return address instanceof Inet6Address
                ? HexFormat.of().formatHex(Arrays.copyOf(address.getAddress(), NETWORK))
                : address.getHostAddress();
    }
}
