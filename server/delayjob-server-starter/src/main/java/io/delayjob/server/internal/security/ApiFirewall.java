package io.delayjob.server.internal.security;

import io.delayjob.server.web.Api;
import org.springframework.security.web.server.firewall.ServerWebExchangeFirewall;
import org.springframework.security.web.server.firewall.StrictServerWebExchangeFirewall;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * Spring Security's firewall, except for the API: ids of jobs may contain any character, and the routes decode a path only after it is split
 * at its slashes.
 */
public final class ApiFirewall implements ServerWebExchangeFirewall {

    private final ServerWebExchangeFirewall strict = new StrictServerWebExchangeFirewall();

    @Override
    public Mono<ServerWebExchange> getFirewalledExchange(ServerWebExchange exchange) {
        return Api.serves(exchange) ? Mono.just(exchange) : strict.getFirewalledExchange(exchange);
    }
}
