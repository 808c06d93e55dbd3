package io.delayjob.server.internal.web;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Work that waits, on a thread that may. */
public final class Blocking {

    private Blocking() {}

    /**
     * Does the work when it is asked for. It goes on if its caller hangs up, and its thread is not interrupted then: it may be the one that
     * writes the answer, and Tomcat closes a connection on which an interrupted thread writes.
     *
     * @param work null is an empty answer
     */
    public static <T> Mono<T> call(Callable<? extends T> work) {
        return Mono.fromFuture(() -> begun(work), true);
    }

    private static <T> CompletableFuture<T> begun(Callable<? extends T> work) {
        CompletableFuture<T> done = new CompletableFuture<>();
        var unused = Schedulers.boundedElastic().schedule(() -> run(work, done));
        return done;
    }

    private static <T> void run(Callable<? extends T> work, CompletableFuture<T> done) {
        try {
            done.complete(work.call());
        } catch (Exception e) {
            done.completeExceptionally(e);
        }
    }
}
