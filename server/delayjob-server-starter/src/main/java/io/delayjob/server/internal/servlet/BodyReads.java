package io.delayjob.server.internal.servlet;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.http.server.reactive.ServerHttpResponse;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.core.publisher.Sinks;
import reactor.util.context.Context;

/**
 * Ends a request only once no thread asks the container for more of its body; later calls that ask are not passed on. A container uses the objects of a
 * request that has ended for another one, and Spring asks for more of a body on any thread. A thread that asked these objects after the end would read from the
 * connection of another caller, whose request would then not be answered.
 */
final class BodyReads implements HttpHandler {

    private final HttpHandler handler;

    BodyReads(HttpHandler handler) {
        this.handler = handler;
    }

    @Override
    public Mono<Void> handle(ServerHttpRequest request, ServerHttpResponse response) {
        return Mono.usingWhen(
                Mono.fromSupplier(Reads::new),
                reads -> handler.handle(new WatchedRequest(request, reads), response),
                Reads::end);
    }

    /** The calls that ask for more of one body. */
    private static final class Reads {

        private final Sinks.Empty<Void> none = Sinks.empty();
        private int underWay;
        private boolean isOver;

        void ask(Subscription body, long parts) {
            if (!begin()) {
                return;
            }
            try {
                body.request(parts);
            } finally {
                if (finish()) {
                    none.tryEmitEmpty();
                }
            }
        }

        private synchronized boolean begin() {
            if (!isOver) {
                underWay++;
            }
            return !isOver;
        }

        private synchronized boolean finish() {
            underWay--;
            return isOver && underWay == 0;
        }

        /** Lets no further calls begin; completes once none is under way. */
        synchronized Mono<Void> end() {
            isOver = true;
            return underWay == 0 ? Mono.empty() : none.asMono();
        }
    }

    /** Counts the calls that ask for more of its body. */
    private static final class WatchedRequest extends ServerHttpRequestDecorator {

        private final Reads reads;

        WatchedRequest(ServerHttpRequest request, Reads reads) {
            super(request);
            this.reads = reads;
        }

        @Override
        public Flux<DataBuffer> getBody() {
            return super.getBody()
                    .transform(
                            Operators.<DataBuffer, DataBuffer>lift((body, reader) -> new WatchedReader(reader, reads)));
        }
    }

    /** Passes everything on, and asks for more by way of the calls that are counted. */
    private static final class WatchedReader implements CoreSubscriber<DataBuffer>, Subscription {

        private final CoreSubscriber<? super DataBuffer> reader;
        private final Reads reads;
        private @Nullable Subscription body;

        WatchedReader(CoreSubscriber<? super DataBuffer> reader, Reads reads) {
            this.reader = reader;
            this.reads = reads;
        }

        @Override
        public Context currentContext() {
            return reader.currentContext();
        }

        @Override
        public void onSubscribe(Subscription subscription) {
            body = subscription;
            reader.onSubscribe(this);
        }

        @Override
        public void onNext(DataBuffer part) {
            reader.onNext(part);
        }

        @Override
        public void onError(Throwable failure) {
            reader.onError(failure);
        }

        @Override
        public void onComplete() {
            reader.onComplete();
        }

        @Override
        public void request(long parts) {
            reads.ask(Objects.requireNonNull(body), parts);
        }

        @Override
        public void cancel() {
            Objects.requireNonNull(body).cancel();
        }
    }
}
