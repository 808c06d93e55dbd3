package io.delayjob.server.internal.access;

import io.delayjob.DelayJobException;
import io.delayjob.server.Access;
import io.delayjob.server.Grant;
import io.delayjob.server.internal.limits.Address;
import io.delayjob.server.web.Api;
import io.delayjob.server.web.Problem;
import io.delayjob.server.web.Problems;
import io.github.bucket4j.TimeMeter;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.web.ErrorResponseException;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/**
 * Tells the routes of the API what the caller may do, by its token. Answers 401 without a valid token, unless Spring Security decides about
 * requests without one.
 */
@Order(FilterOrder.TOKEN)
public final class AccessFilter implements WebFilter {

    private static final Logger log = LoggerFactory.getLogger(AccessFilter.class);

    private final TokenStore tokens;
    private final Logins logins;
    private final boolean alone;

    /**
     * A filter that asks a store.
     *
     * @param first finds the token of a request
     * @param failuresPerMinute how many wrong tokens of an address are looked for in a minute
     * @param alone whether these tokens alone decide; if not, a request without one is left to Spring Security
     */
    public AccessFilter(TokenStore tokens, FirstToken first, int failuresPerMinute, boolean alone) {
        this.tokens = tokens;
        this.logins = new Logins(first::find, tokens::findAmongAll, failuresPerMinute, TimeMeter.SYSTEM_NANOTIME);
        this.alone = alone;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        if (!Api.serves(exchange) || exchange.getAttribute(Access.ATTRIBUTE) != null) {
            return chain.filter(exchange);
        }
        String secret = secret(exchange);
        if (secret.isEmpty()) {
            return without(exchange, chain, "send the header Authorization: Bearer <token>");
        }
        return Mono.fromFuture(() -> logins.find(secret, Address.of(exchange)))
                .map(found -> found.map(token -> allow(exchange, chain, access(token, secret)))
                        .orElseGet(() -> without(exchange, chain, "the token is unknown, revoked or expired")))
                .onErrorResume(
                        ErrorResponseException.class, refused -> Mono.just(Problems.write(exchange, refused.getBody())))
                .onErrorResume(DelayJobException.class, failure -> {
                    log.warn("{}", failure.getMessage());
                    return Mono.just(Problems.write(exchange, Problem.redisUnavailable(failure)));
                })
                .flatMap(answer -> answer);
    }

    /** A sign-in begins with a blank, which no token does. */
    private String secret(ServerWebExchange exchange) {
        String secret = Bearer.secret(exchange.getRequest().getHeaders().getFirst(HttpHeaders.AUTHORIZATION), alone);
        String signIn = exchange.getAttribute(Access.UNKNOWN_SIGN_IN);
        return secret.isEmpty() && signIn != null ? " " + signIn : secret;
    }

    private Mono<Void> without(ServerWebExchange exchange, WebFilterChain chain, String detail) {
        return alone ? Problems.write(exchange, Problem.UNAUTHENTICATED.detail(detail)) : chain.filter(exchange);
    }

    private Access access(Token token, String secret) {
        return new Access(
                "token '" + token.name() + "'",
                new Grant(token.roles(), token.queues()),
                token.limits(),
                () -> tokens.find(Secrets.digest(secret)).thenApply(Optional::isPresent),
                null);
    }

    /** The token is hidden from what follows, such as a filter of Spring Security, which would refuse it. */
    private Mono<Void> allow(ServerWebExchange exchange, WebFilterChain chain, Access access) {
        exchange.getAttributes().put(Access.ATTRIBUTE, access);
        return chain.filter(withoutToken(exchange));
    }

    private static ServerWebExchange withoutToken(ServerWebExchange exchange) {
        return exchange.mutate()
                .request(request -> request.headers(headers -> headers.remove(HttpHeaders.AUTHORIZATION)))
                .build();
    }
}
