package io.delayjob.server.internal.protocols;

import io.delayjob.server.web.Problem;
import io.delayjob.server.web.Problems;
import io.delayjob.server.web.ServerJson;
import java.util.Set;
import java.util.function.Function;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * Answers problems in the shape of a protocol. A command that was understood and refused is answered with 200, because the envelope says
 * that it failed; what stands in its way, such as a missing token or a Redis that does not answer, keeps its status.
 */
record Envelopes(Function<ProblemDetail, Object> envelope) implements Problems.Page {

    /** The statuses of commands that were understood, and refused for what they ask. */
    private static final Set<Integer> REFUSED = Set.of(
            HttpStatus.BAD_REQUEST.value(),
            HttpStatus.NOT_FOUND.value(),
            HttpStatus.CONFLICT.value(),
            HttpStatus.UNPROCESSABLE_CONTENT.value());

    @Override
    public Mono<Void> write(ServerWebExchange exchange, ProblemDetail problem) {
        ServerHttpResponse response = exchange.getResponse();
        response.setRawStatusCode(status(problem));
        Problem.addHeaders(problem, response.getHeaders());
        response.getHeaders().setContentType(MediaType.APPLICATION_JSON);
        byte[] body = ServerJson.mapper().writeValueAsBytes(envelope.apply(problem));
        return response.writeWith(
                Mono.fromSupplier(() -> response.bufferFactory().wrap(body)));
    }

    private static int status(ProblemDetail problem) {
        boolean isUnderstood = !Problem.INVALID_BODY.is(problem);
        return isUnderstood && REFUSED.contains(problem.getStatus()) ? HttpStatus.OK.value() : problem.getStatus();
    }
}
