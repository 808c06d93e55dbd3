package io.delayjob.server.internal.servlet;

import jakarta.servlet.http.HttpServletRequest;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Ends a connection with the answer to a body that was not read to its end, on a servlet container. Jetty mixes up what it still reads of such a
 * body with the next request of the connection, and answers that with 400 or 500; Tomcat closes the connection now and then without having said so,
 * and the next request is not answered at all.
 */
@Order(Ordered.HIGHEST_PRECEDENCE + 9)
public final class UnreadBodies implements WebFilter {

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        if (!hasBody(exchange.getRequest().getHeaders()) || !isOnServlets(exchange.getRequest())) {
            return chain.filter(exchange);
        }
        Body body = new Body(exchange.getRequest());
        HttpHeaders answer = exchange.getResponse().getHeaders();
        exchange.getResponse()
                .beforeCommit(() -> Mono.fromRunnable(() -> {
                    if (!body.isAtEnd) {
                        answer.set(HttpHeaders.CONNECTION, "close");
                    }
                }));
        return chain.filter(exchange.mutate().request(body).build());
    }

    private static boolean hasBody(HttpHeaders headers) {
        return headers.getContentLength() > 0 || headers.containsHeader(HttpHeaders.TRANSFER_ENCODING);
    }

    private static boolean isOnServlets(ServerHttpRequest request) {
        return ServerHttpRequestDecorator.getNativeRequest(request) instanceof HttpServletRequest servlet
                && servlet.getProtocol().startsWith("HTTP/1");
    }

    private static final class Body extends ServerHttpRequestDecorator {

        private volatile boolean isAtEnd;

        Body(ServerHttpRequest request) {
            super(request);
        }

        @Override
        public Flux<DataBuffer> getBody() {
            return super.getBody().doOnComplete(() -> isAtEnd = true);
        }
    }
}
