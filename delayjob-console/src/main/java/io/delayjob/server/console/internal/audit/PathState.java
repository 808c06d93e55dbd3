package io.delayjob.server.console.internal.audit;

import io.delayjob.server.internal.access.Access;
import java.util.Optional;
import reactor.core.publisher.Mono;

/** Tells how something is that routes of the API change: asked before such a route and after it, for what the audit says of both. */
@FunctionalInterface
public interface PathState {

    /**
     * How what a request changes is now.
     *
     * @param route the method of the request, a space, and its path after that of the API, as it is written
     * @param access who makes the request
     * @return empty if this is not about the route
     */
    Optional<Mono<String>> of(String route, Access access);
}
