package io.delayjob.server.internal.web;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.PathContainer;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPattern.PathMatchInfo;
import org.springframework.web.util.pattern.PathPatternParser;

/** Which requests are the API's. {@link ApiFilter} marks them. */
public final class Api {

    /** Its path, unless a property says another one. */
    public static final String DEFAULT_PATH = "/api/v1";

    private static final String SERVED = "delayjob.served";
    private static final String PATH = "delayjob.path";

    private Api() {}

    /**
     * Routes of the API.
     *
     * @param patterns their patterns, after the path of the API
     */
    public static List<PathPattern> routes(String... patterns) {
        return Stream.of(patterns).map(PathPatternParser.defaultInstance::parse).toList();
    }

    /** Whether a request is for one of these routes. Paths are compared decoded, as routes compare them. */
    public static boolean isFor(List<PathPattern> routes, ServerWebExchange exchange) {
        PathContainer path = path(exchange);
        return path != null && routes.stream().anyMatch(route -> route.matches(path));
    }

    /** The path of a request after that of the API; empty if it is another path. */
    public static Optional<PathContainer> pathOf(ServerWebExchange exchange) {
        return Optional.ofNullable(path(exchange));
    }

    /** How the path of a request fits a route of the API; null if it is for another one. */
    public static @Nullable PathMatchInfo match(PathPattern route, ServerWebExchange exchange) {
        PathContainer path = path(exchange);
        return path == null ? null : route.matchAndExtract(path);
    }

    private static @Nullable PathContainer path(ServerWebExchange exchange) {
        return exchange.getAttribute(PATH);
    }

    /** Makes a request one of the API's though its path is another: what callers may do is found out as for a route of the API. */
    public static void serve(ServerWebExchange exchange) {
        exchange.getAttributes().put(SERVED, true);
    }

    static void serve(ServerWebExchange exchange, PathContainer path) {
        serve(exchange);
        exchange.getAttributes().put(PATH, path);
    }

    /** Whether a request is one of the API's. */
    public static boolean serves(ServerWebExchange exchange) {
        return exchange.getAttribute(SERVED) != null;
    }
}
