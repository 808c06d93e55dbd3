package io.delayjob.redisson.internal.redis;

import io.delayjob.engine.ledger.Doorbell;
import io.delayjob.engine.ledger.Feed;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.redisson.api.RBlockingQueue;
import org.redisson.api.RDelayedQueue;
import org.redisson.api.RedissonClient;

/**
 * Redisson's delayed queue in front of a blocking queue, with job ids in it.
 *
 * <p>The only class that uses the deprecated {@link RDelayedQueue}. Only the holder has such an object, because every client with
 * one runs its timer. Until it is open, or if the client may not have another one, a timer of this node rings instead; its pending
 * rings are lost if this node dies.
 */
@SuppressWarnings("deprecation")
final class RedissonDoorbell implements Doorbell {

    private final RedissonClient redisson;
    private final RBlockingQueue<String> ready;
    private final Consumer<Runnable> quietly;
    private final DoorbellThread thread;
    private final Scripts scripts;
    private boolean held;
    private boolean opening;
    private @Nullable RDelayedQueue<String> delayed;

    RedissonDoorbell(
            RedissonClient redisson, Keys keys, Consumer<Runnable> quietly, DoorbellThread thread, Scripts scripts) {
        this.redisson = redisson;
        this.quietly = quietly;
        this.thread = thread;
        this.scripts = scripts;
        // A codec of texts can read any id, whoever pushed it.
        this.ready = redisson.getBlockingQueue(keys.of(Key.READY), HeapTextCodec.INSTANCE);
    }

    @Override
    public void ring() {
        ring("");
    }

    private void ring(String id) {
        var unused = scripts.connected("doorbell", () -> ready.offerAsync(id).toCompletableFuture());
    }

    /** Opens the delayed queue even if there is nothing to arrange, so that it rings what the last holder arranged. */
    @Override
    public synchronized void arrange(Feed.@Nullable Ring ring) {
        held = true;
        RDelayedQueue<String> queue = delayed;
        if (queue == null && !opening) {
            opening = thread.open(this::open);
        }
        if (ring != null) {
            arrange(queue, ring);
        }
    }

    /** Does not wait for the result: if a ring cannot be arranged it is lost, and the next claim finds the job. */
    private void arrange(@Nullable RDelayedQueue<String> queue, Feed.Ring ring) {
        if (queue != null) {
            var unused = queue.offerAsync(ring.id(), ring.delayMillis(), TimeUnit.MILLISECONDS);
        } else {
            Executor then = CompletableFuture.delayedExecutor(ring.delayMillis(), TimeUnit.MILLISECONDS, Runnable::run);
            then.execute(() -> ring(ring.id()));
        }
    }

    private void open() {
        try {
            // Redisson logs at ERROR that the class is deprecated. Nothing depends on it here, so the message would
            // only alarm.
            quietly.accept(() -> opened(redisson.getDelayedQueue(ready)));
        } finally {
            opened(null);
        }
    }

    private synchronized void opened(@Nullable RDelayedQueue<String> queue) {
        opening = false;
        if (queue != null) {
            delayed = queue;
        }
        if (!held) {
            leave();
        }
    }

    @Override
    public synchronized void leave() {
        held = false;
        RDelayedQueue<String> queue = delayed;
        if (queue != null) {
            delayed = null;
            thread.close(queue::destroy);
        }
    }
}
