package io.delayjob.server.internal.web;

import io.delayjob.server.web.Api;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import org.reactivestreams.Publisher;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.netty.http.server.HttpServerRequest;

/**
 * Writes answers on the thread of their connection. With Reactor Netty 1.3.7 or older, a client whose next request arrives while another
 * thread is still ending the answer before it is not answered any more (reactor-netty#4361).
 */
@Order(Ordered.HIGHEST_PRECEDENCE + 10)
public final class EventLoopAnswers implements WebFilter {

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        Object request = ServerHttpRequestDecorator.getNativeRequest(exchange.getRequest());
        if (!(request instanceof HttpServerRequest netty) || !Api.serves(exchange)) {
            return chain.filter(exchange);
        }
        Scheduler loop = Schedulers.fromExecutor(eventLoop(netty));
        Api.answerOn(exchange, loop);
        // Answers without a body, and those of failures, are ended by Spring: after this, and not by this response.
        return chain.filter(exchange.mutate()
                        .response(new Answer(exchange.getResponse(), loop))
                        .build())
                .publishOn(loop);
    }

    private static Executor eventLoop(HttpServerRequest request) {
        List<Executor> loop = new ArrayList<>(1);
        request.withConnection(connection -> loop.add(connection.channel().eventLoop()));
        return loop.get(0);
    }

    private static final class Answer extends ServerHttpResponseDecorator {

        private final Scheduler loop;

        Answer(ServerHttpResponse response, Scheduler loop) {
            super(response);
            this.loop = loop;
        }

        @Override
        public Mono<Void> writeWith(Publisher<? extends DataBuffer> body) {
            // An answer of one part stays one, and so has a Content-Length.
            return super.writeWith(
                    body instanceof Mono<? extends DataBuffer> one
                            ? one.publishOn(loop)
                            : Flux.from(body).publishOn(loop));
        }

        /** Only the end matters, and parts that waited here would not be released if the caller hung up. */
        @Override
        public Mono<Void> writeAndFlushWith(Publisher<? extends Publisher<? extends DataBuffer>> body) {
            Mono<Publisher<? extends DataBuffer>> end = Mono.empty();
            return super.writeAndFlushWith(
                    Flux.<Publisher<? extends DataBuffer>>from(body).concatWith(end.subscribeOn(loop)));
        }

        @Override
        public Mono<Void> setComplete() {
            return Mono.defer(super::setComplete).subscribeOn(loop);
        }
    }
}
