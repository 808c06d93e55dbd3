package io.delayjob.server.internal.web;

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

    private static final String EVERYDAY = "delayjob.everyday";
    private static final String NOTE = "delayjob.note";

    /** The route of a request; empty before {@link Router} has looked for it, and where there is none. */
    public static Optional<Route> of(ServerWebExchange exchange) {
        return Router.found(exchange) instanceof HandlerMethod handler
                ? Optional.of(new Route(
                        handler,
                        exchange.getAttributeOrDefault(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE, Map.of())))
                : Optional.empty();
    }

    /** Whether it may change something that people want to know of: it is not only for GET, and not {@link Everyday}. */
    public boolean mayChange() {
        return !handler.hasMethodAnnotation(Everyday.class)
                && !isRead(handler.getMethodAnnotation(RequestMapping.class));
    }

    private static boolean isRead(@Nullable RequestMapping mapping) {
        return mapping != null && List.of(mapping.method()).equals(List.of(RequestMethod.GET));
    }

    /** Says that a request turned out to be one that programs make all the time, where its route alone does not tell. */
    public static void everyday(ServerWebExchange exchange) {
        exchange.getAttributes().put(EVERYDAY, true);
    }

    /** Whether {@link #everyday(ServerWebExchange)} was said of a request. */
    public static boolean isEveryday(ServerWebExchange exchange) {
        return exchange.getAttribute(EVERYDAY) != null;
    }

    /** Notes what a request changes, where its address does not say. */
    public static void note(ServerWebExchange exchange, String text) {
        exchange.getAttributes().put(NOTE, text);
    }

    /** The note; null if there is none. */
    public static @Nullable String noteOf(ServerWebExchange exchange) {
        return exchange.getAttribute(NOTE);
    }
}
