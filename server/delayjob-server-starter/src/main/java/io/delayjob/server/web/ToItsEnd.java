package io.delayjob.server.web;

import reactor.core.publisher.Mono;

/** Work that goes on if its caller hangs up. */
public final class ToItsEnd {

    private ToItsEnd() {}

    /**
     * The same work, which its caller can no longer end.
     *
     * @param work the work
     * @return the work; after a hang-up, only what follows it is left out
     */
    public static <T> Mono<T> of(Mono<T> work) {
        return Mono.deferContextual(
                context -> Mono.fromFuture(() -> work.contextWrite(context).toFuture(), true));
    }
}
