package io.delayjob.server.app;

import io.delayjob.server.autoconfigure.ApiSecurity;
import java.util.List;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.security.config.annotation.web.reactive.EnableWebFluxSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.web.server.SecurityWebFilterChain;

/** Spring Security, where a property says whose JSON Web Tokens to believe. What needs no token without it needs none with it. */
@Configuration(proxyBeanMethods = false)
@Conditional(WebTokens.Configured.class)
@EnableWebFluxSecurity
@Import(ApiSecurity.class)
class WebTokens {

    @Bean
    @Order(Ordered.LOWEST_PRECEDENCE)
    SecurityWebFilterChain openRoutes(ServerHttpSecurity http) {
        return http.csrf(ServerHttpSecurity.CsrfSpec::disable)
                .headers(ServerHttpSecurity.HeaderSpec::disable)
                .httpBasic(ServerHttpSecurity.HttpBasicSpec::disable)
                .formLogin(ServerHttpSecurity.FormLoginSpec::disable)
                .logout(ServerHttpSecurity.LogoutSpec::disable)
                .authorizeExchange(all -> all.anyExchange().permitAll())
                .build();
    }

    /** Matches if such a property is set. */
    static final class Configured extends SpringBootCondition {

        private static final String PREFIX = "spring.security.oauth2.resourceserver.jwt.";
        private static final List<String> ISSUERS = List.of("issuer-uri", "jwk-set-uri", "public-key-location");

        @Override
        public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
            boolean set =
                    ISSUERS.stream().anyMatch(name -> context.getEnvironment().containsProperty(PREFIX + name));
            return new ConditionOutcome(
                    set, ConditionMessage.forCondition("Issuer").because(PREFIX + "*"));
        }
    }
}
