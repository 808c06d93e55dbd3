package io.delayjob.redisson.internal.redis;

import io.delayjob.redisson.internal.ledger.Doorbell;
import io.delayjob.redisson.internal.ledger.Feed;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.redisson.api.RBlockingQueue;
import org.redisson.api.RDelayedQueue;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;

/**
 * Redisson's delayed queue in front of a blocking queue, with job ids in it.
 *
 * <p>The only class that knows the deprecated {@link RDelayedQueue}. Its object exists on the holder alone, because every
 * client that has one runs its timer.
 */
@SuppressWarnings("deprecation")
final class RedissonDoorbell implements Doorbell {

    private final RedissonClient redisson;
    private final RBlockingQueue<String> ready;
    private final Consumer<Runnable> quietly;
    private @Nullable RDelayedQueue<String> delayed;

    RedissonDoorbell(RedissonClient redisson, Keys keys, Consumer<Runnable> quietly) {
        this.redisson = redisson;
        this.quietly = quietly;
        // StringCodec: an id that was pushed by anything can be popped.
        this.ready = redisson.getBlockingQueue(keys.ready(), StringCodec.INSTANCE);
    }

    @Override
    public boolean awaitRing(Duration atMost) {
        try {
            return ready.poll(atMost.toSeconds(), TimeUnit.SECONDS) != null;
        } catch (InterruptedException e) {
            // The ring may be lost with the interrupt; nothing rests on it.
            Thread.currentThread().interrupt();
            return false;
        } catch (RuntimeException e) {
            throw RedisFailures.explain("doorbell", e);
        }
    }

    @Override
    public void ring() {
        explained(() -> ready.offer(""));
    }

    @Override
    public synchronized void arrange(List<Feed.Ring> rings) {
        RDelayedQueue<String> queue = explained(this::held);
        for (Feed.Ring ring : rings) {
            // Not awaited: a ring that fails to be arranged is a ring lost, and the next claim finds the job.
            var unused = queue.offerAsync(ring.id(), ring.delayMillis(), TimeUnit.MILLISECONDS);
        }
    }

    /** The holder's queue; made even when there is nothing to arrange, to ring what the last holder arranged. */
    private RDelayedQueue<String> held() {
        RDelayedQueue<String> held = delayed;
        if (held == null) {
            // Redisson logs at ERROR that the class is deprecated. No promise rests on it here, so nobody need be
            // alarmed.
            quietly.accept(() -> delayed = redisson.getDelayedQueue(ready));
            held = Objects.requireNonNull(delayed);
        }
        return held;
    }

    @Override
    public synchronized void leave() {
        if (delayed != null) {
            RDelayedQueue<String> queue = delayed;
            delayed = null;
            explained(() -> {
                queue.destroy();
                return true;
            });
        }
    }

    private static <R> R explained(Supplier<R> step) {
        try {
            return step.get();
        } catch (RuntimeException e) {
            throw RedisFailures.explain("doorbell", e);
        }
    }
}
