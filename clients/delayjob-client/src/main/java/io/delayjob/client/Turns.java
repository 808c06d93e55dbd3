package io.delayjob.client;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Lets so many calls be under way at once; further ones wait in line, without a thread. Thread-safe. */
final class Turns {

    private final Queue<Runnable> line = new ArrayDeque<>();
    private int free;

    Turns(int most) {
        this.free = most;
    }

    /** Makes a call when it is its turn. */
    <R> CompletableFuture<R> take(Supplier<CompletableFuture<R>> call) {
        CompletableFuture<CompletableFuture<R>> turn = new CompletableFuture<>();
        Runnable begin = () -> turn.complete(made(call).whenComplete((answer, failure) -> leave()));
        if (enters(begin)) {
            begin.run();
        }
        return turn.thenCompose(answer -> answer);
    }

    /** A call that fails at once leaves too. */
    private static <R> CompletableFuture<R> made(Supplier<CompletableFuture<R>> call) {
        try {
            return call.get();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private synchronized boolean enters(Runnable begin) {
        if (free == 0) {
            line.add(begin);
            return false;
        }
        free--;
        return true;
    }

    private void leave() {
        Runnable next = next();
        if (next != null) {
            // On another thread, because a call that fails at once leaves at once.
            Threads.CALLBACKS.execute(next);
        }
    }

    private synchronized @Nullable Runnable next() {
        Runnable next = line.poll();
        free += next == null ? 1 : 0;
        return next;
    }
}
