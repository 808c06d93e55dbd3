package io.delayjob.server.internal.web;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.PathContainer;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPattern.PathMatchInfo;
import org.springframework.web.util.pattern.PathPatternParser;

/** Compares the paths of requests of the API, after the path of the API, with routes. {@link ApiFilter} notes them. */
public final class ApiPath {

    private static final String PATH = "delayjob.path";

    private ApiPath() {}

    static void note(ServerWebExchange exchange, PathContainer path) {
        exchange.getAttributes().put(PATH, path);
    }

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
        PathContainer path = exchange.getAttribute(PATH);
        return path != null && routes.stream().anyMatch(route -> route.matches(path));
    }

    /** How the path of a request fits a route of the API; null if it is for another one. */
    public static @Nullable PathMatchInfo match(PathPattern route, ServerWebExchange exchange) {
        PathContainer path = exchange.getAttribute(PATH);
        return path == null ? null : route.matchAndExtract(path);
    }
}
