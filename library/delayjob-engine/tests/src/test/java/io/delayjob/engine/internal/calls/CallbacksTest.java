package io.delayjob.engine.internal.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.engine.TestSettings;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CallbacksTest {

    private static final int MANY = 3000;

    private final Callbacks callbacks = new Callbacks();
    private final AtomicReference<@Nullable ForkJoinPool> pool = new AtomicReference<>();

    @AfterEach
    void close() {
        callbacks.close();
    }

    @Test
    void whatBlocksHasSoManyThreadsAndTheRestWaits() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        AtomicInteger begun = new AtomicInteger();
        CountDownLatch done = new CountDownLatch(MANY);
        for (int i = 0; i < MANY; i++) {
            callbacks.execute(() -> {
                pool.set(ForkJoinTask.getPool());
                begun.incrementAndGet();
                awaitQuietly(go);
                done.countDown();
            });
        }
        await().until(() -> begun.get() == Callbacks.THREADS);
        assertThat(threads()).isEqualTo(Callbacks.THREADS);
        go.countDown();
        assertThat(done.await(TestSettings.SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void whatWaitsForAFutureLeavesItsThreadToTheOneThatIsToCompleteIt() throws Exception {
        List<CompletableFuture<Integer>> answers = IntStream.range(0, 3 * Callbacks.THREADS)
                .mapToObj(i -> CompletableFuture.supplyAsync(
                        () -> {
                            pool.set(ForkJoinTask.getPool());
                            return CompletableFuture.supplyAsync(() -> i, callbacks)
                                    .join();
                        },
                        callbacks))
                .toList();
        CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
                .get(TestSettings.SOON.toSeconds(), TimeUnit.SECONDS);
        assertThat(threads()).isLessThanOrEqualTo(Callbacks.MOST_THREADS);
    }

    @Test
    void whatWaitsForFuturesDoesNotLeaveTheOthersToOneThread() throws Exception {
        CompletableFuture<Boolean> go = new CompletableFuture<>();
        CountDownLatch latch = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(Callbacks.THREADS);
        for (int i = 1; i < Callbacks.THREADS; i++) {
            callbacks.execute(() -> {
                begun.countDown();
                go.join();
            });
        }
        callbacks.execute(() -> {
            begun.countDown();
            awaitQuietly(latch);
        });
        assertThat(begun.await(TestSettings.SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
        try {
            assertThat(CompletableFuture.supplyAsync(() -> true, callbacks))
                    .succeedsWithin(TestSettings.SOON.toSeconds(), TimeUnit.SECONDS);
        } finally {
            latch.countDown();
            go.complete(true);
        }
    }

    @Test
    void onceClosedTheThreadThatHasTheAnswerGoesOn() {
        callbacks.close();
        assertThat(CompletableFuture.supplyAsync(Thread::currentThread, callbacks))
                .isCompletedWithValue(Thread.currentThread());
    }

    /** The number of threads of this test's callbacks. Threads of other tests may not have ended yet. */
    private long threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("delayjob-callback"))
                .filter(thread -> thread instanceof ForkJoinWorkerThread worker && worker.getPool() == pool.get())
                .count();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
