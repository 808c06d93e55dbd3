package io.delayjob.redisson.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import io.delayjob.ActionResult;
import io.delayjob.Dedupe;
import io.delayjob.DelayJobRequest;
import io.delayjob.JobSnapshot;
import io.delayjob.JobState;
import io.delayjob.Limits;
import io.delayjob.SubmitResult;
import io.delayjob.SubmitResult.Outcome;
import io.delayjob.engine.Note;
import io.delayjob.engine.NoteJob;
import io.delayjob.engine.TestSettings;
import io.delayjob.engine.ledger.Retention;
import io.delayjob.testing.RealRedis;
import io.delayjob.testing.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Jobs with ids of their callers and keys, in a queue with several shards: most ids belong to other shards than their keys. */
@RealRedis
class KeysAndIdsIT {

    private static final int SHARDS = 4;
    private static final Duration LATER = Duration.ofMinutes(5);

    /** So many that some of them belong to each shard. */
    private static final List<String> IDS =
            IntStream.range(0, 40).mapToObj(n -> "order-" + n).toList();

    private final String queue = TestSettings.queue();
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private final NoteJob job = new NoteJob(execution -> {
        most.accumulateAndGet(running.incrementAndGet(), Math::max);
        running.decrementAndGet();
    });
    private final TestNode node = node();

    private TestNode node() {
        return TestNode.start(RedisServer.shared().url(), queue, TestNode.patient(TestSettings.shards(SHARDS)), job);
    }

    @AfterEach
    void close() {
        node.close();
    }

    private static DelayJobRequest<Note> request(String id) {
        return DelayJobRequest.of(NoteJob.class, new Note(id, 1)).withId(id);
    }

    private List<Outcome> submit(TestNode by, Duration delay, Optional<String> key) {
        List<DelayJobRequest<Note>> requests = IDS.stream()
                .map(KeysAndIdsIT::request)
                .map(request -> key.map(request::withKey).orElse(request))
                .toList();
        return by.producer().submitAll(requests, request -> delay).stream()
                .map(SubmitResult::outcome)
                .toList();
    }

    private List<JobState> states() {
        return IDS.stream()
                .flatMap(id -> node.admin().find(queue, id).stream())
                .map(JobSnapshot::state)
                .toList();
    }

    @Test
    void aJobIsFoundAndActedOnByItsId() {
        assertThat(submit(node, LATER, Optional.of("customer-1"))).containsOnly(Outcome.STORED);
        assertThat(states()).hasSameSizeAs(IDS).containsOnly(JobState.DELAYED);
        assertThat(IDS).allMatch(id -> node.admin().reschedule(queue, id, LATER).done());
        assertThat(IDS).extracting(id -> node.admin().explain(queue, id).job()).doesNotContainNull();
        assertThat(IDS).allMatch(id -> node.admin().cancel(queue, id).done());
        assertThat(states()).isEmpty();
        assertThat(node.admin().cancel(queue, "order-7")).isEqualTo(ActionResult.NO_SUCH_JOB);
    }

    @Test
    void anIdIsThatOfOneJobWhateverItsKeyAndWhicheverNodeSubmitsIt() {
        try (TestNode other = node()) {
            assertThat(submit(node, LATER, Optional.of("customer-1"))).containsOnly(Outcome.STORED);
            assertThat(submit(other, LATER, Optional.of("customer-1"))).containsOnly(Outcome.EXISTS);
            assertThat(submit(other, LATER, Optional.of("customer-2"))).containsOnly(Outcome.EXISTS);
            assertThat(submit(node, LATER, Optional.of("customer-3"))).containsOnly(Outcome.EXISTS);
            assertThat(submit(other, LATER, Optional.empty())).containsOnly(Outcome.EXISTS);
            assertThat(node.admin().counts(queue).delayed()).isEqualTo(IDS.size());
            IDS.forEach(id -> node.admin().cancel(queue, id));
            assertThat(submit(other, LATER, Optional.of("customer-2"))).containsOnly(Outcome.STORED);
            IDS.forEach(id -> other.admin().cancel(queue, id));
            assertThat(submit(node, LATER, Optional.empty())).containsOnly(Outcome.STORED);
            assertThat(submit(other, LATER, Optional.of("customer-2"))).containsOnly(Outcome.EXISTS);
        }
    }

    @Test
    void ofManyThatSubmitAnIdAtOnceOneStoresAJob() {
        try (TestNode other = node()) {
            List<CompletableFuture<SubmitResult>> answers = IDS.stream()
                    .flatMap(id -> IntStream.range(0, 8)
                            .mapToObj(n -> (n % 2 == 0 ? node : other)
                                    .producer()
                                    .submitAsync(
                                            n == 7 ? request(id) : request(id).withKey("customer-" + n), LATER)))
                    .toList();
            assertThat(answers)
                    .extracting(answer -> answer.join().outcome())
                    .filteredOn(Outcome.STORED::equals)
                    .hasSameSizeAs(IDS);
            assertThat(node.admin().counts(queue).delayed()).isEqualTo(IDS.size());
        }
    }

    @Test
    void jobsOfAKeyRunOneAtATimeAndTheirIdsAreFreeThen() {
        node.admin().setLimits(queue, Limits.NONE.withPerKey(Limits.NONE.withConcurrency(1)));
        try (TestNode other = node()) {
            submit(other, Duration.ZERO, Optional.of("customer-1"));
            await().atMost(TestSettings.SOON).until(() -> job.seen().size() == IDS.size());
            await().atMost(TestSettings.SOON).until(() -> states().isEmpty());
            assertThat(submit(other, Duration.ZERO, Optional.of("customer-2"))).containsOnly(Outcome.STORED);
            await().atMost(TestSettings.SOON).until(() -> job.seen().size() == 2 * IDS.size());
            assertThat(most).hasValue(1);
        }
    }

    @Test
    void aDedupeKeyAndAnIdGoTogether() {
        Dedupe dedupe = Dedupe.untilFinished("order-42");
        for (String id : IDS.subList(0, 8)) {
            SubmitResult first = node.producer().submit(request(id).withDedupe(dedupe), LATER);
            assertThat(first.outcome()).isEqualTo(Outcome.STORED);
            SubmitResult second = node.producer().submit(request("next-" + id).withDedupe(dedupe), LATER);
            assertThat(second).isEqualTo(new SubmitResult(queue, id, Outcome.KEPT));
            assertThat(node.producer().submit(request(id), LATER).outcome()).isEqualTo(Outcome.EXISTS);
            SubmitResult third = node.producer().submit(request("last-" + id).withDedupe(dedupe.replacing()), LATER);
            assertThat(third.outcome()).isEqualTo(Outcome.REPLACED);
            assertThat(node.admin().find(queue, id)).isEmpty();
            assertThat(node.admin().cancel(queue, "last-" + id).done()).isTrue();
            assertThat(node.producer().submit(request(id), LATER).outcome()).isEqualTo(Outcome.STORED);
        }
    }

    @Test
    void refusesAKeyAndADedupeKeyOfDifferentShardsAndStoresNothing() {
        DelayJobRequest<Note> apart =
                request("order-7").withKey("customer-1").withDedupe(Dedupe.untilFinished("order-42"));
        String message = "queue '" + queue + "' has 4 shards, and the key 'customer-1' belongs to another one than the"
                + " dedupe key 'order-42'; leave one of them out, or use the same text for both";
        assertThatIllegalArgumentException()
                .isThrownBy(() -> node.producer().submit(apart, LATER))
                .withMessage(message);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> node.producer().submitAll(List.of(request("order-8"), apart), request -> LATER))
                .withMessage(message);
        assertThat(node.admin().counts(queue).delayed()).isZero();
        assertThat(node.producer().submit(apart.withKey("order-42"), LATER).outcome())
                .isEqualTo(Outcome.STORED);
    }

    @Test
    void aFinishedJobThatIsKeptIsFoundByItsId() {
        String kept = TestSettings.queue();
        try (TestNode keeping = TestNode.start(
                RedisServer.shared().url(),
                kept,
                TestNode.patient(TestSettings.retaining(SHARDS, new Retention(Duration.ofHours(1), 1000))),
                job)) {
            submit(keeping, Duration.ZERO, Optional.of("customer-1"));
            await().atMost(TestSettings.SOON)
                    .until(() -> IDS.stream()
                            .allMatch(id -> keeping.admin()
                                    .find(kept, id)
                                    .map(JobSnapshot::state)
                                    .equals(Optional.of(JobState.COMPLETED))));
        }
    }
}
