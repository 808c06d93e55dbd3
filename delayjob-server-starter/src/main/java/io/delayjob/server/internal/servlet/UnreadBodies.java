package io.delayjob.server.internal.servlet;

import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.util.context.Context;

/**
 * Keeps the rest of a body from being taken for the next request of its connection, in a servlet container. Of a body that is read without a
 * thread, containers do not wait for the rest once the request is answered. On Tomcat the rest is read before the answer; a body that is too long
 * or too slow for this ends the connection, and the answer says so. On others every body that was not read to its end does, because Jetty mixes
 * up late reads with the next request.
 */
@Order(Ordered.HIGHEST_PRECEDENCE + 9)
public final class UnreadBodies implements WebFilter {

    private static final Duration LONGEST = Duration.ofSeconds(2);
    private static final long MOST_BYTES = 2 << 20;
    private static final IllegalStateException LEFT = new IllegalStateException("a part of the body is left");

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        if (!hasBody(exchange.getRequest().getHeaders()) || !sharesConnection(exchange.getRequest())) {
            return chain.filter(exchange);
        }
        Body body = new Body(exchange.getRequest(), isOnTomcat(exchange.getRequest()));
        HttpHeaders answer = exchange.getResponse().getHeaders();
        exchange.getResponse()
                .beforeCommit(() -> body.end().onErrorResume(unread -> {
                    answer.set(HttpHeaders.CONNECTION, "close");
                    return Mono.empty();
                }));
        return chain.filter(exchange.mutate().request(body).build());
    }

    /** A body that is not sent before it is asked for is left to the container. */
    private static boolean hasBody(HttpHeaders headers) {
        return (headers.getContentLength() > 0 || headers.containsHeader(HttpHeaders.TRANSFER_ENCODING))
                && !headers.containsHeader(HttpHeaders.EXPECT);
    }

    /** Whether the next request comes behind this one, on the same connection. */
    private static boolean sharesConnection(ServerHttpRequest request) {
        return ServerHttpRequestDecorator.getNativeRequest(request) instanceof HttpServletRequest servlet
                && servlet.getProtocol().startsWith("HTTP/1");
    }

    private static boolean isOnTomcat(ServerHttpRequest request) {
        HttpServletRequest servlet = ServerHttpRequestDecorator.getNativeRequest(request);
        return TomcatConnection.of(servlet) != null;
    }

    private static final class Body extends ServerHttpRequestDecorator {

        private final boolean readsRest;
        private volatile @Nullable Reader reader;

        Body(ServerHttpRequest request, boolean readsRest) {
            super(request);
            this.readsRest = readsRest;
        }

        @Override
        public Flux<DataBuffer> getBody() {
            return new Flux<>() {
                @Override
                public void subscribe(CoreSubscriber<? super DataBuffer> subscriber) {
                    read(new Reader(subscriber, readsRest));
                }
            };
        }

        private Reader read(Reader opened) {
            reader = opened;
            super.getBody().subscribe(opened);
            return opened;
        }

        /** Completes when the body is read to its end, by nobody if nobody wants it; fails if that cannot be waited for. */
        Mono<Void> end() {
            Reader opened = reader;
            if (!readsRest) {
                return opened != null && opened.isAtEnd ? Mono.empty() : Mono.error(LEFT);
            }
            Reader reading = opened == null ? read(Reader.forNobody()) : opened;
            return reading.end().timeout(LONGEST).doOnError(TimeoutException.class, slow -> reading.cancel());
        }
    }

    /** Passes a body on; once nobody wants more of it, reads the rest for nobody. */
    private static final class Reader extends BaseSubscriber<DataBuffer> {

        private final CoreSubscriber<? super DataBuffer> reader;
        private final boolean readsRest;
        private final Sinks.Empty<Void> end = Sinks.empty();
        private volatile boolean isWanted = true;
        private volatile boolean isAtEnd;
        private long unwantedBytes;

        Reader(CoreSubscriber<? super DataBuffer> reader, boolean readsRest) {
            this.reader = reader;
            this.readsRest = readsRest;
        }

        static Reader forNobody() {
            BaseSubscriber<DataBuffer> nobody = new BaseSubscriber<>() {
                @Override
                protected void hookOnSubscribe(Subscription subscription) {
                    subscription.cancel();
                }
            };
            return new Reader(nobody, true);
        }

        Mono<Void> end() {
            return end.asMono();
        }

        @Override
        protected void hookOnSubscribe(Subscription body) {
            reader.onSubscribe(new Subscription() {
                @Override
                public void request(long parts) {
                    Reader.this.request(parts);
                }

                @Override
                public void cancel() {
                    isWanted = false;
                    if (readsRest) {
                        requestUnbounded();
                    } else {
                        Reader.this.cancel();
                    }
                }
            });
        }

        @Override
        protected void hookOnNext(DataBuffer part) {
            if (isWanted) {
                reader.onNext(part);
            } else {
                skip(part);
            }
        }

        private void skip(DataBuffer part) {
            unwantedBytes += part.readableByteCount();
            DataBufferUtils.release(part);
            if (unwantedBytes > MOST_BYTES) {
                cancel();
                end.tryEmitError(LEFT);
            }
        }

        @Override
        protected void hookOnComplete() {
            isAtEnd = true;
            end.tryEmitEmpty();
            if (isWanted) {
                reader.onComplete();
            }
        }

        @Override
        protected void hookOnError(Throwable failure) {
            end.tryEmitError(failure);
            if (isWanted) {
                reader.onError(failure);
            }
        }

        @Override
        public Context currentContext() {
            return reader.currentContext();
        }
    }
}
