package io.delayjob.engine.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.engine.ledger.Call;
import io.delayjob.engine.ledger.ClaimRequest;
import io.delayjob.engine.ledger.JobContent;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.NewJob;
import io.delayjob.engine.ledger.Replication;
import io.delayjob.engine.ledger.Retention;
import io.delayjob.engine.ledger.ShardId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A priority overtakes by so much and no more, so that every job is handed out in the end. The ledger in Redis does the same. */
class PriorityBoundsTest {

    private static final long START = 1_700_000_000_000L;

    private final AtomicLong clock = new AtomicLong(START);
    private final Ledger ledger =
            new MemoryBackend(clock::get).ledger(new ShardId("q", 0), Retention.NONE, Replication.NONE);
    private final Map<String, Job> jobs = new HashMap<>();
    private long calls;

    /** A job that waits, or did. */
    record Job(String id, long due, int priority) {}

    @Test
    void noJobIsOvertakenByMoreThanTheBoostForEachStepOfPriority() {
        for (int seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            int boost = random.nextInt(100);
            for (int step = 0; step < 100; step++) {
                submit(clock.get() + random.nextInt(300), random.nextInt(10));
                claim(random.nextInt(3), boost)
                        .forEach(taken -> jobs.values().stream()
                                .filter(other -> other.due() <= clock.get())
                                .forEach(other -> assertThat(taken.due() - other.due())
                                        .as("%s before %s", taken, other)
                                        .isLessThanOrEqualTo((long) (taken.priority() - other.priority()) * boost)));
                clock.addAndGet(random.nextInt(50));
            }
            clock.addAndGet(100_000);
            assertThat(claim(1000, boost)).isNotEmpty();
            assertThat(jobs).isEmpty();
        }
    }

    @Test
    void aQueueThatIsFullOfTheHighestPriorityComesToTheLowestAfterNineBoosts() {
        submit(START, 0);
        List<Job> taken = new ArrayList<>();
        while (taken.stream().noneMatch(job -> job.priority() == 0)) {
            submit(clock.get(), 9);
            submit(clock.get(), 9);
            taken.addAll(claim(1, 10_000));
            clock.addAndGet(1000);
        }
        // Half of what comes is claimed, so the claims come to what was due 90 s after it in 180 s.
        assertThat(clock.get() - START).isBetween(180_000L, 182_000L);
    }

    private void submit(long due, int priority) {
        Job job = new Job("job-" + calls, due, priority);
        jobs.put(job.id(), job);
        JobContent content = JobContent.of("\"job\":\"j\",\"param\":1}").withPriority(priority);
        ledger.submit(call(), List.of(new NewJob(job.id(), new NewJob.Due(due, false), content)))
                .join();
    }

    /** Jobs in the order in which they are handed out; none of them waits any more. */
    private List<Job> claim(int most, long boost) {
        List<Job> taken = new ArrayList<>();
        for (int i = 0; i < most; i++) {
            Call call = call();
            ClaimRequest request = new ClaimRequest("n", 1, 1_000_000_000, "r" + calls).withBoost(boost);
            ledger.claim(call, request).join().jobs().forEach(job -> {
                Job one = Objects.requireNonNull(jobs.remove(job.lease().id()), "handed out twice");
                taken.add(one);
            });
        }
        return taken;
    }

    private Call call() {
        return new Call("lane", ++calls);
    }
}
