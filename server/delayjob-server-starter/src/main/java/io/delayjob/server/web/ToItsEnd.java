package io.delayjob.server.web;

import reactor.core.publisher.Mono;

/** Work that goes on if its caller hangs up. */
public final class ToItsEnd {

    private ToItsEnd() {}

    /**
     * The same work, which its caller can no longer end.
     *
     * @param work the work
     * @return the work; after a hang-up, only what follows it is left out, and nobody hears how it ended
     */
    public static <T> Mono<T> of(Mono<T> work) {
        // A signal, since a failure that nobody hears would be logged as a defect.
        return Mono.deferContextual(context -> Mono.fromFuture(
                        () -> work.materialize().contextWrite(context).toFuture(), true))
                .dematerialize();
    }
}
