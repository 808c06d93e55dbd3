package io.delayjob.redisson.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.DelayJobRequest;
import io.delayjob.engine.Note;
import io.delayjob.engine.NoteJob;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.redisson.api.RScoredSortedSet;

/** Checks after a failover that everything works again: the ledger, the doorbells that make jobs punctual, and notices of cancels. */
final class Afterwards {

    /** More rings than can be left over from before. */
    private static final int RINGS = 20;

    private static final Duration LIMIT = Duration.ofMinutes(2);

    private final FlowFleet fleet;
    private final NoteJob job;
    private final int shards;
    private int number;

    Afterwards(FlowFleet fleet, int shards) {
        this.fleet = fleet;
        this.job = fleet.job();
        this.shards = shards;
    }

    /** Asserts that scripts and the delayed queue ring the doorbell of a shard, and that nodes hear of a cancel. */
    void assertAllWorks(int shard) {
        assertScriptsRing(shard);
        assertDelayedQueueRings(shard);
        assertCancelsAreHeard(shard);
    }

    private void assertScriptsRing(int shard) {
        long before = rings();
        await().atMost(LIMIT).until(() -> {
            runNow(shard);
            return rings() >= before + RINGS;
        });
    }

    /** Runs a job of a shard. */
    void runNow(int shard) {
        String id = submit("now", shard, Duration.ZERO);
        await().atMost(LIMIT).until(() -> job.ids().contains(id));
    }

    private long rings() {
        return fleet.nodes().stream().mapToLong(TestNode::rings).sum();
    }

    /** A job that is due behind the horizon is rung by nothing but the delayed queue of the holder. */
    private void assertDelayedQueueRings(int shard) {
        RScoredSortedSet<Object> arranged = fleet.first()
                .redisson
                .getScoredSortedSet(
                        "redisson_delay_queue_timeout:delayjob:{" + fleet.queue() + ":" + shard + "}:ready");
        // Where the machine stands still, nobody may see them arranged, or they may be late: then again.
        await().atMost(LIMIT).until(() -> arePunctual(arranged, shard));
        await().atMost(LIMIT).until(() -> arranged.size() == 0);
        assertThat(job.seen()).allMatch(seen -> seen.latenessMillis() >= 0);
    }

    /** Whether two jobs are arranged, and run soon when they are due. */
    private boolean arePunctual(RScoredSortedSet<Object> arranged, int shard) {
        // Two, so that they are arranged for long enough to be seen.
        List<String> ids =
                List.of(submit("far", shard, Duration.ofSeconds(4)), submit("far", shard, Duration.ofSeconds(6)));
        AtomicBoolean seenArranged = new AtomicBoolean();
        await().atMost(LIMIT).until(() -> {
            if (arranged.size() > 0) {
                seenArranged.set(true);
            }
            return job.ids().containsAll(ids);
        });
        return seenArranged.get()
                && job.seen().stream()
                        .filter(seen -> ids.contains(seen.id()))
                        .allMatch(seen -> seen.latenessMillis() < 5000);
    }

    /** Long before the next renewal of the lease would find out. */
    private void assertCancelsAreHeard(int shard) {
        await().atMost(LIMIT).until(() -> {
            String id = submit(FlowFleet.LONG, shard, Duration.ZERO);
            await().atMost(LIMIT).until(() -> job.ids().contains(id));
            fleet.first().admin().cancel(fleet.queue(), id);
            return fleet.isInterruptedWithin(id, Duration.ofSeconds(2));
        });
    }

    private String submit(String kind, int shard, Duration delay) {
        String id = Stream.iterate(0, i -> i + 1)
                .map(i -> kind + "-" + number + "-" + i)
                .filter(candidate -> shard(candidate) == shard)
                .findFirst()
                .orElseThrow();
        number++;
        return fleet.first()
                .producer()
                .submitDelayJob(
                        DelayJobRequest.of(NoteJob.class, new Note(kind, 0)).withId(id), delay);
    }

    private int shard(String id) {
        CRC32 crc = new CRC32();
        crc.update(id.getBytes(UTF_8));
        return (int) (crc.getValue() % shards);
    }
}
