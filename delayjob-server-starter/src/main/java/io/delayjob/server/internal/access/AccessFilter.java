package io.delayjob.server.internal.access;

import io.delayjob.DelayJobException;
import io.delayjob.server.internal.web.Api;
import io.delayjob.server.internal.web.Problem;
import io.delayjob.server.internal.web.Problems;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/** Answers 401 to a request of the API without a valid bearer token, and tells the routes what the others may do. */
@Order(Ordered.HIGHEST_PRECEDENCE + 100)
public final class AccessFilter implements WebFilter {

    private static final Logger log = LoggerFactory.getLogger(AccessFilter.class);
    private static final String SCHEME = "Bearer ";
    private static final int LONGEST = 512;

    private final TokenStore tokens;

    /** A filter that asks a store. */
    public AccessFilter(TokenStore tokens) {
        this.tokens = tokens;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        if (!Api.serves(exchange)) {
            return chain.filter(exchange);
        }
        String secret = secret(exchange.getRequest().getHeaders().getFirst(HttpHeaders.AUTHORIZATION));
        if (secret.isEmpty()) {
            return Problems.write(
                    exchange, Problem.UNAUTHENTICATED.detail("send the header Authorization: Bearer <token>"));
        }
        return Mono.fromFuture(() -> tokens.find(secret))
                .map(found -> found.map(token -> allow(exchange, chain, token))
                        .orElseGet(() -> Problems.write(
                                exchange, Problem.UNAUTHENTICATED.detail("the token is unknown, revoked or expired"))))
                .onErrorResume(DelayJobException.class, failure -> {
                    log.warn("{}", failure.getMessage());
                    return Mono.just(Problems.write(
                            exchange, Problem.REDIS_UNAVAILABLE.detail(failure.getMessage() + "; try again later")));
                })
                .flatMap(answer -> answer);
    }

    private static String secret(@Nullable String header) {
        if (header == null || header.length() > LONGEST || !header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return "";
        }
        return header.substring(SCHEME.length()).strip();
    }

    private static Mono<Void> allow(ServerWebExchange exchange, WebFilterChain chain, Token token) {
        exchange.getAttributes().put(Access.ATTRIBUTE, new Access(token));
        return chain.filter(exchange);
    }
}
