package io.delayjob.server.internal.security;

import io.delayjob.server.Access;
import io.delayjob.server.AccessResolver;
import io.delayjob.server.internal.access.FilterOrder;
import io.delayjob.server.web.Api;
import io.delayjob.server.web.Problem;
import io.delayjob.server.web.Problems;
import org.springframework.core.annotation.Order;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/**
 * Tells the routes of the API what the caller may do whom Spring Security has authenticated. Answers 401 to others, also where the chain
 * of Spring Security lets them pass, unless a token said it before.
 */
@Order(FilterOrder.PRINCIPAL)
public final class PrincipalFilter implements WebFilter {

    private final AccessResolver resolver;
    private final Expiry expiry;

    /** A filter that asks a resolver. */
    public PrincipalFilter(AccessResolver resolver) {
        this.resolver = resolver;
        this.expiry = Expiry.here();
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        if (!Api.serves(exchange) || exchange.getAttribute(Access.ATTRIBUTE) != null) {
            return chain.filter(exchange);
        }
        return ReactiveSecurityContextHolder.getContext()
                .mapNotNull(SecurityContext::getAuthentication)
                .filter(PrincipalFilter::isSomebody)
                .map(caller -> allow(exchange, chain, caller))
                .switchIfEmpty(Mono.fromSupplier(() -> Problems.write(
                        exchange,
                        Problem.UNAUTHENTICATED.detail(
                                "the request is not authenticated; send the header Authorization"))))
                .flatMap(answer -> answer);
    }

    private static boolean isSomebody(Authentication caller) {
        return caller.isAuthenticated()
                && caller.getName() != null
                && !(caller instanceof AnonymousAuthenticationToken);
    }

    private Mono<Void> allow(ServerWebExchange exchange, WebFilterChain chain, Authentication caller) {
        try {
            exchange.getAttributes()
                    .put(
                            Access.ATTRIBUTE,
                            Access.of(
                                    caller.getName(),
                                    resolver.resolve(caller),
                                    expiry.of(caller),
                                    Authorities.prefix(resolver)));
        } catch (IllegalArgumentException e) {
            return Problems.write(exchange, Problem.FORBIDDEN.detail(e.getMessage()));
        }
        return chain.filter(exchange);
    }
}
