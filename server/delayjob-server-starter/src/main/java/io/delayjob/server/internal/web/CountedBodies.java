package io.delayjob.server.internal.web;

import io.delayjob.server.web.OwnPaths;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.http.server.reactive.HttpHandlerDecoratorFactory;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import reactor.core.publisher.Flux;
import reactor.util.context.ContextView;

/**
 * Counts the bytes of every body that is read, for its caller once that is known. Stands before all filters: a form, such as that of a sign-in, is read
 * from the request as it came, before its caller is known and whatever a filter made of it.
 */
public final class CountedBodies implements HttpHandlerDecoratorFactory {

    private final OwnPaths paths;

    /**
     * Counts bodies.
     *
     * @param paths of the requests that are counted
     */
    public CountedBodies(OwnPaths paths) {
        this.paths = paths;
    }

    @Override
    public HttpHandler apply(HttpHandler handler) {
        return (request, response) -> {
            if (!paths.serve(request)) {
                return handler.handle(request, response);
            }
            Bytes bytes = new Bytes();
            return handler.handle(new CountedRequest(request, bytes), response)
                    .contextWrite(context -> context.put(Bytes.class, bytes));
        };
    }

    /**
     * Sets the counter of a request's body bytes: it is called at once with those that have arrived, and again as others arrive.
     *
     * @param request the Reactor context of the request
     */
    public static void count(ContextView request, IntConsumer counter) {
        request.<Bytes>getOrEmpty(Bytes.class).ifPresent(bytes -> bytes.goTo(counter));
    }

    private static final class Bytes {

        private int uncounted;
        private @Nullable IntConsumer counter;

        synchronized void arrived(int count) {
            if (counter == null) {
                uncounted += count;
            } else {
                counter.accept(count);
            }
        }

        synchronized void goTo(IntConsumer newCounter) {
            counter = newCounter;
            counter.accept(uncounted);
            uncounted = 0;
        }
    }

    private static final class CountedRequest extends ServerHttpRequestDecorator {

        private final Bytes bytes;

        CountedRequest(ServerHttpRequest request, Bytes bytes) {
            super(request);
            this.bytes = bytes;
        }

        @Override
        public Flux<DataBuffer> getBody() {
            return super.getBody().doOnNext(part -> bytes.arrived(part.readableByteCount()));
        }
    }
}
