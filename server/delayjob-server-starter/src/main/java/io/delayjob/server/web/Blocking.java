package io.delayjob.server.web;

import java.lang.reflect.UndeclaredThrowableException;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** Work that waits, on threads that may, and that sign-ins do not need. */
public final class Blocking {

    private static final int THREADS = 16;
    private static final int WAITING_PER_THREAD = 16;
    private static final int IDLE_SECONDS = 10;
    private static final long SOON = 2;

    private static final Scheduler OWN = scheduler("delayjob-server-waiting");
    private static final Scheduler NAMES = scheduler("delayjob-server-names");

    private Blocking() {}

    private static Scheduler scheduler(String name) {
        return Schedulers.newBoundedElastic(THREADS, WAITING_PER_THREAD, name, IDLE_SECONDS, true);
    }

    /**
     * Does the work when it is asked for. It goes on if its caller hangs up, and its thread is not interrupted then: it may be the one that
     * writes the answer, and Tomcat closes a connection on which an interrupted thread writes.
     *
     * @param work null is an empty answer
     * @return fails with an {@link org.springframework.web.ErrorResponseException} 429 if too much other work waits
     */
    public static <T> Mono<T> call(Callable<? extends T> work) {
        return Mono.fromFuture(() -> begun(work, OWN), true);
    }

    /** The same for work that looks up names that any caller may choose: a name server of theirs may take long, and keeps nobody else. */
    public static <T> Mono<T> lookUp(Callable<? extends T> work) {
        return Mono.fromFuture(() -> begun(work, NAMES), true);
    }

    private static <T> CompletableFuture<T> begun(Callable<? extends T> work, Scheduler threads) {
        CompletableFuture<T> done = new CompletableFuture<>();
        try {
            var unused = threads.schedule(() -> run(work, done));
        } catch (RejectedExecutionException e) {
            done.completeExceptionally(Problem.thrown(Problem.tooMany(
                    "%d requests of this kind wait on this server; wait %d s"
                            .formatted(THREADS * WAITING_PER_THREAD, SOON),
                    SOON)));
        }
        return done;
    }

    private static <T> void run(Callable<? extends T> work, CompletableFuture<T> done) {
        try {
            done.complete(work.call());
        } catch (Exception e) {
            done.completeExceptionally(e);
        } catch (Throwable error) {
            // Reactor does not pass on every error, and its request would never be answered.
            done.completeExceptionally(new UndeclaredThrowableException(error));
        }
    }
}
