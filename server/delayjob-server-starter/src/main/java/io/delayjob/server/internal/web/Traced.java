package io.delayjob.server.internal.web;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;

/** Calls that belong to the trace of their request. */
public final class Traced {

    private Traced() {}

    /**
     * Makes a call with the thread locals of its request, such as its observation. Reactor restores them around {@code handle}, if
     * Micrometer's context propagation is on the class path, as it is with every tracer.
     */
    public static <T> Mono<T> call(Supplier<CompletableFuture<T>> call) {
        return Mono.just(call)
                .<CompletableFuture<T>>handle((made, answer) -> answer.next(made.get()))
                .flatMap(Mono::fromFuture);
    }
}
