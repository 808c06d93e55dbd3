package io.delayjob.redisson.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.engine.ledger.Call;
import io.delayjob.engine.ledger.ClaimRequest;
import io.delayjob.engine.ledger.Claimed;
import io.delayjob.engine.ledger.JobContent;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.NewJob;
import io.delayjob.engine.ledger.Settlement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Of 100 keys with equal weights, each gets its share, though one has 100,000 jobs and came first, and the others have 100 each. */
class FairnessIT {

    private static final int GREEDY = 100_000;
    private static final int OTHERS = 99;
    private static final int EACH = 100;
    private static final int LEASE = 30_000;

    private final TestShard shard = new TestShard();
    private final Ledger ledger = shard.ledger;
    private long number;

    @AfterEach
    void close() {
        shard.close();
    }

    @Test
    @Tag("proof")
    void aKeyWith100000JobsLeavesEachOf99OthersItsShare() {
        submit(IntStream.range(0, GREEDY).mapToObj(n -> job("greedy", n)).toList());
        submit(IntStream.range(0, OTHERS * EACH)
                .mapToObj(n -> job("other" + n % OTHERS, n))
                .toList());
        Map<String, Integer> begun = new HashMap<>();
        for (int n = 1; n <= EACH; n++) {
            claim(OTHERS + 1).forEach(key -> begun.merge(key, 1, Integer::sum));
            int share = n;
            assertThat(begun)
                    .hasSize(OTHERS + 1)
                    .allSatisfy((key, jobs) -> assertThat(jobs)
                            .as("jobs of %s of %d", key, share * (OTHERS + 1))
                            .isBetween((int) Math.floor(0.95 * share), (int) Math.ceil(1.05 * share)));
        }
        assertThat(claim(Ledger.MAX_BATCH))
                .as("once no other waits")
                .hasSize(Ledger.MAX_BATCH)
                .containsOnly("greedy");
    }

    private static NewJob job(String key, int n) {
        return new NewJob(
                key + "-" + n,
                new NewJob.Due(0, true),
                JobContent.of("\"job\":\"j\",\"key\":\"" + key + "\",\"param\":1}"));
    }

    private void submit(List<NewJob> jobs) {
        for (int from = 0; from < jobs.size(); from += Ledger.MAX_BATCH) {
            ledger.submit(
                            new Call("submit", ++number),
                            jobs.subList(from, Math.min(jobs.size(), from + Ledger.MAX_BATCH)))
                    .join();
        }
    }

    /** Begins so many jobs and completes them; answers their keys. */
    private List<String> claim(int most) {
        Claimed claimed = ledger.claim(
                        new Call("claim", ++number),
                        new ClaimRequest("n", ClaimRequest.Limits.of(most), LEASE, "r" + number, false, false, 0))
                .join();
        List<Settlement> ends = claimed.jobs().stream()
                .<Settlement>map(job -> new Settlement.Complete(job.lease(), null, 0))
                .toList();
        ledger.settle(new Call("settle", ++number), ends).join();
        return claimed.jobs().stream()
                .map(job -> job.lease().id())
                .map(id -> id.substring(0, id.indexOf('-')))
                .toList();
    }
}
