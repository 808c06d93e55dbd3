package io.delayjob.engine.internal.claiming;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import io.delayjob.Backoff;
import io.delayjob.ClaimedJob;
import io.delayjob.JobClaim;
import io.delayjob.JobEvent;
import io.delayjob.JobOptions;
import io.delayjob.JobSettlement;
import io.delayjob.JobState;
import io.delayjob.NodeSnapshot;
import io.delayjob.engine.TelemetryLog;
import io.delayjob.engine.TestSettings;
import io.delayjob.engine.internal.consuming.NodeActors;
import io.delayjob.engine.internal.running.Node;
import io.delayjob.engine.ledger.Backend;
import io.delayjob.engine.ledger.Call;
import io.delayjob.engine.ledger.ClaimRequest;
import io.delayjob.engine.ledger.Doorbell;
import io.delayjob.engine.ledger.Feed;
import io.delayjob.engine.ledger.JobContent;
import io.delayjob.engine.ledger.Lease;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.NewJob;
import io.delayjob.engine.ledger.Replication;
import io.delayjob.engine.ledger.Retention;
import io.delayjob.engine.ledger.Rings;
import io.delayjob.engine.ledger.ScheduleNames;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.engine.ledger.ShardLimits.Begins;
import io.delayjob.engine.ledger.StoredJob;
import io.delayjob.engine.memory.MemoryBackend;
import io.delayjob.engine.telemetry.ClaimVitals;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Claims of a node, on a ledger in memory whose answers to claims can be held up. */
@Execution(ExecutionMode.CONCURRENT)
class ClaimsTest {

    private static final Duration LONG = Duration.ofSeconds(50);
    private static final int SHARDS = 4;
    private static final JobClaim CLAIM = JobClaim.of("q");
    /** With a lease of its own, so that no job is handed out twice however long a test takes. */
    private static final JobClaim WAITING = CLAIM.withMaxWait(LONG).withLease(Duration.ofMinutes(5));

    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
    private final MemoryBackend memory = new MemoryBackend(System::currentTimeMillis);
    private final List<JobEvent> events = new CopyOnWriteArrayList<>();
    private final TelemetryLog telemetry = new TelemetryLog();
    private final AtomicInteger asked = new AtomicInteger();
    private volatile CompletableFuture<?> gate = CompletableFuture.completedFuture(null);
    private volatile boolean feeds = true;
    /** Runs before each settlement reaches the ledger. */
    private volatile Runnable beforeSettlements = () -> {};
    /** How many of the next calls about limits fail. */
    private final AtomicInteger refusals = new AtomicInteger();

    /** How many did not. */
    private final AtomicInteger limitsAsked = new AtomicInteger();
    /** Gates of the answers to claims of the first shard, which a test opens one by one; null while all are given at once. */
    private volatile @Nullable Queue<CompletableFuture<Void>> unanswered;

    private final Node node =
            Nodes.of(new Watched(), TestSettings.shards(SHARDS), TestSettings.SOON, scheduler, events, telemetry);
    private final NodeActors actors = new NodeActors(memory.rings(), scheduler);
    private final Claims claims = claims(Duration.ofMinutes(1));

    private Claims claims(Duration unused) {
        return new Claims(node, queue -> TestSettings.shards(SHARDS), Runnable::run, unused);
    }

    /** The ledger in memory. It counts claims, and answers them when the gate is open. */
    private final class Watched implements Backend {

        @Override
        public Ledger ledger(ShardId shard, Retention retention, Replication replication) {
            Ledger ledger = memory.ledger(shard, retention, replication);
            return (Ledger) Proxy.newProxyInstance(
                    Ledger.class.getClassLoader(), new Class<?>[] {Ledger.class}, (proxy, method, args) -> {
                        if (method.getName().equals("feed") && !feeds) {
                            return new CompletableFuture<>();
                        }
                        if (method.getName().equals("limits") && refusals.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
                            throw new IllegalStateException("it cannot be reached");
                        }
                        if (method.getName().equals("limits")) {
                            limitsAsked.incrementAndGet();
                        }
                        if (method.getName().equals("settle")) {
                            beforeSettlements.run();
                        }
                        try {
                            Object answer = method.invoke(ledger, args);
                            return method.getName().equals("claim")
                                    ? held(shard, (CompletableFuture<?>) answer)
                                    : answer;
                        } catch (InvocationTargetException e) {
                            throw e.getTargetException();
                        }
                    });
        }

        private CompletableFuture<?> held(ShardId shard, CompletableFuture<?> answer) {
            asked.incrementAndGet();
            Queue<CompletableFuture<Void>> gates = unanswered;
            if (gates != null && shard.number() == 0) {
                CompletableFuture<Void> own = new CompletableFuture<>();
                gates.add(own);
                if (unanswered == null) {
                    // The test has opened all gates meanwhile, perhaps before it could see this one.
                    own.complete(null);
                }
                return own.thenCompose(open -> answer);
            }
            return gate.thenCompose(open -> answer);
        }

        @Override
        public Doorbell doorbell(ShardId shard) {
            return memory.doorbell(shard);
        }

        @Override
        public Rings rings() {
            return memory.rings();
        }

        @Override
        public CompletableFuture<Boolean> enlist(List<String> queues) {
            return memory.enlist(queues);
        }

        @Override
        public CompletableFuture<Set<String>> queues() {
            return memory.queues();
        }

        @Override
        public ScheduleNames scheduleNames() {
            return memory.scheduleNames();
        }

        @Override
        public Subscription onNotice(Consumer<Notice> listener) {
            return memory.onNotice(listener);
        }
    }

    private void start() {
        actors.start();
        claims.start(actors);
    }

    @AfterEach
    void close() {
        gate.complete(null);
        actors.stopListening();
        claims.stop();
        claims.leave();
        actors.leave();
        scheduler.shutdownNow();
    }

    private Ledger ledger(int shard) {
        return memory.ledger(new ShardId("q", shard), Retention.NONE, Replication.NONE);
    }

    private void submit(int shard, String id) {
        NewJob job = new NewJob(id, new NewJob.Due(0, true), JobContent.of("\"job\":\"resize\",\"param\":1}"));
        ledger(shard).submit(new Call("submit-" + id, 1), List.of(job)).join();
    }

    private StoredJob found(int shard, String id) {
        return ledger(shard).find(id).join().orElseThrow();
    }

    private static List<String> ids(CompletableFuture<List<ClaimedJob>> claim) {
        await().atMost(TestSettings.SOON).until(claim::isDone);
        return claim.join().stream().map(ClaimedJob::id).toList();
    }

    private void awaitWaiting(int claimsThatWait) {
        await().atMost(TestSettings.SOON).until(() -> claims.vitals().waiting() == claimsThatWait);
    }

    /** Releases a job so that it slows its queue down, while so many calls about limits fail. */
    private void slowDown(int refused) {
        start();
        submit(0, "a");
        CompletableFuture<List<ClaimedJob>> claim = claims.claimAsync(WAITING);
        assertThat(ids(claim)).containsExactly("a");
        refusals.set(refused);
        assertThat(claims.settle(
                        List.of(new JobSettlement.Release(claim.join().get(0).handle(), Duration.ofHours(1)))))
                .containsExactly(true);
    }

    @Test
    void shardsThatCannotBeSlowedDownAtFirstAreOnceTheyCan() {
        slowDown(SHARDS);
        await().atMost(TestSettings.SOON)
                .until(() -> begins().allMatch(begins -> begins.because() == Begins.Because.SLOWED));
    }

    private Stream<Begins> begins() {
        return IntStream.range(0, SHARDS)
                .mapToObj(shard -> ledger(shard).limits().read(0).join().begins());
    }

    @Test
    void shardsThatCannotBeSlowedDownAtFirstAreNotOnceTheQueueWasResumed() {
        slowDown(Integer.MAX_VALUE);
        assertThat(begins()).extracting(Begins::because).contains(Begins.Because.SLOWED);
        IntStream.range(0, SHARDS).forEach(shard -> ledger(shard).pause(false).join());
        int before = limitsAsked.get();
        refusals.set(0);
        await().atMost(TestSettings.SOON).until(() -> limitsAsked.get() >= before + SHARDS - 1);
        assertThat(begins()).extracting(Begins::because).containsOnly(Begins.Because.TIME);
    }

    @Test
    void aPausedQueueGivesNothingUntilItIsResumed() {
        start();
        IntStream.range(0, SHARDS).forEach(shard -> ledger(shard).pause(true).join());
        submit(0, "a");
        CompletableFuture<List<ClaimedJob>> waiting = claims.claimAsync(WAITING);
        assertThat(claims.claimAsync(CLAIM)).isCompletedWithValue(List.of());
        assertThat(waiting).isNotDone();
        IntStream.range(0, SHARDS).forEach(shard -> ledger(shard).pause(false).join());
        assertThat(ids(waiting)).containsExactly("a");
    }

    @Test
    void aClaimThatComesWhileTheOneBeforeItLeavesIsNotForgotten() {
        start();
        int jobs = 3000;
        IntStream.range(0, jobs).forEach(job -> submit(0, "job-" + job));
        Set<String> handedOut = ConcurrentHashMap.newKeySet();
        List<CompletableFuture<Void>> workers = Stream.generate(() -> CompletableFuture.runAsync(
                        () -> {
                            while (handedOut.size() < jobs) {
                                claims.claimAsync(WAITING).join().forEach(job -> handedOut.add(job.id()));
                            }
                        },
                        task -> new Thread(task).start()))
                .limit(3)
                .toList();
        // Less than the claims wait: the end of a wait must not help.
        await().atMost(LONG.dividedBy(2))
                .untilAsserted(() -> assertThat(handedOut).hasSize(jobs));
        claims.stop();
        workers.forEach(CompletableFuture::join);
    }

    @Test
    void claimsAskAtOnceWhileMoreIsDueAndTheFirstGetsTheFirstJob() {
        start();
        int jobs = 16;
        IntStream.range(0, jobs).forEach(job -> submit(0, "job-" + job));
        Queue<CompletableFuture<Void>> gates = new ConcurrentLinkedQueue<>();
        unanswered = gates;
        List<CompletableFuture<List<ClaimedJob>>> waiting =
                Stream.generate(() -> claims.claimAsync(WAITING)).limit(jobs).toList();
        for (int atOnce : List.of(1, 2, 8)) {
            // More if one that stands before them has just come back from another shard.
            await().atMost(TestSettings.SOON).until(() -> gates.size() >= atOnce);
            Stream.generate(gates::remove).limit(atOnce).forEach(answer -> answer.complete(null));
        }
        unanswered = null;
        gates.forEach(answer -> answer.complete(null));
        List<String> handedOut =
                waiting.stream().flatMap(claim -> ids(claim).stream()).toList();
        assertThat(handedOut).hasSize(jobs).doesNotHaveDuplicates().startsWith("job-0");
    }

    @Test
    void aStopAnswersClaimsThatWaitAndRefusesOthersUntilTheNextStart() {
        start();
        CompletableFuture<List<ClaimedJob>> waiting = claims.claimAsync(WAITING);
        claims.stop();
        assertThat(waiting).isCompletedWithValue(List.of());
        assertThatIllegalStateException()
                .isThrownBy(() -> claims.claimAsync(CLAIM))
                .withMessage("this node claims no jobs: it has not started, is stopped, or delayjob.consume is false");
        claims.leave();
        IntStream.range(0, SHARDS)
                .forEach(shard ->
                        assertThat(ledger(shard).fleet().join().nodes()).isEmpty());
        claims.start(actors);
        submit(0, "a");
        assertThat(ids(claims.claimAsync(WAITING))).containsExactly("a");
    }

    @Test
    void aClaimThatAsksDuringAStopStillGetsItsJob() {
        start();
        submit(0, "a");
        gate = new CompletableFuture<>();
        CompletableFuture<List<ClaimedJob>> asking = claims.claimAsync(WAITING);
        claims.stop();
        assertThat(asking).isNotDone();
        scheduler.schedule(() -> gate.complete(null), 200, TimeUnit.MILLISECONDS);
        claims.leave();
        assertThat(asking).isDone();
        assertThat(ids(asking)).containsExactly("a");
    }

    @Test
    void noClaimThatIsMadeWhileTheNodeStopsIsForgotten() throws InterruptedException {
        start();
        Queue<CompletableFuture<List<ClaimedJob>>> made = new ConcurrentLinkedQueue<>();
        Thread claimer = new Thread(() -> {
            try {
                while (true) {
                    made.add(claims.claimAsync(WAITING));
                }
            } catch (IllegalStateException e) {
                // It is stopped.
                return;
            }
        });
        claimer.start();
        await().atMost(TestSettings.SOON).until(() -> !made.isEmpty());
        claims.stop();
        claimer.join();
        await().atMost(TestSettings.SOON).until(() -> made.stream().allMatch(CompletableFuture::isDone));
        assertThat(made).allSatisfy(claim -> assertThat(claim.join()).isEmpty());
    }

    @Test
    void whatACallerDoesWithItsJobsBeforeItsAnswerIsOverMakesThemNoLater() {
        start();
        long submitted = System.nanoTime();
        submit(0, "a");
        gate = new CompletableFuture<>();
        AtomicLong handedOut = new AtomicLong();
        long takes = Duration.ofMillis(200).toNanos();
        var unused = claims.claimAsync(WAITING).thenRun(() -> {
            handedOut.set(System.nanoTime());
            while (System.nanoTime() - handedOut.get() < takes) {
                Thread.onSpinWait();
            }
        });
        gate.complete(null);
        await().atMost(TestSettings.SOON).until(() -> !telemetry.latenessNanos().isEmpty());
        // The ledger's clock is exact to a millisecond only.
        assertThat(telemetry.latenessNanos().get(0)).isLessThan(handedOut.get() - submitted + takes / 2);
    }

    @Test
    void whatIsClaimedForAClaimThatIsCancelledMeanwhileIsGivenBackUnspentAndGoesToTheNext() {
        start();
        submit(0, "a");
        gate = new CompletableFuture<>();
        CompletableFuture<List<ClaimedJob>> gone = claims.claimAsync(WAITING);
        CompletableFuture<List<ClaimedJob>> next = claims.claimAsync(WAITING);
        assertThat(found(0, "a").state()).isEqualTo(JobState.RESERVED);
        gone.cancel(true);
        awaitWaiting(1);
        gate.complete(null);
        assertThat(ids(next)).containsExactly("a");
        assertThat(next.join().get(0).attempt()).isEqualTo(1);
        assertThat(events)
                .filteredOn(JobEvent.Released.class::isInstance)
                .singleElement()
                .returns("its claim was cancelled", event -> ((JobEvent.Released) event).reason());
    }

    /** When the repeat of a claim comes that is cancelled. */
    enum Repeat {
        /** Just before the jobs of the claim are given back. */
        LAST_MOMENT,
        /** Before the claim itself comes to the ledger. */
        OVERTAKES
    }

    @ParameterizedTest
    @EnumSource
    void aRepeatThatIsAnsweredKeepsItsJobsThoughTheClaimIsCancelled(Repeat repeat) {
        start();
        submit(0, "a");
        JobClaim claim = WAITING.withId("claim-1");
        CompletableFuture<List<ClaimedJob>> answered = new CompletableFuture<>();
        CompletableFuture<Void> settled = new CompletableFuture<>();
        beforeSettlements = () -> {
            beforeSettlements = () -> {};
            if (repeat == Repeat.LAST_MOMENT) {
                claims.claimAsync(claim).thenAccept(answered::complete);
            }
            scheduler.execute(() -> settled.complete(null));
        };
        if (repeat == Repeat.OVERTAKES) {
            claims.claimAsync(claim).thenAccept(answered::complete);
        }
        cancelOnceClaimed(claim);
        await().atMost(TestSettings.SOON).until(settled::isDone);
        assertThat(ids(answered)).containsExactly("a");
        assertThat(claims.settle(List.of(
                        new JobSettlement.Complete(answered.join().get(0).handle(), null))))
                .containsExactly(true);
        assertThat(events).noneMatch(JobEvent.Released.class::isInstance);
    }

    @Test
    void whatWasClaimedForACancelledClaimWithAnIdIsGivenBackUnlessItIsRepeated() {
        start();
        submit(0, "a");
        cancelOnceClaimed(WAITING.withId("claim-1"));
        assertThat(ids(claims.claimAsync(WAITING))).containsExactly("a");
        // The next claim may have the job before this one hears that it gave it back.
        await().atMost(TestSettings.SOON)
                .untilAsserted(() -> assertThat(events)
                        .filteredOn(JobEvent.Released.class::isInstance)
                        .hasSize(1));
    }

    /** Cancels a claim when the ledger has handed it the job, before it hears of that. */
    private void cancelOnceClaimed(JobClaim claim) {
        Queue<CompletableFuture<Void>> gates = new ConcurrentLinkedQueue<>();
        unanswered = gates;
        CompletableFuture<List<ClaimedJob>> gone = claims.claimAsync(claim);
        while (found(0, "a").state() != JobState.RESERVED) {
            gates.remove().complete(null);
        }
        gone.cancel(true);
        unanswered = null;
        gates.remove().complete(null);
    }

    @Test
    void aClaimThatIsCancelledAsksForNoMore() {
        start();
        gate = new CompletableFuture<>();
        CompletableFuture<List<ClaimedJob>> gone = claims.claimAsync(CLAIM);
        assertThat(asked).hasValue(1);
        gone.cancel(true);
        gate.complete(null);
        assertThat(asked).hasValue(1);
        awaitWaiting(0);
    }

    @Test
    void aClaimThatIsAnsweredLeavesTheShardsThatItHasNotAskedToThoseBehindIt() {
        // Nothing but the first claim's questions tells of the jobs: no ring, and no feed.
        feeds = false;
        IntStream.range(0, SHARDS).forEach(shard -> submit(shard, "job-" + shard));
        IntStream.range(0, SHARDS)
                .forEach(shard -> memory.rings()
                        .next(List.of(new ShardId("q", shard)), Duration.ofSeconds(1))
                        .join());
        start();
        gate = new CompletableFuture<>();
        List<CompletableFuture<List<ClaimedJob>>> waiting = IntStream.range(0, SHARDS)
                .mapToObj(i -> claims.claimAsync(WAITING))
                .toList();
        gate.complete(null);
        List<String> handedOut = new ArrayList<>();
        waiting.forEach(claim -> handedOut.addAll(ids(claim)));
        assertThat(handedOut).containsExactlyInAnyOrder("job-0", "job-1", "job-2", "job-3");
        assertThat(ids(waiting.get(0))).containsExactly("job-0");
    }

    @Test
    void aClaimGetsTheNextJobIfTheFirstMustNotBeHandedOut() {
        String once = "\"job\":\"resize\",\"max\":1,\"param\":1}";
        ledger(0)
                .submit(
                        new Call("submit", 1),
                        List.of(new NewJob("lost", new NewJob.Due(0, true), JobContent.of(once))))
                .join();
        assertThat(ledger(0)
                        .claim(new Call("dies", 1), new ClaimRequest("n", 1, 1, "r"))
                        .join()
                        .jobs())
                .hasSize(1);
        await().pollDelay(Duration.ofMillis(10)).until(() -> true);
        submit(0, "a");
        start();
        assertThat(claims.claimAsync(CLAIM).join()).extracting(ClaimedJob::id).containsExactly("a");
        assertThat(found(0, "lost").state()).isEqualTo(JobState.DEAD);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 999_999_999_999_999L})
    void aJobWhoseLeaseNobodyCanHaveSubmittedIsHandedOutWithoutIt(long lease) {
        NewJob damaged = new NewJob(
                "a", new NewJob.Due(0, true), new JobContent("\"job\":\"resize\",\"max\":7,\"param\":1}", lease, null));
        ledger(0).submit(new Call("submit", 1), List.of(damaged)).join();
        start();
        assertThat(claims.claimAsync(CLAIM).join())
                .singleElement()
                .returns(
                        JobOptions.NONE.withMaxAttempts(7).withBackoff(Backoff.fixed(Duration.ofMillis(50))),
                        ClaimedJob::options);
    }

    @Test
    void jobsThatMayEndTheirWorkerAreHandedOutBesideFewOthers() {
        for (int i = 0; i < 3; i++) {
            submit(0, "lost-" + i);
        }
        assertThat(ledger(0)
                        .claim(new Call("dies", 1), new ClaimRequest("n", 3, 1, "r"))
                        .join()
                        .jobs())
                .hasSize(3);
        await().pollDelay(Duration.ofMillis(10)).until(() -> true);
        IntStream.range(0, 50).forEach(i -> submit(0, "job-" + i));
        start();
        assertThat(claims.claimAsync(CLAIM.withMax(50)).join())
                .hasSize(TestSettings.defaults().concurrency());
    }

    @Test
    void aClaimThatAsksWhileAJobBecomesDueIsNotOvertakenByTheNext() {
        start();
        CompletableFuture<List<ClaimedJob>> first = claims.claimAsync(WAITING);
        CompletableFuture<List<ClaimedJob>> second = claims.claimAsync(WAITING);
        gate = new CompletableFuture<>();
        int before = asked.get();
        memory.doorbell(new ShardId("q", 0)).ring();
        await().atMost(TestSettings.SOON).until(() -> asked.get() > before);
        // Its ring is heard while the first has asked in vain and does not know.
        submit(0, "a");
        await().pollDelay(Duration.ofMillis(300)).until(() -> true);
        gate.complete(null);
        assertThat(ids(first)).containsExactly("a");
        assertThat(second).isNotDone();
    }

    @Test
    void aClaimWhoseJobsAreSettledIsAnsweredEmptyAtOnceIfItIsRepeatedThoughMoreIsDue() {
        start();
        submit(1, "a");
        submit(1, "b");
        JobClaim claim = WAITING.withId("claim-1");
        List<ClaimedJob> first = claims.claimAsync(claim).join();
        assertThat(first).extracting(ClaimedJob::id).containsExactly("a");
        assertThat(claims.settle(List.of(new JobSettlement.Complete(first.get(0).handle(), null))))
                .containsExactly(true);
        int before = asked.get();
        assertThat(ids(claims.claimAsync(claim))).isEmpty();
        assertThat(asked.get() - before).isLessThanOrEqualTo(2 * SHARDS);
        assertThat(ids(claims.claimAsync(WAITING))).containsExactly("b");
    }

    @Test
    void aRingForWhichNobodyWaitsGoesToAnotherNode() {
        start();
        IntStream.range(0, SHARDS)
                .forEach(shard -> ledger(shard)
                        .feed(TestSettings.feed(new Feed.Presence("other", 60_000, 1, 1, List.of("resize"))))
                        .join());
        assertThat(claims.claimAsync(CLAIM)).isCompletedWithValue(List.of());
        await().atMost(TestSettings.SOON)
                .until(() -> ledger(0).fleet().join().nodes().size() == 2);
        assertThat(claims.claimAsync(CLAIM)).isCompletedWithValue(List.of());
        ShardId shard = new ShardId("q", 0);
        CompletableFuture<Optional<ShardId>> other = memory.rings().next(List.of(shard), TestSettings.SOON);
        // The node listens since longer, so it hears the ring first.
        memory.doorbell(shard).ring();
        assertThat(other.join()).contains(shard);
    }

    /** Starts the node beside another one, which holds all shards, so that nothing but claims and rings leads to others. */
    private void startBesideAnother() {
        Feed.Presence other = new Feed.Presence("other", 60_000, 1, 1, List.of("resize"));
        IntStream.range(0, SHARDS)
                .forEach(shard -> ledger(shard).feed(TestSettings.feed(other)).join());
        start();
        assertThat(claims.claimAsync(CLAIM)).isCompletedWithValue(List.of());
        await().atMost(TestSettings.SOON)
                .untilAsserted(() -> IntStream.range(0, SHARDS)
                        .forEach(shard ->
                                assertThat(ledger(shard).fleet().join().nodes()).hasSize(2)));
        assertThat(claims.claimAsync(CLAIM)).isCompletedWithValue(List.of());
        feeds = false;
    }

    private CompletableFuture<Optional<ShardId>> nextRing(Duration atMost, int... shards) {
        return memory.rings()
                .next(
                        IntStream.of(shards)
                                .mapToObj(shard -> new ShardId("q", shard))
                                .toList(),
                        atMost);
    }

    @Test
    void theLastClaimLeavesWhatElseIsDueToAnotherNode() {
        startBesideAnother();
        IntStream.range(0, 4).forEach(i -> submit(0, "job-" + i));
        while (nextRing(Duration.ofMillis(300), 0).join().isPresent()) {
            // Drops the rings of the submits.
        }
        JobClaim claim = CLAIM.withLease(Duration.ofMinutes(5));
        assertThat(ids(claims.claimAsync(claim))).containsExactly("job-0");
        assertThat(nextRing(TestSettings.SOON, 0).join()).isPresent();
        assertThat(ids(claims.claimAsync(claim))).containsExactly("job-1");
        assertThat(nextRing(Duration.ofMillis(300), 0).join())
                .as("another node has been told")
                .isEmpty();
    }

    @Test
    void whatBecameDueWhileTheLastClaimAskedIsLeftToAnotherNode() {
        startBesideAnother();
        CompletableFuture<List<ClaimedJob>> last = claims.claimAsync(WAITING);
        gate = new CompletableFuture<>();
        int before = asked.get();
        memory.doorbell(new ShardId("q", 0)).ring();
        await().atMost(TestSettings.SOON).until(() -> asked.get() > before);
        submit(1, "a");
        submit(2, "b");
        await().pollDelay(Duration.ofMillis(300)).until(() -> true);
        gate.complete(null);
        assertThat(ids(last)).containsAnyOf("a", "b").hasSize(1);
        assertThat(nextRing(TestSettings.SOON, 1, 2).join()).isPresent();
    }

    @Test
    void aQueueIsWatchedUntilItHasHadNoClaimForAWhile() {
        actors.start();
        Claims impatient = claims(Duration.ofMillis(300));
        impatient.start(actors);
        CompletableFuture<List<ClaimedJob>> waiting = impatient.claimAsync(WAITING);
        await().atMost(TestSettings.SOON)
                .until(() -> ledger(SHARDS - 1).fleet().join().nodes().stream().anyMatch(NodeSnapshot::claims));
        await().pollDelay(Duration.ofSeconds(1))
                .until(() -> impatient.vitals().equals(new ClaimVitals(1, 1, List.of())));
        waiting.cancel(true);
        await().atMost(TestSettings.SOON).until(() -> impatient.vitals().queues() == 0);
        await().atMost(TestSettings.SOON)
                .until(() -> ledger(SHARDS - 1).fleet().join().nodes().isEmpty());
        impatient.stop();
    }

    @Test
    void aSettlementThatCannotBeRightLeavesTheOthersUndone() {
        start();
        submit(0, "a");
        String handle = claims.claimAsync(WAITING).join().get(0).handle();
        JobSettlement fine = new JobSettlement.Complete(handle, null);
        String elsewhere = new ClaimHandle(new ShardId("q", SHARDS), new Lease("a", "1:r"), 1, "resize", 0).text();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> claims.settle(List.of(fine, new JobSettlement.Release(elsewhere))))
                .withMessage("the handle is of shard q:4, but the queue has 4 shards on this node; set the same"
                        + " delayjob.shards on all nodes");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> claims.settle(List.of(fine, new JobSettlement.Complete(handle, "{secret"))))
                .withMessageStartingWith("result of job 'resize' is not JSON: ")
                .withMessageNotContaining("secret");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> claims.settle(List.of(fine, new JobSettlement.Release("made-up"))))
                .withMessageStartingWith("not a handle of a claimed job: 'made-up'");
        assertThat(found(0, "a").state()).isEqualTo(JobState.RESERVED);
        assertThat(claims.settle(List.of(fine))).containsExactly(true);
    }

    @Test
    void extensionsOfManyJobsApplyAndAreTold() {
        start();
        IntStream.range(0, 100).forEach(i -> submit(0, "job-" + i));
        List<ClaimedJob> claimed = claims.claimAsync(WAITING.withMax(100)).join();
        assertThat(claims.settle(claimed.stream()
                        .map(job -> new JobSettlement.Extend(job.handle(), Duration.ofMinutes(5)))
                        .toList()))
                .hasSize(100)
                .containsOnly(true);
        assertThat(events).filteredOn(JobEvent.Renewed.class::isInstance).hasSize(100);
    }
}
