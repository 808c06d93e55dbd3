package io.delayjob.redisson.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.Limits;
import io.delayjob.engine.ledger.Call;
import io.delayjob.engine.ledger.ClaimRequest;
import io.delayjob.engine.ledger.Claimed;
import io.delayjob.engine.ledger.JobContent;
import io.delayjob.engine.ledger.Lease;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.NewJob;
import io.delayjob.engine.ledger.Settlement;
import io.delayjob.engine.ledger.ShardLimits.Shared;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * No key ever runs more jobs at once than it may, whatever becomes of these: they complete, fail, are given back, or their node dies and others get them
 * after their leases. {@code -Ddelayjob.acquisitions=10000000} plays longer.
 */
class KeyPermitsIT {

    private static final int ACQUISITIONS = Integer.getInteger("delayjob.acquisitions", 100_000);
    private static final long SEED = Long.getLong("delayjob.acquisitions.seed", System.nanoTime());
    private static final int KEYS = 60;
    private static final int BATCH = 100;
    private static final int MOST_WAITING = 1000;
    private static final long LEASE = 1000;

    private final TestShard shard = new TestShard();
    private final Ledger ledger = shard.ledger;
    private final Random random = new Random(SEED);

    /** The leases of the jobs that run, whether their nodes live or not. */
    private final Map<String, Lease> running = new HashMap<>();

    /** Of these, the ones that a live node has. */
    private final List<Lease> mine = new ArrayList<>();

    private final int[] runningOfKey = new int[KEYS];
    private long now = TestShard.START;
    private long number;
    private int submitted;
    private int waiting;
    private int acquired;

    @AfterEach
    void close() {
        shard.close();
    }

    private static String key(int n) {
        return "key-" + n;
    }

    private static int most(int key) {
        return 1 + key % 3;
    }

    /** The key of a job, which begins its id. */
    private static int keyOf(String id) {
        return Integer.parseInt(id.substring(0, id.indexOf('-')));
    }

    @Test
    @Tag("proof")
    void noKeyRunsMoreThanItMayWhateverBecomesOfItsJobs() {
        ledger.limits()
                .set(Shared.of(Limits.NONE.withPerKey(Limits.NONE.withConcurrency(1))), 0)
                .join();
        IntStream.range(0, KEYS)
                .forEach(key -> ledger.limits()
                        .set(key(key), Limits.NONE.withConcurrency(most(key)))
                        .join());
        while (acquired < ACQUISITIONS) {
            step();
        }
        while (waiting > 0 || !running.isEmpty()) {
            pass(LEASE + 1);
            claim();
            settle(1, lease -> new Settlement.Complete(lease, null, 0));
        }
        assertThat(shard.state())
                .as("seed %d", SEED)
                .doesNotContainKeys("keyed", "lanes", "held", "turns", "wakes", "blocked");
    }

    private void step() {
        switch (random.nextInt(10)) {
            case 0 -> pass(random.nextInt(200));
            case 1 -> settle(0.2, lease -> new Settlement.Retry(lease, random.nextInt(300), "broke"));
            case 2 -> settle(0.2, lease -> new Settlement.Release(lease, null, null));
            case 3 -> mine.removeIf(lease -> random.nextInt(4) == 0);
            case 4, 5, 6 -> settle(0.7, lease -> new Settlement.Complete(lease, null, 0));
            default -> claim();
        }
        if (waiting < MOST_WAITING) {
            submit();
        }
    }

    private void pass(long millis) {
        now += millis;
        shard.setClock(now);
    }

    private void submit() {
        List<NewJob> jobs = IntStream.range(0, BATCH)
                .mapToObj(n -> {
                    int key = random.nextInt(KEYS);
                    return new NewJob(
                            key + "-" + submitted++,
                            new NewJob.Due(random.nextInt(100), true),
                            JobContent.of("\"job\":\"j\",\"key\":\"" + key(key) + "\",\"param\":1}"));
                })
                .toList();
        ledger.submit(new Call("submit", ++number), jobs).join();
        waiting += BATCH;
    }

    private void claim() {
        Claimed claimed = ledger.claim(
                        new Call("claim", ++number),
                        new ClaimRequest("n", ClaimRequest.Limits.of(BATCH), LEASE, "r" + number, false, false, 0))
                .join();
        for (Claimed.Job job : claimed.jobs()) {
            Lease lease = job.lease();
            acquired++;
            if (running.put(lease.id(), lease) == null) {
                waiting--;
                runningOfKey[keyOf(lease.id())]++;
            }
            mine.add(lease);
        }
        for (int key = 0; key < KEYS; key++) {
            assertThat(runningOfKey[key])
                    .as("jobs of %s at once, after %d with seed %d", key(key), acquired, SEED)
                    .isLessThanOrEqualTo(most(key));
        }
    }

    /** Ends a part of the attempts, in one call. */
    private void settle(double part, Function<Lease, Settlement> end) {
        List<Lease> ended = mine.stream()
                .filter(lease -> random.nextDouble() < part)
                .limit(Ledger.MAX_BATCH)
                .toList();
        if (ended.isEmpty()) {
            return;
        }
        List<Settlement> settlements = ended.stream().map(end).toList();
        List<Boolean> done =
                ledger.settle(new Call("settle", ++number), settlements).join();
        mine.removeAll(ended);
        for (int i = 0; i < ended.size(); i++) {
            Lease lease = ended.get(i);
            assertThat(done.get(i)).isEqualTo(lease.equals(running.get(lease.id())));
            if (done.get(i)) {
                running.remove(lease.id());
                runningOfKey[keyOf(lease.id())]--;
                waiting += settlements.get(i) instanceof Settlement.Complete ? 0 : 1;
            }
        }
    }
}
