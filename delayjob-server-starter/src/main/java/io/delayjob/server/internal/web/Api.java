package io.delayjob.server.internal.web;

import io.delayjob.support.Checks;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.http.ProblemDetail;
import org.springframework.http.server.PathContainer;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/** Where the API is. Paths are compared as routes compare them, decoded, so that no way of writing one leads around a rule. */
public final class Api {

    /** What its paths begin with. */
    public static final String BASE = "/api/v1";

    private static final List<PathPattern> ALL = routes("/**");
    private static final String SERVED = "delayjob.served";

    private Api() {}

    /**
     * Routes of the API.
     *
     * @param patterns their patterns, after {@link #BASE}
     */
    public static List<PathPattern> routes(String... patterns) {
        return Stream.of(patterns)
                .map(pattern -> PathPatternParser.defaultInstance.parse(BASE + pattern))
                .toList();
    }

    /** Whether a request is for one of these routes. */
    public static boolean isFor(List<PathPattern> routes, ServerWebExchange exchange) {
        PathContainer path = exchange.getRequest().getPath().pathWithinApplication();
        return routes.stream().anyMatch(route -> route.matches(path));
    }

    /** Whether the beginning of a path is written as it is here, without percent-encoding and parameters. */
    public static boolean isPlain(String path) {
        return path.startsWith(BASE);
    }

    /** The answer to a path that is not. */
    public static ProblemDetail notPlain(String path) {
        return Problem.INVALID_VALUE.detail(
                "the path must begin with %s, written like this: %s".formatted(BASE, Checks.shown(path)));
    }

    /** Makes a request one of the API's though its path is another: what callers may do is found out as for a route of the API. */
    public static void serve(ServerWebExchange exchange) {
        exchange.getAttributes().put(SERVED, true);
    }

    /** Whether a request is one of the API's. */
    public static boolean serves(ServerWebExchange exchange) {
        return exchange.getAttribute(SERVED) != null || isAt(exchange);
    }

    /** Whether the path of a request is one of the API's, however it is written. */
    public static boolean isAt(ServerWebExchange exchange) {
        return isFor(ALL, exchange);
    }
}
