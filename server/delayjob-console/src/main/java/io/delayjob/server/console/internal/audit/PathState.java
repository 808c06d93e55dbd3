package io.delayjob.server.console.internal.audit;

import io.delayjob.server.Access;
import java.util.Map;
import reactor.core.publisher.Mono;

/** Tells how something is that routes of the API change: asked before such a route and after it, for what the audit says of both. */
public interface PathState {

    /** The pattern of the addresses of these routes, such as {@code /queues/**}. Of several that match an address, the most specific one is asked. */
    String pattern();

    /**
     * The present state of the thing that a request changes.
     *
     * @param variables the variable parts of its path, such as {@code queue}, decoded
     * @param access the caller
     * @return empty if the path names no such thing, or the caller is not told
     */
    Mono<String> of(Map<String, String> variables, Access access);
}
