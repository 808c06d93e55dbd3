package io.delayjob.server.internal.web;

import org.springframework.web.server.ServerWebExchange;

/** Where the API is. */
public final class Api {

    /** What its paths begin with. */
    public static final String BASE = "/api/v1";

    private static final String SERVED = "delayjob.served";

    private Api() {}

    /** Makes a request one of the API's though its path is another: what callers may do is found out as for a route of the API. */
    public static void serve(ServerWebExchange exchange) {
        exchange.getAttributes().put(SERVED, true);
    }

    /** Whether a request is one of the API's. */
    public static boolean serves(ServerWebExchange exchange) {
        return exchange.getAttribute(SERVED) != null
                || exchange.getRequest()
                        .getPath()
                        .pathWithinApplication()
                        .value()
                        .startsWith(BASE + "/");
    }
}
