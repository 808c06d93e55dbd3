package io.delayjob.server.internal.access;

import com.github.benmanes.caffeine.cache.AsyncLoadingCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.delayjob.redisson.autoconfigure.DelayJobRedis;
import io.delayjob.server.redis.ServerRedis;
import io.delayjob.server.web.ServerJson;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.redisson.api.RMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;

/** The tokens, in one hash of Redis that all servers share. What was read is believed for a second, so a revoked one works no longer than that. */
public final class TokenStore {

    private static final Logger log = LoggerFactory.getLogger(TokenStore.class);
    private static final Duration FRESH = Duration.ofSeconds(1);
    private static final int MOST_CACHED = 10_000;

    private final ServerRedis redis;
    private final RMap<String, String> tokens;
    private final AsyncLoadingCache<String, Optional<Token>> cache = Caffeine.newBuilder()
            .expireAfterWrite(FRESH)
            .maximumSize(MOST_CACHED)
            .buildAsync((digest, executor) -> load(digest));
    /** All tokens, by digest, as its only entry. */
    private final AsyncLoadingCache<String, Map<String, Token>> allTokens =
            Caffeine.newBuilder().expireAfterWrite(FRESH).buildAsync((only, executor) -> all());

    /** The digests of tokens that cannot be read; each is logged once. */
    private final Set<String> unreadable = ConcurrentHashMap.newKeySet();

    /** The tokens of a Redis. */
    public TokenStore(ServerRedis redis) {
        this.redis = redis;
        this.tokens = redis.client().getMap(redis.key("tokens"), DelayJobRedis.TEXT);
    }

    /** The valid token of a digest; empty if there is none. */
    CompletableFuture<Optional<Token>> find(String digest) {
        return cache.get(digest).thenApply(found -> found.filter(token -> token.isValid(Instant.now())));
    }

    /** The valid token of a digest, looked for among all tokens: Redis is asked for these once a second, however many digests are looked for. */
    CompletableFuture<Optional<Token>> findAmongAll(String digest) {
        return allTokens
                .get("")
                .thenApply(all -> Optional.ofNullable(all.get(digest)).filter(token -> token.isValid(Instant.now())));
    }

    private CompletableFuture<Optional<Token>> load(String digest) {
        return redis.ask(() -> tokens.getAsync(digest))
                .thenApply(text -> Optional.ofNullable(text).flatMap(stored -> read(digest, stored)));
    }

    /** All tokens, by their digests; one that cannot be read is left out, so that it keeps no other from being valid. */
    public CompletableFuture<Map<String, Token>> all() {
        return redis.ask(() -> tokens.readAllMapAsync()).thenApply(this::readable);
    }

    private Map<String, Token> readable(Map<String, String> all) {
        Map<String, Token> readable = new HashMap<>();
        all.forEach((digest, text) -> read(digest, text).ifPresent(token -> readable.put(digest, token)));
        return readable;
    }

    /** Whether Redis has no token at all. */
    CompletableFuture<Boolean> isEmpty() {
        return redis.ask(() -> tokens.sizeAsync()).thenApply(size -> size == 0);
    }

    /** Stores a token; false if there is one of that secret. */
    public CompletableFuture<Boolean> add(String secret, Token token) {
        String digest = Secrets.digest(secret);
        return redis.ask(() -> tokens.fastPutIfAbsentAsync(digest, write(token)))
                .thenApply(added -> {
                    cache.synchronous().invalidate(digest);
                    return added;
                });
    }

    public CompletableFuture<Boolean> replace(String digest, Token token) {
        return redis.ask(() -> tokens.fastReplaceAsync(digest, write(token)));
    }

    public CompletableFuture<Long> remove(Collection<String> digests) {
        digests.forEach(digest -> cache.synchronous().invalidate(digest));
        return redis.ask(() -> tokens.fastRemoveAsync(digests.toArray(String[]::new)));
    }

    private Optional<Token> read(String digest, String text) {
        try {
            return Optional.of(ServerJson.stored().readValue(text, Token.class));
        } catch (JacksonException e) {
            if (unreadable.add(digest)) {
                log.warn(
                        "the stored token of the digest {} cannot be read, so it is not valid: {}",
                        digest,
                        e.getOriginalMessage());
            }
            return Optional.empty();
        }
    }

    private static String write(Token token) {
        return ServerJson.mapper().writeValueAsString(token);
    }
}
