package io.delayjob.server.internal.web;

import org.springframework.http.ProblemDetail;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Answers requests that do not come as far as a route. */
public final class Problems {

    private Problems() {}

    /** Writes the answer. */
    public static Mono<Void> write(ServerWebExchange exchange, ProblemDetail problem) {
        ServerHttpResponse response = exchange.getResponse();
        response.setRawStatusCode(problem.getStatus());
        Problem.addHeaders(problem, response.getHeaders());
        byte[] body = ServerJson.mapper().writeValueAsBytes(problem);
        return response.writeWith(
                Mono.fromSupplier(() -> response.bufferFactory().wrap(body)));
    }
}
