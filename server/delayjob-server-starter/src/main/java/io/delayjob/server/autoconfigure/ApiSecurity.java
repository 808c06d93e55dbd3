package io.delayjob.server.autoconfigure;

import io.delayjob.server.internal.security.Refusals;
import io.delayjob.server.web.Api;
import io.delayjob.server.web.Problems;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.security.web.server.context.NoOpServerSecurityContextRepository;
import org.springframework.security.web.server.util.matcher.ServerWebExchangeMatcher.MatchResult;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Spring Security's chain of the API: JSON Web Tokens as bearers, no session, hence nothing that CSRF could use. */
@Configuration(proxyBeanMethods = false)
public class ApiSecurity {

    /** Before Boot's, which is for all paths. */
    @Bean
    @Order(Ordered.LOWEST_PRECEDENCE - 100)
    SecurityWebFilterChain delayJobApiSecurity(ServerHttpSecurity http) {
        return http.securityMatcher(ApiSecurity::matches)
                .csrf(ServerHttpSecurity.CsrfSpec::disable)
                .httpBasic(ServerHttpSecurity.HttpBasicSpec::disable)
                .formLogin(ServerHttpSecurity.FormLoginSpec::disable)
                .logout(ServerHttpSecurity.LogoutSpec::disable)
                .requestCache(ServerHttpSecurity.RequestCacheSpec::disable)
                .securityContextRepository(NoOpServerSecurityContextRepository.getInstance())
                // PrincipalFilter refuses who is not authenticated, because it knows who has a token instead.
                .authorizeExchange(all -> all.anyExchange().permitAll())
                .oauth2ResourceServer(server -> server.jwt(Customizer.withDefaults())
                        .authenticationFailureHandler((filtered, failure) -> refuse(filtered.getExchange(), failure)))
                .build();
    }

    private static Mono<MatchResult> matches(ServerWebExchange exchange) {
        return Api.serves(exchange) ? MatchResult.match() : MatchResult.notMatch();
    }

    private static Mono<Void> refuse(ServerWebExchange exchange, AuthenticationException failure) {
        return Problems.write(exchange, Refusals.of(failure));
    }
}
