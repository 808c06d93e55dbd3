package io.delayjob.server.internal.protocols;

import java.util.List;
import java.util.function.Function;
import org.springframework.http.ProblemDetail;
import org.springframework.util.StringUtils;

/**
 * A protocol of an older delay queue.
 *
 * @param routes its paths within the application, as those of a servlet
 * @param envelope turns a problem into the answer of the protocol
 */
public record Protocol(List<String> routes, Function<ProblemDetail, Object> envelope) {

    /** Copies the routes. */
    public Protocol {
        routes = List.copyOf(routes);
    }

    /**
     * Joins a path that a property names and the rest of a route.
     *
     * @param base such as {@code /protocols/mykit}; {@code /} for none
     * @param rest begins with a slash
     */
    public static String route(String base, String rest) {
        return StringUtils.trimTrailingCharacter(base, '/') + rest;
    }
}
