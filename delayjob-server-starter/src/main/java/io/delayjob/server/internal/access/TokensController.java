package io.delayjob.server.internal.access;

import io.delayjob.server.Access;
import io.delayjob.server.Role;
import io.delayjob.server.internal.web.ApiController;
import io.delayjob.server.limits.Limits;
import io.delayjob.server.web.Body;
import io.delayjob.server.web.Problem;
import io.delayjob.server.web.View;
import io.delayjob.support.Checks;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import reactor.core.publisher.Mono;

/** Makes, lists, rotates and revokes tokens: of all queues, so for who is for all of them. */
@ApiController
@RequestMapping("/tokens")
public final class TokensController {

    private final TokenStore tokens;
    private final FirstToken first;

    /** All tokens. */
    public record TokensView(List<TokenView> tokens) implements View {}

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

        private static final RotateBody NONE = new RotateBody(null, null, null);

        Duration kept() {
            return keep == null ? Duration.ZERO : Checks.notNegative(keep, "keep");
        }

        Token next(Token old) {
            Limits before = old.limits() == null ? Limits.DEFAULT : old.limits();
            Limits limits = new Limits(requestsPerSecond, bytesPerSecond).or(before);
            return new Token(old.name(), old.roles(), old.queues(), Instant.now(), old.expiresAt(), limits);
        }
    }

    /** Routes over a store, and the token that began it. */
    public TokensController(TokenStore tokens, FirstToken first) {
        this.tokens = tokens;
        this.first = first;
    }

    @GetMapping(name = "listTokens")
    public Mono<TokensView> list(@RequestAttribute(Access.ATTRIBUTE) Access access) {
        access.requireForAll(Role.ADMIN);
        return Mono.fromFuture(tokens::all)
                .map(all -> new TokensView(all.values().stream()
                        .sorted(Comparator.comparing(Token::name).thenComparing(Token::createdAt))
                        .map(TokenView::of)
                        .toList()));
    }

    @PostMapping(name = "createToken")
    @ResponseStatus(HttpStatus.CREATED)
    public Mono<TokenView> create(@RequestAttribute(Access.ATTRIBUTE) Access access, @RequestBody TokenBody body) {
        access.requireForAll(Role.ADMIN);
        Token token = body.token();
        return named(token.name())
                .filter(Map::isEmpty)
                .switchIfEmpty(Mono.error(() -> Problem.TOKEN_EXISTS.with(
                        "there is a token '%s'; rotate it, or revoke it first".formatted(token.name()))))
                .flatMap(none -> add(token));
    }

    @PostMapping(name = "rotateToken", path = "/{name}/rotate")
    @ResponseStatus(HttpStatus.CREATED)
    public Mono<TokenView> rotate(
            @RequestAttribute(Access.ATTRIBUTE) Access access,
            @PathVariable String name,
            @RequestBody(required = false) @Nullable RotateBody body) {
        access.requireForAll(Role.ADMIN);
        RotateBody asked = body == null ? RotateBody.NONE : body;
        Duration keep = asked.kept();
        return replaceable(name).flatMap(old -> {
            Token newest = old.values().stream()
                    .max(Comparator.comparing(Token::createdAt))
                    .orElseThrow();
            Token next = asked.next(newest);
            return add(next)
                    .delayUntil(made ->
                            keep.isZero() ? remove(old) : endAt(next.createdAt().plus(keep), old));
        });
    }

    private Mono<Long> remove(Map<String, Token> old) {
        return Mono.fromFuture(() -> tokens.remove(old.keySet()));
    }

    private Mono<Void> endAt(Instant end, Map<String, Token> old) {
        return Mono.when(old.entrySet().stream()
                .filter(entry -> entry.getValue().isValid(end))
                .map(entry -> Mono.fromFuture(
                        () -> tokens.replace(entry.getKey(), entry.getValue().expiringAt(end))))
                .toList());
    }

    @DeleteMapping(name = "revokeToken", path = "/{name}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    public Mono<Void> revoke(@RequestAttribute(Access.ATTRIBUTE) Access access, @PathVariable String name) {
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
