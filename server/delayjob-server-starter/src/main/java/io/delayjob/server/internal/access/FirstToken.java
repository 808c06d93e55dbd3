package io.delayjob.server.internal.access;

import io.delayjob.server.Grant;
import io.delayjob.server.Role;
import io.delayjob.server.limits.Limits;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/** Sees to it that there is a token to begin with: that of the property, or else, where there is none at all, one that is printed once. */
public final class FirstToken implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(FirstToken.class);
    private static final String NAME = "admin";

    /** Between two tries, the first time and at most. */
    private static final Duration PAUSE = Duration.ofMillis(200);

    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    private final TokenStore tokens;
    private final @Nullable String configured;
    /** One for all tries, so that one whose answer was lost is known again by the next, and printed. */
    private final String printed = Secrets.create();

    private volatile boolean made;
    private volatile Disposable tries = Disposables.disposed();

    /**
     * The first token of a store.
     *
     * @param configured the token that {@code delayjob.server.admin-token} sets; null for none
     */
    public FirstToken(TokenStore tokens, @Nullable String configured) {
        this.tokens = tokens;
        this.configured = configured;
    }

    /** Whether it is stored, or was not needed. Before that, no token is known to be valid. */
    boolean isMade() {
        return made;
    }

    /** Whether a token is that of the property, which is stored again at each start. */
    public boolean isConfigured(String digest) {
        return configured != null && Secrets.digest(configured).equals(digest);
    }

    /** Stores it; fails if Redis does not answer. */
    public void make() {
        ensure().join();
    }

    /** Stores it, as soon as Redis answers; waits for nothing. */
    public void makeWhenRedisAnswers() {
        tries = Mono.fromFuture(this::ensure)
                .retryWhen(Retry.backoff(Long.MAX_VALUE, PAUSE)
                        .maxBackoff(LONGEST_PAUSE)
                        .doBeforeRetry(FirstToken::report))
                .subscribe();
    }

    private static void report(Retry.RetrySignal failed) {
        if (failed.totalRetries() == 0) {
            log.warn(
                    "the tokens cannot be read; until Redis answers, requests are answered with 503: {}",
                    failed.failure().getMessage());
        }
    }

    /** The valid token of a digest; empty if there is none. If Redis has lost all tokens, this one is stored again first. */
    CompletableFuture<Optional<Token>> find(String digest) {
        return tokens.find(digest)
                .thenCompose(
                        found -> found.isPresent() ? CompletableFuture.completedFuture(found) : unlessLost(digest));
    }

    private CompletableFuture<Optional<Token>> unlessLost(String digest) {
        return tokens.isEmpty()
                .thenCompose(lost -> lost
                        ? ensure().thenCompose(stored -> tokens.find(digest))
                        : CompletableFuture.completedFuture(Optional.empty()));
    }

    private CompletableFuture<Void> ensure() {
        return tokens.all()
                .thenCompose(all -> configured == null ? orPrinted(all) : configured(configured, all))
                .thenAccept(stored -> made = true);
    }

    private CompletableFuture<Void> orPrinted(Map<String, Token> all) {
        return all.containsKey(Secrets.digest(printed))
                ? print()
                : tokens.isEmpty().thenCompose(none -> none ? print() : CompletableFuture.<Void>completedFuture(null));
    }

    private CompletableFuture<Void> print() {
        return tokens.add(printed, admin())
                .thenAccept(added -> log.info(
                        "made the first token, which may do everything; it is shown only now, so note it: {}",
                        printed));
    }

    /** A token that the property named before is no longer valid. */
    private CompletableFuture<Void> configured(String secret, Map<String, Token> all) {
        String digest = Secrets.digest(secret);
        List<String> former = all.entrySet().stream()
                .filter(entry -> entry.getValue().name().equals(NAME))
                .map(Map.Entry::getKey)
                .filter(other -> !other.equals(digest))
                .toList();
        CompletableFuture<?> removed =
                former.isEmpty() ? CompletableFuture.completedFuture(null) : tokens.remove(former);
        return removed.thenCompose(done -> tokens.add(secret, admin())).thenAccept(added -> {});
    }

    private static Token admin() {
        return new Token(NAME, Set.of(Role.ADMIN), Grant.ALL_QUEUES, Instant.now(), null, Limits.DEFAULT);
    }

    /** Tries no more. */
    @Override
    public void close() {
        tries.dispose();
    }
}
