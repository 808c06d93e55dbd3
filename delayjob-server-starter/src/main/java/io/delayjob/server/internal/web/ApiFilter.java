package io.delayjob.server.internal.web;

import io.delayjob.support.Checks;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.ProblemDetail;
import org.springframework.http.server.PathContainer;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;
import reactor.core.publisher.Mono;

/**
 * Marks the requests under the path of the API. Paths are compared decoded, as routes compare them, so that no way of writing one leads around a
 * rule; a beginning that is written in another way only serves to lead around the rules of a proxy, and is answered 400.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
public final class ApiFilter implements WebFilter {

    private final String base;
    private final PathPattern all;
    private final int elements;

    /**
     * A filter.
     *
     * @param base the path of the API
     */
    public ApiFilter(String base) {
        this.base = base;
        this.all = PathPatternParser.defaultInstance.parse(base + "/**");
        this.elements = PathContainer.parsePath(base).elements().size();
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        PathContainer path = exchange.getRequest().getPath().pathWithinApplication();
        if (!all.matches(path)) {
            return chain.filter(exchange);
        }
        Api.serve(exchange, path.subPath(elements));
        return isPlain(base, path.value())
                ? chain.filter(exchange)
                : Problems.write(exchange, notPlain(base, path.value()));
    }

    /** Whether the beginning of a path is written as it is in the properties, without percent-encoding and parameters. */
    public static boolean isPlain(String base, String path) {
        return path.startsWith(base);
    }

    /** The answer to a path that is not. */
    public static ProblemDetail notPlain(String base, String path) {
        return Problem.INVALID_VALUE.detail(
                "the path must begin with %s, written like this: %s".formatted(base, Checks.shown(path)));
    }
}
