package io.delayjob.server.web;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.server.ServerWebExchange;

/**
 * The route of a request, as the router has found it. Rules about requests go by this and never by the path as it was written, which has many
 * spellings.
 *
 * @param handler the method that answers
 * @param variables the variable parts of the path, decoded
 */
public record Route(HandlerMethod handler, Map<String, String> variables) {

    /** The attribute of a request that holds the handler which the router has found. */
    public static final String HANDLER = "delayjob.route";

    private static final String EVERYDAY = "delayjob.everyday";
    private static final String NOTE = "delayjob.note";

    /**
     * The route of a request.
     *
     * @param exchange the request
     * @return empty before the router has looked for it, and where there is none
     */
    public static Optional<Route> of(ServerWebExchange exchange) {
        return exchange.getAttribute(HANDLER) instanceof HandlerMethod handler
                ? Optional.of(new Route(
                        handler,
                        exchange.getAttributeOrDefault(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE, Map.of())))
                : Optional.empty();
    }

    /**
     * Whether it may change something that people want to know of: it is not only for GET, and not {@link Everyday}.
     *
     * @return true if it may
     */
    public boolean mayChange() {
        return !handler.hasMethodAnnotation(Everyday.class)
                && !isRead(handler.getMethodAnnotation(RequestMapping.class));
    }

    private static boolean isRead(@Nullable RequestMapping mapping) {
        return mapping != null && List.of(mapping.method()).equals(List.of(RequestMethod.GET));
    }

    /**
     * Says that a request turned out to be one that programs make all the time, where its route alone does not tell.
     *
     * @param exchange the request
     */
    public static void everyday(ServerWebExchange exchange) {
        exchange.getAttributes().put(EVERYDAY, true);
    }

    /**
     * Whether {@link #everyday(ServerWebExchange)} was said of a request.
     *
     * @param exchange the request
     * @return true if it was
     */
    public static boolean isEveryday(ServerWebExchange exchange) {
        return exchange.getAttribute(EVERYDAY) != null;
    }

    /**
     * Notes what a request changes, where its address does not say.
     *
     * @param exchange the request
     * @param text the note
     */
    public static void note(ServerWebExchange exchange, String text) {
        exchange.getAttributes().put(NOTE, text);
    }

    /**
     * The note about a request.
     *
     * @param exchange the request
     * @return null if there is none
     */
    public static @Nullable String noteOf(ServerWebExchange exchange) {
        return exchange.getAttribute(NOTE);
    }
}
