package io.delayjob.server.internal.web;

import org.springframework.web.server.ServerWebExchange;

/** Where the API is. */
public final class Api {

    /** What its paths begin with. */
    public static final String BASE = "/api/v1";

    private Api() {}

    /** Whether a request is one of the API's. */
    public static boolean serves(ServerWebExchange exchange) {
        return exchange.getRequest().getPath().pathWithinApplication().value().startsWith(BASE + "/");
    }
}
