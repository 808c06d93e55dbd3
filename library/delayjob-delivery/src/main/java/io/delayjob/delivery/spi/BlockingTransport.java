package io.delayjob.delivery.spi;

import io.delayjob.ClaimedJob;
import io.delayjob.delivery.Binding;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.FutureTask;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A transport whose client waits for its answers. Each call has a thread for as long as it takes; there are as many as calls under way, so
 * {@link Binding#calls()} bounds them for each target. A call that takes longer than {@link Binding#timeout()} is interrupted, and is under way
 * until its client gives up. Idle threads end after 10 s.
 */
public abstract class BlockingTransport implements Transport, AutoCloseable {

    private final ExecutorService threads;

    /**
     * A transport.
     *
     * @param name part of the names of its threads: {@code delayjob-delivery-<name>-<number>}
     */
    protected BlockingTransport(String name) {
        AtomicInteger number = new AtomicInteger();
        this.threads =
                new ThreadPoolExecutor(0, Integer.MAX_VALUE, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), work -> {
                    Thread thread = new Thread(work, "delayjob-delivery-" + name + "-" + number.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
    }

    /**
     * Delivers a job and waits until the target has confirmed it.
     *
     * @param binding the binding of the job's topic
     * @param job the job
     * @return the outcome
     * @throws Exception counts as {@link DeliveryOutcome.Failed}; an {@link InterruptedException} if it took too long
     */
    protected abstract DeliveryOutcome send(Binding binding, ClaimedJob job) throws Exception;

    @Override
    public final CompletionStage<DeliveryOutcome> deliver(Binding binding, ClaimedJob job) {
        FutureTask<DeliveryOutcome> call = new FutureTask<>(() -> send(binding, job));
        CompletableFuture<DeliveryOutcome> outcome = CompletableFuture.supplyAsync(() -> outcome(call), threads);
        var unused = outcome.copy()
                .orTimeout(binding.timeout().toMillis(), TimeUnit.MILLISECONDS)
                .whenComplete((done, failure) -> call.cancel(true));
        return outcome;
    }

    private static DeliveryOutcome outcome(FutureTask<DeliveryOutcome> call) {
        call.run();
        try {
            return call.get();
        } catch (CancellationException e) {
            throw new CompletionException(new TimeoutException());
        } catch (ExecutionException e) {
            throw new CompletionException(e.getCause());
        } catch (InterruptedException e) {
            throw new CompletionException(e);
        }
    }

    /** Interrupts what is under way. */
    @Override
    public void close() {
        threads.shutdownNow();
    }
}
