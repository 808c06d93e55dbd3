package io.delayjob.engine.internal.consuming;

import static org.awaitility.Awaitility.await;

import io.delayjob.engine.TestSettings;
import io.delayjob.engine.internal.running.Room;
import io.delayjob.engine.ledger.Doorbell;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.engine.memory.MemoryBackend;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Delivery of rings to the listeners of this node, or to another node. */
class DoorbellPollerTest {

    private static final ShardId SHARD = new ShardId("q", 0);

    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
    private final MemoryBackend backend = new MemoryBackend(System::currentTimeMillis);
    private final Doorbell doorbell = backend.doorbell(SHARD);
    private final DoorbellPoller poller = new DoorbellPoller(backend.rings(), scheduler);

    /** Counts what it hears, and may leave it to another. */
    private record Ear(AtomicInteger heard, boolean takes) implements Wake {

        @Override
        public boolean ring() {
            heard.incrementAndGet();
            return takes;
        }

        @Override
        public void alarmBy(long nanos) {}

        @Override
        public void onceClaimed(Runnable then) {}

        void awaitMoreThan(int before) {
            await().atMost(TestSettings.SOON).until(() -> heard.get() > before);
        }
    }

    /** Room for so many jobs. */
    private record Rooms(int total, int free) implements Room {}

    private static Ear ear(boolean takes) {
        return new Ear(new AtomicInteger(), takes);
    }

    private PolledShard shard(Ear ear, int free) {
        return new PolledShard(SHARD, doorbell, new Rooms(free, free), ear);
    }

    @AfterEach
    void stop() {
        poller.stop();
        scheduler.shutdownNow();
    }

    @Test
    void aShardThatIsServedTwiceIsHeardByTheOneThatIsLeft() {
        Ear stays = ear(true);
        Ear goes = ear(true);
        PolledShard gone = shard(goes, 1);
        poller.add(List.of(shard(stays, 1)));
        poller.add(List.of(gone));
        poller.start();
        doorbell.ring();
        await().atMost(TestSettings.SOON)
                .until(() -> stays.heard().get() + goes.heard().get() > 0);
        poller.remove(List.of(gone));
        int before = stays.heard().get();
        doorbell.ring();
        doorbell.ring();
        stays.awaitMoreThan(before);
    }

    @Test
    void aRingThatNobodyHereTakesIsPassedOn() {
        Ear idle = ear(false);
        poller.add(List.of(shard(idle, 0)));
        poller.start();
        doorbell.ring();
        idle.awaitMoreThan(0);
        // The poller does not listen again before a claim, so that the ring is left for another node.
        await().atMost(TestSettings.SOON)
                .until(() -> backend.rings()
                        .next(List.of(SHARD), Duration.ofMillis(100))
                        .join()
                        .isPresent());
    }
}
