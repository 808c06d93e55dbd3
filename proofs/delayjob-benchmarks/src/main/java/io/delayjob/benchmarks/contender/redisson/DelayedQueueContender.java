package io.delayjob.benchmarks.contender.redisson;

import io.delayjob.benchmarks.contender.Contender;
import io.delayjob.benchmarks.contender.Job;
import io.delayjob.benchmarks.contender.Store;
import io.delayjob.benchmarks.contender.Work;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.redisson.api.RBlockingQueue;
import org.redisson.api.RDelayedQueue;
import org.redisson.api.RFuture;
import org.redisson.api.RedissonClient;

/**
 * A bare {@link RDelayedQueue} in front of an {@link RBlockingQueue}, as the usual tutorial has it: one thread takes, a pool runs
 * what it took. A job that fails is offered again.
 */
@SuppressWarnings({"deprecation", "try"})
public final class DelayedQueueContender implements Contender {

    private static final long BACKOFF_MILLIS = 1;

    private final RedissonClient redisson;
    private final RBlockingQueue<PlainJob> ready;
    private final RDelayedQueue<PlainJob> delayed;
    private @Nullable ExecutorService pool;

    public DelayedQueueContender(Store store) {
        this.redisson = Clients.open(store);
        this.ready = redisson.getBlockingQueue("orders");
        this.delayed = redisson.getDelayedQueue(ready);
    }

    @Override
    public Map<String, String> settings() {
        return Map.of(
                "takers",
                "1",
                "codec",
                redisson.getConfig().getCodec().getClass().getSimpleName());
    }

    @Override
    public void submit(Job job) {
        delayed.offer(PlainJob.first(job), Clients.delay(job.dueMillis()), TimeUnit.MILLISECONDS);
    }

    @Override
    public void submitAll(List<Job> jobs) {
        CompletableFuture.allOf(jobs.stream()
                        .map(job -> offer(PlainJob.first(job), Clients.delay(job.dueMillis())))
                        .toArray(CompletableFuture[]::new))
                .join();
    }

    private CompletableFuture<Void> offer(PlainJob job, long delayMillis) {
        RFuture<Void> offered = delayed.offerAsync(job, delayMillis, TimeUnit.MILLISECONDS);
        return offered.toCompletableFuture();
    }

    @Override
    public void consume(int workers, Work work) {
        ExecutorService started = Executors.newFixedThreadPool(workers);
        pool = started;
        Thread taker = new Thread(() -> take(started, work), "taker");
        taker.setDaemon(true);
        taker.start();
    }

    private void take(ExecutorService workers, Work work) {
        while (!redisson.isShuttingDown()) {
            try {
                PlainJob job = ready.take();
                workers.execute(() -> run(job, work));
            } catch (InterruptedException e) {
                return;
            } catch (RuntimeException e) {
                if (!redisson.isShuttingDown()) {
                    e.printStackTrace();
                }
            }
        }
    }

    private void run(PlainJob job, Work work) {
        try {
            work.run(job.id(), job.dueMillis(), job.attempt());
        } catch (Exception e) {
            offer(job.next(), BACKOFF_MILLIS);
        }
    }

    @Override
    public void close() {
        if (pool != null) {
            pool.shutdownNow();
        }
        delayed.destroy();
        redisson.shutdown();
    }
}
