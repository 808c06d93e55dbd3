package io.delayjob.server.app;

import io.delayjob.server.Access;
import io.delayjob.server.Role;
import io.delayjob.server.web.Api;
import io.delayjob.server.web.Problem;
import io.delayjob.server.web.Problems;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.http.HttpMethod;
import org.springframework.http.server.PathContainer;
import org.springframework.web.ErrorResponseException;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * Asks for a token, as the API does, at the endpoints of the actuator, because metrics name topics and queues. Health needs none, and neither does a
 * port that is the actuator's own: that is for whoever may reach it.
 */
@Configuration(proxyBeanMethods = false)
class ManagementAccess {

    private final PathPattern all;
    private final List<PathPattern> open;

    ManagementAccess(Environment environment) {
        String base = environment.getProperty("management.endpoints.web.base-path", "/actuator");
        this.all = pattern(base + "/**");
        this.open = List.of(pattern(base + "/health/**"));
    }

    private static PathPattern pattern(String text) {
        return PathPatternParser.defaultInstance.parse(text);
    }

    private boolean isClosed(ServerWebExchange exchange) {
        PathContainer path = exchange.getRequest().getPath().pathWithinApplication();
        return all.matches(path) && open.stream().noneMatch(one -> one.matches(path));
    }

    /** Has the filters of the API find out who calls. */
    @Bean
    @Order(Ordered.HIGHEST_PRECEDENCE)
    WebFilter managementCallers() {
        return (exchange, chain) -> {
            if (isClosed(exchange)) {
                Api.serve(exchange);
            }
            return chain.filter(exchange);
        };
    }

    /** Refuses who has not the role. */
    @Bean
    @Order
    WebFilter managementRoles() {
        return (exchange, chain) -> {
            try {
                if (isClosed(exchange)) {
                    check(exchange);
                }
                return chain.filter(exchange);
            } catch (ErrorResponseException refused) {
                return Problems.write(exchange, refused.getBody());
            }
        };
    }

    private static void check(ServerWebExchange exchange) {
        Access access = exchange.getAttribute(Access.ATTRIBUTE);
        if (access == null) {
            throw Problem.UNAUTHENTICATED.with("send the header Authorization: Bearer <token>");
        }
        access.requireForAll(HttpMethod.GET.equals(exchange.getRequest().getMethod()) ? Role.READ : Role.ADMIN);
    }
}
