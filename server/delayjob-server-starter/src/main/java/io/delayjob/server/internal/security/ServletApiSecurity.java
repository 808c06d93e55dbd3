package io.delayjob.server.internal.security;

import io.delayjob.server.internal.servlet.ServletProblems;
import io.delayjob.server.internal.servlet.ServletRoute;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.ObjectPostProcessor;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.oauth2.server.resource.web.authentication.BearerTokenAuthenticationFilter;
import org.springframework.security.web.SecurityFilterChain;

/** Spring Security's chain of the API on a servlet container: JSON Web Tokens as bearers, no session, hence nothing that CSRF could use. */
@Configuration(proxyBeanMethods = false)
public class ServletApiSecurity {

    /** Before Boot's, which is for all paths. */
    @Bean
    @Order(Ordered.LOWEST_PRECEDENCE - 100)
    SecurityFilterChain delayJobApiSecurity(HttpSecurity http) {
        return http.securityMatcher(ServletRoute::isToApi)
                .csrf(AbstractHttpConfigurer::disable)
                .logout(AbstractHttpConfigurer::disable)
                .requestCache(AbstractHttpConfigurer::disable)
                .sessionManagement(session -> session.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
                // PrincipalFilter refuses who is not authenticated, because it knows who has a token instead.
                .authorizeHttpRequests(all -> all.anyRequest().permitAll())
                .oauth2ResourceServer(
                        server -> server.jwt(Customizer.withDefaults()).withObjectPostProcessor(new Refusing()))
                .build();
    }

    private static final class Refusing implements ObjectPostProcessor<BearerTokenAuthenticationFilter> {

        @Override
        public <F extends BearerTokenAuthenticationFilter> F postProcess(F filter) {
            filter.setAuthenticationFailureHandler((request, response, failure) -> {
                if (ServletRoute.isToProtocol(request)) {
                    goOnUnknown(request, response);
                } else {
                    ServletProblems.write(response, Refusals.of(failure));
                }
            });
            return filter;
        }

        /** The routes of a protocol refuse whom nobody knows, in the shape of the protocol. */
        private static void goOnUnknown(HttpServletRequest request, HttpServletResponse response)
                throws ServletException, IOException {
            String servlet = request.getHttpServletMapping().getServletName();
            request.getServletContext().getNamedDispatcher(servlet).forward(request, response);
        }
    }
}
