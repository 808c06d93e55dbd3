package io.delayjob.server.internal.servlet;

import reactor.core.publisher.Mono;

/** Tells the routes whom the application has authenticated. */
@FunctionalInterface
public interface KnownCallers {

    /**
     * Tells it to the work on a request. Called on the thread of the container that brings the request.
     *
     * @return the work, whose context has the caller
     */
    Mono<Void> tell(Mono<Void> work);
}
