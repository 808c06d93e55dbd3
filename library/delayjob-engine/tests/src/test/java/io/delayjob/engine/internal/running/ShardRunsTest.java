package io.delayjob.engine.internal.running;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.delayjob.AckMode;
import io.delayjob.Acknowledgment;
import io.delayjob.JobEvent;
import io.delayjob.JobState;
import io.delayjob.engine.TestSettings;
import io.delayjob.engine.extension.Extensions;
import io.delayjob.engine.extension.Hooks;
import io.delayjob.engine.extension.JobEvents;
import io.delayjob.engine.extension.Transactions;
import io.delayjob.engine.handler.Handler;
import io.delayjob.engine.handler.HandlerRegistry;
import io.delayjob.engine.handler.ParamCodec;
import io.delayjob.engine.internal.calls.Queues;
import io.delayjob.engine.internal.calls.Shard;
import io.delayjob.engine.ledger.Call;
import io.delayjob.engine.ledger.ClaimRequest;
import io.delayjob.engine.ledger.Claimed;
import io.delayjob.engine.ledger.JobContent;
import io.delayjob.engine.ledger.Lease;
import io.delayjob.engine.ledger.NewJob;
import io.delayjob.engine.ledger.StoredJob;
import io.delayjob.engine.memory.MemoryBackend;
import io.delayjob.engine.settings.ConsumedQueue;
import io.delayjob.engine.settings.EngineSettings;
import io.delayjob.engine.settings.QueueSettings;
import io.delayjob.engine.telemetry.QueueTelemetry;
import java.time.Duration;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.json.JsonMapper;

/** Claimed jobs that wait for a worker. The test decides when the workers run. */
@Execution(ExecutionMode.CONCURRENT)
class ShardRunsTest {

    private static final Duration ANY = Duration.ofSeconds(30);
    private static final String TOPIC = "topic";
    private static final int WORKERS = 2;
    private static final int RACES = 2000;

    private static final QueueSettings QUEUE =
            TestSettings.defaults().with(new ConsumedQueue("any", null, null, ANY, null));

    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
    private final MemoryBackend backend = new MemoryBackend(() -> 1_000_000);
    private final Deque<Runnable> waiting = new ConcurrentLinkedDeque<>();
    private final List<JobEvent> events = new CopyOnWriteArrayList<>();
    private final List<Acknowledgment> delivered = new CopyOnWriteArrayList<>();
    private Handler.Work listener = (execution, acknowledgment) -> delivered.add(acknowledgment);
    private final List<QueueTelemetry.Outcome> measured = new CopyOnWriteArrayList<>();
    private final QueueTelemetry measuring = new QueueTelemetry() {
        @Override
        public void ended(String job, Outcome outcome, long nanos) {
            measured.add(outcome);
        }
    };
    private final Slots slots = new Slots(WORKERS);
    private final EngineSettings settings = TestSettings.node("q", TestSettings.defaults(), ANY);
    private final Queues queues = new Queues(backend, settings, queue -> true, scheduler);
    private final Shard shard = queues.shards("q").get(0);
    private Executor workers = waiting::add;
    private final Node node = new Node(
            settings,
            backend,
            queues,
            new HandlerRegistry(() -> List.of(TestSettings.listener(
                    TOPIC,
                    AckMode.MANUAL,
                    (execution, acknowledgment) -> listener.execute(execution, acknowledgment)))),
            new ParamCodec(JsonMapper.shared(), 1000),
            Hooks.of(
                    new Extensions(
                            List::of,
                            JobEvents.onCallersThread(List.of(events::add)),
                            Transactions.NONE,
                            queue -> measuring),
                    queue -> true),
            scheduler,
            Runnable::run);
    private final ShardRuns runs = new ShardRuns(shard, QUEUE, slots, work -> workers.execute(work), node);
    private int calls;

    @AfterEach
    void close() {
        scheduler.shutdownNow();
    }

    @Test
    void whatWaitsIsGivenBackWhenTheNodeStopsAlthoughNoWorkerIsFree() {
        int submitted = submit(TOPIC, 3);
        long begun = System.nanoTime();
        claim(submitted);
        runs.giveBackWaiting();
        // Unless the machine stood still for longer than they are to wait.
        boolean inTime = System.nanoTime() - begun < Duration.ofMillis(200).toNanos();
        assertThat(found("0").state())
                .isIn(inTime ? List.of(JobState.RESERVED) : List.of(JobState.RESERVED, JobState.READY));
        runs.stop();
        runs.giveBackWaiting();
        work();
        assertThat(delivered).isEmpty();
        IntStream.range(0, 3)
                .forEach(i -> assertThat(found("" + i))
                        .extracting(StoredJob::state, job -> job.attempt().number())
                        .containsExactly(JobState.READY, 0));
        assertThat(slots.free()).isEqualTo(WORKERS);
        assertThat(claim(3)).extracting(Claimed.Job::begun).containsOnly(false);
    }

    @Test
    void jobsThatWereNotAcknowledgedKeepTheWorkersFromThoseThatWait() {
        claim(submit(TOPIC, 5));
        work();
        assertThat(delivered).hasSize(WORKERS);
        IntStream.range(WORKERS, 5)
                .forEach(i -> assertThat(found("" + i))
                        .extracting(StoredJob::state, job -> job.attempt().number())
                        .containsExactly(JobState.READY, 0));
        assertThat(slots.take(1000)).isZero();
        delivered.get(0).acknowledge();
        assertThat(slots.take(1000)).isEqualTo(1);
        assertThat(slots.begin()).isTrue();
    }

    @Test
    void aJobThatIsCancelledWhileItWaitsGivesItsSlotBackAtOnce() {
        List<Claimed.Job> jobs = claim(submit(TOPIC, 1));
        runs.cancelled(jobs.get(0).lease());
        assertThat(slots.free()).isEqualTo(WORKERS);
        assertThat(events).containsExactly(new JobEvent.Lost("q", "0", null, 1, true));
        work();
        assertThat(delivered).isEmpty();
        assertThat(events).hasSize(1);
        assertThat(slots.free()).isEqualTo(WORKERS);
    }

    /** The two race for the run, which must be found by one of them and by no more. */
    @Test
    void aJobThatIsCancelledWhileItsListenerReturnsIsLostOnce() throws Exception {
        for (int i = 0; i < RACES; i++) {
            Claimed.Job job = claim(submit(TOPIC, 1)).get(0);
            int delay = i % 500;
            CompletableFuture<Void> cancelled = CompletableFuture.runAsync(
                    () -> {
                        while (delivered.isEmpty()) {
                            Thread.onSpinWait();
                        }
                        IntStream.range(0, delay).forEach(spin -> Thread.onSpinWait());
                        runs.cancelled(job.lease());
                    },
                    scheduler);
            work();
            cancelled.get();
            assertThat(events)
                    .as("race %s", i)
                    .filteredOn(JobEvent.Lost.class::isInstance)
                    .hasSize(1);
            assertThat(slots.free()).as("race %s", i).isEqualTo(WORKERS);
            shard.cancel("0").get();
            events.clear();
            delivered.clear();
        }
    }

    @Test
    void aJobThatIsNotDueYetComesToAWorkerWhenItIs() {
        submitDueIn(200);
        long asked = System.nanoTime();
        claimAhead(200);
        await().until(() -> !waiting.isEmpty());
        assertThat(System.nanoTime() - asked)
                .isGreaterThanOrEqualTo(Duration.ofMillis(200).toNanos());
        work();
        assertThat(delivered).hasSize(1);
    }

    @Test
    void aJobThatIsCancelledBeforeItIsDueIsNotRun() {
        submitDueIn(200);
        Lease lease = claimAhead(200).get(0).lease();
        runs.cancelled(lease);
        assertThat(slots.free()).isEqualTo(WORKERS);
        await().until(() -> !waiting.isEmpty());
        work();
        assertThat(delivered).isEmpty();
        assertThat(slots.free()).isEqualTo(WORKERS);
    }

    @Test
    void whatAWorkerReachesWhenItsLeaseMayBeOverDoesNotBegin() {
        claim(submit(TOPIC, 1), System.nanoTime() - ANY.toNanos());
        work();
        assertThat(delivered).isEmpty();
        assertThat(found("0"))
                .extracting(StoredJob::state, job -> job.attempt().number())
                .containsExactly(JobState.READY, 0);
        assertThat(slots.free()).isEqualTo(WORKERS);
    }

    @Test
    void aJobThatNoWorkerCanBeHadForIsGivenBack() {
        workers = work -> {
            throw new OutOfMemoryError("unable to create native thread");
        };
        claim(submit(TOPIC, 1));
        assertThat(found("0"))
                .extracting(StoredJob::state, job -> job.attempt().number())
                .containsExactly(JobState.READY, 0);
        assertThat(slots.free()).isEqualTo(WORKERS);
    }

    @Test
    void aJobThatIsGivenBackWhileAWorkerIsSoughtForItGivesItsSlotBackOnce() {
        workers = work -> {
            runs.stop();
            runs.giveBackWaiting();
            throw new OutOfMemoryError("unable to create native thread");
        };
        claim(submit(TOPIC, 1));
        assertThat(found("0"))
                .extracting(StoredJob::state, job -> job.attempt().number())
                .containsExactly(JobState.READY, 0);
        assertThat(slots.free()).isEqualTo(WORKERS);
    }

    @Test
    void aJobThatWaitsThoughItsWorkerCouldNotBeHadDoesNotBegin() {
        workers = work -> {
            waiting.add(work);
            throw new OutOfMemoryError("unable to create native thread");
        };
        claim(submit(TOPIC, 1));
        work();
        assertThat(delivered).isEmpty();
        assertThat(found("0"))
                .extracting(StoredJob::state, job -> job.attempt().number())
                .containsExactly(JobState.READY, 0);
        assertThat(slots.free()).isEqualTo(WORKERS);
    }

    @Test
    void jobsThatThisNodeCannotRunDoNotCountAsShort() {
        for (int i = 0; i < 300; i++) {
            claim(submit("unknown", 1));
            work();
        }
        assertThat(events).hasSize(600).hasOnlyElementsOfTypes(JobEvent.Claimed.class, JobEvent.Released.class);
        assertThat(slots.take(1000)).isEqualTo(WORKERS);
    }

    @Test
    void anAcknowledgmentAfterTheEndOfItsLeaseCountsUntilTheJobIsHandedOutAndItsAttemptIsMeasuredOnce() {
        claim(submit(TOPIC, 1), System.nanoTime() - ANY.minusSeconds(5).toNanos());
        work();
        await().until(() -> {
            runs.forgetOver();
            return slots.free() == WORKERS;
        });
        delivered.get(0).acknowledge();
        assertThat(shard.ledger().find("0").join()).isEmpty();
        assertThat(events).last().isInstanceOf(JobEvent.Completed.class);
        assertThat(measured).containsExactly(QueueTelemetry.Outcome.UNACKNOWLEDGED);
        assertThat(slots.free()).isEqualTo(WORKERS);
    }

    @Test
    void anAttemptThatGoesOnAfterItsTimeoutIsInterruptedUntilItEnds() {
        listener = (execution, acknowledgment) -> {
            awaitInterrupt();
            awaitInterrupt();
            acknowledgment.acknowledge();
        };
        claim(submitWithTimeout());
        work();
        assertThat(events).last().isInstanceOf(JobEvent.Completed.class);
    }

    @Test
    void aListenerThatTimedOutAndReturnsUnacknowledgedAfterAStopLeavesItsJobToOthers() {
        listener = (execution, acknowledgment) -> {
            awaitInterrupt();
            runs.interrupt();
            runs.releaseUnacknowledged();
        };
        claim(submitWithTimeout());
        work();
        assertThat(found("0"))
                .extracting(StoredJob::state, job -> job.attempt().number())
                .containsExactly(JobState.READY, 0);
        assertThat(slots.free()).isEqualTo(WORKERS);
        assertThat(claim(1)).extracting(Claimed.Job::begun).containsExactly(true);
    }

    /** Swallows an interrupt, as a bean may. */
    private static void awaitInterrupt() {
        assertThatExceptionOfType(InterruptedException.class)
                .isThrownBy(() -> new CountDownLatch(1).await(TestSettings.SOON.toSeconds(), TimeUnit.SECONDS));
    }

    private int submitWithTimeout() {
        submit("\"job\":\"" + TOPIC + "\",\"timeout\":10,\"param\":{\"text\":\"any\",\"number\":1}}", TOPIC, 1, 0);
        return 1;
    }

    private int submit(String topic, int count) {
        return submit(topic, count, 0);
    }

    private void submitDueIn(int millis) {
        submit(TOPIC, 1, millis);
    }

    private int submit(String topic, int count, long millis) {
        return submit("\"job\":\"" + topic + "\",\"param\":{\"text\":\"any\",\"number\":1}}", topic, count, millis);
    }

    private int submit(String body, String topic, int count, long millis) {
        List<NewJob> jobs = IntStream.range(0, count)
                .mapToObj(i -> new NewJob(id(topic, i), new NewJob.Due(millis, true), JobContent.of(body)))
                .toList();
        shard.ledger().submit(new Call("submit", ++calls), jobs).join();
        return count;
    }

    private String id(String topic, int i) {
        return topic.equals(TOPIC) ? "" + i : topic + calls;
    }

    private List<Claimed.Job> claim(int count) {
        return claim(count, System.nanoTime());
    }

    private List<Claimed.Job> claimAhead(int millis) {
        return claim(1, System.nanoTime(), millis);
    }

    private List<Claimed.Job> claim(int count, long askedNanos) {
        return claim(count, askedNanos, 0);
    }

    /** Claims and dispatches jobs, as the taker does. */
    private List<Claimed.Job> claim(int count, long askedNanos, int aheadMillis) {
        slots.giveBack(-count);
        List<Claimed.Job> jobs = shard.ledger()
                .claim(
                        new Call("claim", ++calls),
                        new ClaimRequest(
                                "n",
                                ClaimRequest.Limits.of(count),
                                ANY.toMillis(),
                                "r" + calls,
                                false,
                                false,
                                aheadMillis))
                .join()
                .jobs();
        assertThat(jobs).hasSize(count);
        jobs.forEach(job -> runs.dispatch(job, askedNanos));
        return jobs;
    }

    private void work() {
        while (!waiting.isEmpty()) {
            waiting.remove().run();
        }
    }

    private StoredJob found(String id) {
        return shard.ledger().find(id).join().orElseThrow();
    }
}
