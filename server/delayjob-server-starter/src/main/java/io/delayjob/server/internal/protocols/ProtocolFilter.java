package io.delayjob.server.internal.protocols;

import io.delayjob.server.web.Api;
import io.delayjob.server.web.BasePath;
import io.delayjob.server.web.Problems;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.server.PathContainer;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;
import reactor.core.publisher.Mono;

/**
 * Marks the requests of the protocols: they are served as those of the API are, with its tokens, limits and care for callers that hang up, but
 * what goes wrong is answered in the shape of the protocol. None takes a HEAD: it would do what a GET does, and lose what that hands out.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
public final class ProtocolFilter implements WebFilter {

    private static final String PROTOCOL = "delayjob.protocol";

    private final List<Routed> protocols;

    /** A protocol and one of its routes. */
    private record Routed(Protocol protocol, String base, PathPattern pattern) {

        static Stream<Routed> of(Protocol protocol) {
            return protocol.routes().stream()
                    .map(route -> new Routed(
                            protocol, route.replace("/*", ""), PathPatternParser.defaultInstance.parse(route)));
        }
    }

    /** A filter for protocols. */
    public ProtocolFilter(List<Protocol> protocols) {
        this.protocols = protocols.stream().flatMap(Routed::of).toList();
    }

    /** Whether a request is one of a protocol's. */
    public static boolean serves(ServerWebExchange exchange) {
        return exchange.getAttribute(PROTOCOL) != null;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        PathContainer path = exchange.getRequest().getPath().pathWithinApplication();
        return protocols.stream()
                .filter(routed -> routed.pattern().matches(path))
                .findFirst()
                .map(routed -> serve(exchange, chain, routed))
                .orElseGet(() -> chain.filter(exchange));
    }

    private static Mono<Void> serve(ServerWebExchange exchange, WebFilterChain chain, Routed routed) {
        mark(exchange, routed.protocol());
        return refusal(exchange.getRequest(), routed)
                .map(refusal -> Problems.write(exchange, refusal))
                .orElseGet(() -> chain.filter(exchange));
    }

    private static Optional<ProblemDetail> refusal(ServerHttpRequest request, Routed routed) {
        return request.getMethod().equals(HttpMethod.HEAD)
                ? Optional.of(
                        ProblemDetail.forStatusAndDetail(HttpStatus.METHOD_NOT_ALLOWED, "HEAD is not answered here"))
                : BasePath.refusal(
                        routed.base(),
                        request.getPath().pathWithinApplication().value(),
                        request.getURI().getRawQuery());
    }

    private static void mark(ServerWebExchange exchange, Protocol protocol) {
        exchange.getAttributes().put(PROTOCOL, protocol);
        Api.serve(exchange, exchange.getRequest().getPath().pathWithinApplication());
        Problems.show(exchange, new Envelopes(protocol.envelope()));
    }
}
