package io.delayjob.server.internal.web;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
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
        response.getHeaders().setContentType(MediaType.APPLICATION_PROBLEM_JSON);
        if (problem.getStatus() == HttpStatus.UNAUTHORIZED.value()) {
            response.getHeaders().set(HttpHeaders.WWW_AUTHENTICATE, "Bearer realm=\"delayjob\"");
        } else if (Problem.isPassing(problem)) {
            response.getHeaders().set(HttpHeaders.RETRY_AFTER, Problem.SOON);
        }
        byte[] body = ServerJson.mapper().writeValueAsBytes(problem);
        return response.writeWith(
                Mono.fromSupplier(() -> response.bufferFactory().wrap(body)));
    }
}
