package io.delayjob.server.internal.access;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sees to it that there is a token to begin with: that of the property, or else, where there is none at all, one that is printed once. */
public final class FirstToken {

    private static final Logger log = LoggerFactory.getLogger(FirstToken.class);
    private static final String NAME = "admin";

    private final TokenStore tokens;
    private final @Nullable String configured;

    /**
     * The first token of a store.
     *
     * @param configured the token that {@code delayjob.server.admin-token} sets; null for none
     */
    public FirstToken(TokenStore tokens, @Nullable String configured) {
        this.tokens = tokens;
        this.configured = configured;
    }

    /** Stores it. */
    public CompletableFuture<Void> ensure() {
        return tokens.all().thenCompose(all -> configured == null ? orPrinted(all) : configured(configured, all));
    }

    private CompletableFuture<Void> orPrinted(Map<String, Token> all) {
        if (!all.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        String secret = Secrets.create();
        return tokens.add(secret, admin())
                .thenAccept(added -> log.info(
                        "made the first token, which may do everything; it is shown only now, so note it: {}", secret));
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
        return new Token(NAME, Set.of(Role.ADMIN), Token.ALL_QUEUES, Instant.now(), null);
    }
}
