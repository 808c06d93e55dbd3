package io.delayjob.server.internal.web;

import io.delayjob.server.web.OwnPaths;
import io.delayjob.server.web.Problem;
import java.time.Duration;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.http.server.reactive.HttpHandlerDecoratorFactory;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Gives every body that is read a time to arrive in, whoever reads it and whether its caller is known. Stands before all filters: a form, such
 * as that of a sign-in, is read from the request as it came, whatever a filter made of it.
 */
public final class TimelyBodies implements HttpHandlerDecoratorFactory {

    private final OwnPaths paths;
    private final Duration timeout;

    /**
     * Times bodies.
     *
     * @param paths of the requests that are timed
     * @param timeout how long a body may take to arrive
     */
    public TimelyBodies(OwnPaths paths, Duration timeout) {
        this.paths = paths;
        this.timeout = timeout;
    }

    @Override
    public HttpHandler apply(HttpHandler handler) {
        return (request, response) ->
                handler.handle(paths.serve(request) ? new TimelyRequest(request) : request, response);
    }

    private final class TimelyRequest extends ServerHttpRequestDecorator {

        TimelyRequest(ServerHttpRequest request) {
            super(request);
        }

        @Override
        public Flux<DataBuffer> getBody() {
            return super.getBody().takeUntilOther(Mono.delay(timeout).then(Mono.error(TimelyBodies.this::tooSlow)));
        }
    }

    private Throwable tooSlow() {
        return Problem.BODY_TOO_SLOW.with(
                "the body did not arrive within delayjob.server.body-timeout=%s; send it faster, or in several smaller requests"
                        .formatted(timeout));
    }
}
