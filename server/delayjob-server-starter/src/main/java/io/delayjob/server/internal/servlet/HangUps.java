package io.delayjob.server.internal.servlet;

import io.delayjob.server.web.Api;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * Cancels a request whose caller hung up, on Tomcat. It does not look at the connection of a request that waits, and a first write
 * succeeds after the caller has gone. So the connection is looked at every second, and before the answer is written.
 */
@Order(Ordered.HIGHEST_PRECEDENCE + 10)
public final class HangUps implements WebFilter {

    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        if (!Api.serves(exchange)) {
            return chain.filter(exchange);
        }
        Object request = ServerHttpRequestDecorator.getNativeRequest(exchange.getRequest());
        TomcatConnection connection =
                request instanceof HttpServletRequest servlet ? TomcatConnection.of(servlet) : null;
        if (connection == null) {
            return chain.filter(exchange);
        }
        Watch watch = new Watch(new Caller(connection));
        exchange.getResponse().beforeCommit(watch::beforeAnswer);
        return chain.filter(exchange.mutate()
                        .request(new WatchedRequest(exchange.getRequest(), watch))
                        .build())
                .doOnCancel(watch::cancelled)
                .takeUntilOther(watch.hangUp());
    }

    /**
     * Looks after the caller of one request. It looks only once the body is read to its end: until then the container reads from the
     * connection.
     */
    private static final class Watch {

        private final Caller caller;
        private final Sinks.Empty<Void> isRead = Sinks.empty();
        private final Sinks.One<Boolean> isGone = Sinks.one();
        private volatile boolean isBodyRead;
        private volatile boolean isCancelled;

        Watch(Caller caller) {
            this.caller = caller;
        }

        void read() {
            isBodyRead = true;
            isRead.tryEmitEmpty();
        }

        void cancelled() {
            isCancelled = true;
        }

        Mono<Boolean> hangUp() {
            Mono<Boolean> seen = isRead.asMono()
                    .thenMany(Flux.interval(BETWEEN_LOOKS))
                    .map(look -> caller.isGone())
                    .filter(gone -> gone)
                    .next();
            return Mono.firstWithSignal(seen, isGone.asMono());
        }

        /**
         * Holds an answer back whose caller has gone: it never ends then, and the request is cancelled. The empty answer that ends a cancelled
         * request is let through.
         */
        Mono<Void> beforeAnswer() {
            return Mono.defer(() -> {
                if (!isBodyRead || isCancelled || caller.answer()) {
                    return Mono.empty();
                }
                isGone.tryEmitValue(true);
                return Mono.never();
            });
        }
    }

    private static final class WatchedRequest extends ServerHttpRequestDecorator {

        private final Watch watch;

        WatchedRequest(ServerHttpRequest request, Watch watch) {
            super(request);
            this.watch = watch;
        }

        @Override
        public Flux<DataBuffer> getBody() {
            return super.getBody().doOnComplete(watch::read);
        }
    }
}
