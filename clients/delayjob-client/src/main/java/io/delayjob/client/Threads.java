package io.delayjob.client;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** The threads of the client. */
final class Threads {

    private static final int THREADS = 32;
    private static final int MOST_THREADS = 256;

    /** Reads answers and runs what callers hang on futures, which may block: if such threads wait for other futures, further ones start. */
    static final Executor CALLBACKS = new ForkJoinPool(
            THREADS, Threads::thread, null, true, 0, MOST_THREADS, THREADS, full -> true, 60, TimeUnit.SECONDS);

    /** Waits for answers. */
    private static final ExecutorService SENDERS = Executors.newCachedThreadPool(Threads::sender);

    private Threads() {}

    /**
     * The answer to a request, for which a thread waits. {@link HttpClient#sendAsync} takes none, but up to Java 24 starts a new one for each answer where the
     * JVM has one or two processors.
     */
    static CompletableFuture<HttpResponse<byte[]>> sent(HttpClient client, HttpRequest request) {
        CompletableFuture<HttpResponse<byte[]>> answer = new CompletableFuture<>();
        Future<?> sender = SENDERS.submit(() -> {
            try {
                answer.complete(client.send(request, HttpResponse.BodyHandlers.ofByteArray()));
            } catch (IOException e) {
                // The client puts what went wrong into an exception with this thread's stack trace.
                answer.completeExceptionally(e.getCause() instanceof IOException cause ? cause : e);
            } catch (InterruptedException | RuntimeException | Error e) {
                answer.completeExceptionally(e);
            }
        });
        answer.whenComplete((response, failure) -> {
            if (answer.isCancelled()) {
                sender.cancel(true);
            }
        });
        return answer;
    }

    private static Thread sender(Runnable work) {
        Thread thread = new Thread(work, "delayjob-client-sender");
        thread.setDaemon(true);
        return thread;
    }

    private static ForkJoinWorkerThread thread(ForkJoinPool pool) {
        ForkJoinWorkerThread thread = new ForkJoinWorkerThread(pool) {};
        thread.setName("delayjob-client");
        return thread;
    }
}
