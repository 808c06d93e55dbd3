package io.delayjob.server.internal.servlet;

import jakarta.servlet.ServletRequestWrapper;
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
 * Ends a connection with the answer to a body that was not read to its end, on Jetty. It mixes up what it still reads of such a body with the
 * next request of the connection, and answers that with 400 or 500. Tomcat skips the rest of a body by itself.
 */
@Order(Ordered.HIGHEST_PRECEDENCE + 9)
public final class UnreadBodies implements WebFilter {

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        if (!hasBody(exchange.getRequest().getHeaders()) || !isOnJetty(exchange.getRequest())) {
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

    private static boolean isOnJetty(ServerHttpRequest request) {
        Object innermost = ServerHttpRequestDecorator.getNativeRequest(request);
        while (innermost instanceof ServletRequestWrapper wrapper) {
            innermost = wrapper.getRequest();
        }
        return innermost instanceof HttpServletRequest servlet
                && servlet.getProtocol().startsWith("HTTP/1")
                && servlet.getClass().getName().startsWith("org.eclipse.jetty.");
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
