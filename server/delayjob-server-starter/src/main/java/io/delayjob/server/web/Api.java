package io.delayjob.server.web;

import java.util.Optional;
import org.springframework.http.server.PathContainer;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** Tells which requests are served with the tokens, limits and filters of the API: its own, those of older protocols, and those of pages. */
public final class Api {

    /** The path of the API, unless a property says another one. */
    public static final String DEFAULT_PATH = "/api/v1";

    /** The parameter of a query in which clients of older protocols may send their token. It is never to be shown. */
    public static final String TOKEN_PARAMETER = "token";

    private static final String SERVED = "delayjob.served";
    private static final String ADDRESS = "delayjob.address";
    private static final String THREAD = "delayjob.thread";

    private Api() {}

    /**
     * Serves a request as one of the API's though its path is another: what callers may do is found out as for a route of the API.
     *
     * @param exchange the request
     */
    public static void serve(ServerWebExchange exchange) {
        exchange.getAttributes().put(SERVED, true);
    }

    /**
     * Serves a request of the API, or of another protocol.
     *
     * @param exchange the request
     * @param address the path by which people know what it is about
     */
    public static void serve(ServerWebExchange exchange, PathContainer address) {
        serve(exchange);
        exchange.getAttributes().put(ADDRESS, address);
    }

    /**
     * The path by which people know what a request is about: after that of the API, or the whole one of another protocol.
     *
     * @param exchange the request
     * @return empty if it is one for a page
     */
    public static Optional<PathContainer> addressOf(ServerWebExchange exchange) {
        return Optional.ofNullable(exchange.getAttribute(ADDRESS));
    }

    /**
     * Sets the thread that writes the answer to a request.
     *
     * @param exchange the request
     * @param thread the thread of its connection
     */
    public static void answerOn(ServerWebExchange exchange, Scheduler thread) {
        exchange.getAttributes().put(THREAD, thread);
    }

    /**
     * The thread of a request's connection, else one that computes. Parts of an answer that another thread hands on, while this one asks for more of
     * them, can be left lying for good: Reactor's concatenation loses what is asked for between two of its sources.
     *
     * @param exchange the request
     * @return the thread
     */
    public static Scheduler threadOf(ServerWebExchange exchange) {
        return exchange.getAttributeOrDefault(THREAD, Schedulers.parallel());
    }

    /**
     * Whether a request is served as one of the API's.
     *
     * @param exchange the request
     * @return true if it is
     */
    public static boolean serves(ServerWebExchange exchange) {
        return exchange.getAttribute(SERVED) != null;
    }
}
