package io.delayjob.server.tokens;

import io.delayjob.server.Access;
import io.delayjob.server.Role;
import io.delayjob.server.internal.access.FirstToken;
import io.delayjob.server.internal.access.Secrets;
import io.delayjob.server.internal.access.Token;
import io.delayjob.server.internal.access.TokenStore;
import io.delayjob.server.web.Problem;
import io.delayjob.support.Checks;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import reactor.core.publisher.Mono;

/**
 * Makes, lists, rotates and revokes tokens. Each method is for admins of all queues; it throws a 403 for all others, as an {@link
 * org.springframework.web.ErrorResponseException}.
 */
public final class Tokens {

    private final TokenStore tokens;
    private final FirstToken first;

    Tokens(TokenStore tokens, FirstToken first) {
        this.tokens = tokens;
        this.first = first;
    }

    /**
     * Lists all tokens.
     *
     * @param access the rights of the caller
     * @return the tokens, by name
     */
    public Mono<List<TokenView>> list(Access access) {
        access.requireForAll(Role.ADMIN);
        return Mono.fromFuture(tokens::all)
                .map(all -> all.values().stream()
                        .sorted(Comparator.comparing(Token::name).thenComparing(Token::createdAt))
                        .map(TokenView::of)
                        .toList());
    }

    /**
     * Makes a token.
     *
     * @param access the rights of the caller
     * @param body the token to make
     * @return the token with its secret; fails with 409 if there is one of that name
     */
    public Mono<TokenView> create(Access access, TokenBody body) {
        access.requireForAll(Role.ADMIN);
        Token token = body.token();
        return named(token.name())
                .filter(Map::isEmpty)
                .switchIfEmpty(Mono.error(() -> Problem.TOKEN_EXISTS.with(
                        "there is a token '%s'; rotate it, or revoke it first".formatted(token.name()))))
                .flatMap(none -> add(token));
    }

    /**
     * Replaces a token by a new one of the same name, roles and queues.
     *
     * @param access the rights of the caller
     * @param name the name of the token
     * @param body how it is replaced
     * @return the new token with its secret; fails with 404 if there is none of that name, 403 if a property sets it
     */
    public Mono<TokenView> rotate(Access access, String name, RotateBody body) {
        access.requireForAll(Role.ADMIN);
        Duration keep = body.kept();
        return replaceable(name).flatMap(old -> {
            Token newest = old.values().stream()
                    .max(Comparator.comparing(Token::createdAt))
                    .orElseThrow();
            Token next = body.next(newest);
            Map<String, Token> kept = endingAt(next.createdAt().plus(keep), old);
            return add(next).delayUntil(made -> keep.isZero() ? remove(old) : replace(kept));
        });
    }

    private Mono<Long> remove(Map<String, Token> old) {
        return Mono.fromFuture(() -> tokens.remove(old.keySet()));
    }

    /** The tokens that would outlive a time, ending then. */
    private static Map<String, Token> endingAt(Instant end, Map<String, Token> old) {
        return old.entrySet().stream()
                .filter(entry -> entry.getValue().isValid(end))
                .collect(Collectors.toMap(
                        Map.Entry::getKey, entry -> entry.getValue().expiringAt(end)));
    }

    private Mono<Void> replace(Map<String, Token> kept) {
        return Mono.when(kept.entrySet().stream()
                .map(entry -> Mono.fromFuture(() -> tokens.replace(entry.getKey(), entry.getValue())))
                .toList());
    }

    /**
     * Revokes a token.
     *
     * @param access the rights of the caller
     * @param name the name of the token
     * @return completes when it is revoked; fails with 404 if there is none of that name, 403 if a property sets it
     */
    public Mono<Void> revoke(Access access, String name) {
        access.requireForAll(Role.ADMIN);
        return replaceable(name).flatMap(this::remove).then();
    }

    private Mono<TokenView> add(Token token) {
        String secret = Secrets.create();
        return Mono.fromFuture(() -> tokens.add(secret, token)).thenReturn(TokenView.of(token, secret));
    }

    private Mono<Map<String, Token>> existing(String name) {
        return named(name)
                .filter(all -> !all.isEmpty())
                .switchIfEmpty(
                        Mono.error(() -> Problem.NO_SUCH_TOKEN.with("there is no token named " + Checks.shown(name))));
    }

    /** The token of the property would be valid again after the next start of a server, and is what Redis is given if it has lost all. */
    private Mono<Map<String, Token>> replaceable(String name) {
        return existing(name)
                .filter(all -> all.keySet().stream().noneMatch(first::isConfigured))
                .switchIfEmpty(Mono.error(() -> Problem.FORBIDDEN.with(
                        "token '%s' is that of delayjob.server.admin-token, so it can be neither revoked nor rotated here; change or remove the property and start the servers again"
                                .formatted(name))));
    }

    private Mono<Map<String, Token>> named(String name) {
        return Mono.fromFuture(tokens::all)
                .map(all -> all.entrySet().stream()
                        .filter(entry -> entry.getValue().name().equals(name))
                        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
    }
}
