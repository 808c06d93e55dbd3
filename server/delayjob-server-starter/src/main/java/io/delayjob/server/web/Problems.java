package io.delayjob.server.web;

import org.springframework.http.ProblemDetail;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Answers requests that do not come as far as a route. */
public final class Problems {

    private static final String WRITTEN = "delayjob.problem";

    private Problems() {}

    /** Shows a problem to people. */
    @FunctionalInterface
    public interface Page {

        /** Writes the answer. */
        Mono<Void> write(ServerWebExchange exchange, ProblemDetail problem);
    }

    /** Has problems of a request shown by a page. */
    public static void show(ServerWebExchange exchange, Page page) {
        exchange.getAttributes().put(Page.class.getName(), page);
    }

    /** Whether a request is answered with a problem, as far as its route or a filter has written one. */
    public static boolean isWritten(ServerWebExchange exchange) {
        return exchange.getAttribute(WRITTEN) != null;
    }

    /** Writes the answer. */
    public static Mono<Void> write(ServerWebExchange exchange, ProblemDetail problem) {
        exchange.getAttributes().put(WRITTEN, true);
        Page page = exchange.getAttribute(Page.class.getName());
        if (page != null) {
            return page.write(exchange, problem);
        }
        ServerHttpResponse response = exchange.getResponse();
        response.setRawStatusCode(problem.getStatus());
        Problem.addHeaders(problem, response.getHeaders());
        byte[] body = ServerJson.mapper().writeValueAsBytes(problem);
        return response.writeWith(
                Mono.fromSupplier(() -> response.bufferFactory().wrap(body)));
    }
}
