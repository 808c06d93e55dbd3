package io.delayjob.redisson.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.ActionResult;
import io.delayjob.Dedupe;
import io.delayjob.JobState;
import io.delayjob.SubmitResult;
import io.delayjob.SubmitResult.Outcome;
import io.delayjob.engine.ledger.Call;
import io.delayjob.engine.ledger.ClaimRequest;
import io.delayjob.engine.ledger.Claimed;
import io.delayjob.engine.ledger.JobContent;
import io.delayjob.engine.ledger.Lease;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.NewJob;
import io.delayjob.engine.ledger.Settlement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** Steps that meet: whichever comes first, all are told the same. */
class RaceIT {

    private static final int ROUNDS = 100;

    private static final Object NOTHING = new Object();

    private final TestShard shard = new TestShard();
    private final Ledger ledger = shard.ledger;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicLong number = new AtomicLong();

    @AfterEach
    void close() {
        threads.shutdownNow();
        shard.close();
    }

    @RepeatedTest(20)
    void oneOfManySubmitsOfAKeyIsStoredAndTheOthersHearOfIt() {
        List<Callable<SubmitResult>> submits = IntStream.range(0, 16)
                .<Callable<SubmitResult>>mapToObj(i -> () -> ledger.submit(
                                new Call("submit-" + i, 1), List.of(job("job-" + i, 500, Dedupe.untilFinished("k"))))
                        .join()
                        .get(0))
                .toList();
        List<SubmitResult> results = atOnce(submits);
        List<SubmitResult> stored = results.stream()
                .filter(result -> result.outcome() == Outcome.STORED)
                .toList();
        assertThat(stored).hasSize(1);
        String id = stored.get(0).id();
        assertThat(results)
                .filteredOn(result -> result.outcome() == Outcome.KEPT)
                .hasSize(15)
                .allMatch(result -> result.id().equals(id));
        assertThat(ledger.counts().join().delayed()).isEqualTo(1);
    }

    @RepeatedTest(20)
    void ofManySubmitsThatReplaceOneIsLeft() {
        List<Callable<SubmitResult>> submits = IntStream.range(0, 16)
                .<Callable<SubmitResult>>mapToObj(i -> () -> ledger.submit(
                                new Call("submit-" + i, 1),
                                List.of(job(
                                        "job-" + i,
                                        500,
                                        Dedupe.untilStarted("k").replacing())))
                        .join()
                        .get(0))
                .toList();
        assertThat(atOnce(submits))
                .extracting(SubmitResult::outcome)
                .containsOnly(Outcome.STORED, Outcome.REPLACED)
                .containsOnlyOnce(Outcome.STORED);
        assertThat(ledger.counts().join().delayed()).isEqualTo(1);
    }

    @Test
    void aCancelThatMeetsAClaimFindsTheJobReadyOrReserved() {
        for (int round = 0; round < ROUNDS; round++) {
            String id = "job-" + round;
            submit(id, 0);
            List<Object> results = atOnce(List.of(() -> cancel(id), () -> claim("claim", id)));
            Lease lease = (Lease) orNull(results.get(1));
            assertThat(results.get(0)).isEqualTo(ActionResult.done(lease == null ? JobState.READY : JobState.RESERVED));
            assertThat(ledger.find(id).join()).isEmpty();
            if (lease != null) {
                assertThat(complete(lease)).isFalse();
            }
        }
    }

    @Test
    void aCancelThatMeetsACompletionLetsOneOfThemHappen() {
        for (int round = 0; round < ROUNDS; round++) {
            String id = "job-" + round;
            submit(id, 0);
            Lease lease = held("claim", id);
            List<Object> results = atOnce(List.of(() -> cancel(id), () -> complete(lease)));
            boolean completed = (Boolean) results.get(1);
            assertThat(results.get(0))
                    .isEqualTo(completed ? ActionResult.NO_SUCH_JOB : ActionResult.done(JobState.RESERVED));
            assertThat(ledger.find(id).join()).isEmpty();
        }
    }

    @Test
    void aRescheduleThatMeetsAClaimMovesTheJobOrIsRefused() {
        for (int round = 0; round < ROUNDS; round++) {
            String id = "job-" + round;
            submit(id, 0);
            List<Object> results = atOnce(List.of(() -> reschedule(id), () -> claim("claim", id)));
            boolean claimed = orNull(results.get(1)) != null;
            assertThat(results.get(0))
                    .isEqualTo(claimed ? ActionResult.refused(JobState.RESERVED) : ActionResult.done(JobState.READY));
            assertThat(ledger.find(id).join().orElseThrow().state())
                    .isEqualTo(claimed ? JobState.RESERVED : JobState.DELAYED);
            cancel(id);
        }
    }

    @Test
    void ofTwoRedrivesOneIsDone() {
        for (int round = 0; round < ROUNDS; round++) {
            String id = "job-" + round;
            submit(id, 0);
            ledger.settle(call("bury"), List.of(new Settlement.Bury(held("claim", id), "e", true)))
                    .join();
            assertThat(atOnce(List.of(() -> redrive("one", id), () -> redrive("two", id))))
                    .containsExactlyInAnyOrder(ActionResult.done(JobState.DEAD), ActionResult.refused(JobState.READY));
            cancel(id);
        }
    }

    @Test
    void noJobIsHandedOutTwice() {
        for (int i = 0; i < 400; i++) {
            submit("job-" + i, 0);
        }
        List<Callable<List<String>>> claims = IntStream.range(0, 8)
                .<Callable<List<String>>>mapToObj(i -> () -> claimAll("claim-" + i))
                .toList();
        List<String> ids = new ArrayList<>();
        atOnce(claims).forEach(ids::addAll);
        assertThat(ids).hasSize(400).doesNotHaveDuplicates();
    }

    private List<String> claimAll(String lane) {
        List<String> ids = new ArrayList<>();
        for (int number = 1; true; number++) {
            List<Claimed.Job> jobs = ledger.claim(
                            new Call(lane, number), new ClaimRequest(lane, 7, 60_000, lane + number))
                    .join()
                    .jobs();
            if (jobs.isEmpty()) {
                return ids;
            }
            jobs.forEach(job -> ids.add(job.lease().id()));
        }
    }

    /** Runs steps as near to each other as threads can be. */
    private <A> List<A> atOnce(List<Callable<A>> steps) {
        CyclicBarrier barrier = new CyclicBarrier(steps.size());
        try {
            List<Future<A>> answers = new ArrayList<>();
            for (Callable<A> step : steps) {
                answers.add(threads.submit(() -> {
                    barrier.await(120, TimeUnit.SECONDS);
                    return step.call();
                }));
            }
            List<A> results = new ArrayList<>();
            for (Future<A> answer : answers) {
                results.add(answer.get(120, TimeUnit.SECONDS));
            }
            return results;
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new IllegalStateException(e);
        }
    }

    private static NewJob job(String id, long delay, @Nullable Dedupe dedupe) {
        return new NewJob(id, new NewJob.Due(delay, true), new JobContent("\"job\":\"j\"}", null, dedupe));
    }

    private void submit(String id, long delay) {
        ledger.submit(call("submit"), List.of(job(id, delay, null))).join();
    }

    /** The lease, or {@link #NOTHING}. */
    private Object claim(String lane, String id) {
        ClaimRequest request = new ClaimRequest("n", 1, 60_000, "r-" + id);
        List<Claimed.Job> jobs = ledger.claim(call(lane), request).join().jobs();
        return jobs.isEmpty() ? NOTHING : jobs.get(0).lease();
    }

    private Lease held(String lane, String id) {
        return (Lease) claim(lane, id);
    }

    private static @Nullable Object orNull(Object answer) {
        return answer == NOTHING ? null : answer;
    }

    private boolean complete(Lease lease) {
        return ledger.settle(call("complete"), List.of(new Settlement.Complete(lease, null, 0)))
                .join()
                .get(0);
    }

    private ActionResult cancel(String id) {
        return ledger.cancel(call("cancel"), List.of(id)).join().get(0);
    }

    private ActionResult reschedule(String id) {
        return ledger.reschedule(call("reschedule"), List.of(new Ledger.Rescheduled(id, 500)))
                .join()
                .get(0);
    }

    private ActionResult redrive(String lane, String id) {
        return ledger.redrive(call(lane), List.of(id)).join().get(0);
    }

    private Call call(String lane) {
        return new Call(lane, number.incrementAndGet());
    }
}
