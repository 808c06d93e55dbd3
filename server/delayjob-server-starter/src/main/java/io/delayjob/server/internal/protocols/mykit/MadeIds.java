package io.delayjob.server.internal.protocols.mykit;

import reactor.core.publisher.Mono;

/** Makes the ids of messages that come without one. */
@FunctionalInterface
public interface MadeIds {

    /** A new id. */
    Mono<String> next();
}
