package io.delayjob.redisson.internal.memory;

import io.delayjob.redisson.internal.ledger.Doorbell;
import io.delayjob.redisson.internal.ledger.Feed;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.TimeUnit;

/** Rings in a queue, each taken by one of those who wait when its time has come. */
final class MemoryDoorbell implements Doorbell {

    /** Rings that nobody hears must not pile up. */
    private static final int MOST = 1000;

    private final DelayQueue<Ring> rings = new DelayQueue<>();

    private record Ring(long atNanos) implements Delayed {

        @Override
        public long getDelay(TimeUnit unit) {
            return unit.convert(atNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
        }

        @Override
        public int compareTo(Delayed other) {
            return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
        }
    }

    @Override
    public boolean awaitRing(Duration atMost) {
        try {
            return rings.poll(atMost.toMillis(), TimeUnit.MILLISECONDS) != null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public void ring() {
        ringIn(0);
    }

    @Override
    public void arrange(List<Feed.Ring> arranged) {
        arranged.forEach(ring -> ringIn(ring.delayMillis()));
    }

    private void ringIn(long millis) {
        if (rings.size() < MOST) {
            rings.add(new Ring(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis)));
        }
    }

    /** Leaves the rings where they are: they are the shard's, and the next holder's may be doubled by them, not lost. */
    @Override
    public void leave() {}
}
