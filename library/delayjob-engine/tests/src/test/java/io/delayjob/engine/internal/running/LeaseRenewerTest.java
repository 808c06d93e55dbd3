package io.delayjob.engine.internal.running;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.engine.LedgersByHand;
import io.delayjob.engine.TestSettings;
import io.delayjob.engine.extension.Extensions;
import io.delayjob.engine.extension.Hooks;
import io.delayjob.engine.extension.JobEvents;
import io.delayjob.engine.extension.Transactions;
import io.delayjob.engine.handler.HandlerRegistry;
import io.delayjob.engine.handler.ParamCodec;
import io.delayjob.engine.internal.actors.Rounds;
import io.delayjob.engine.internal.calls.Queues;
import io.delayjob.engine.internal.calls.Shard;
import io.delayjob.engine.ledger.Backend;
import io.delayjob.engine.ledger.Claimed;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.LedgerException;
import io.delayjob.engine.settings.ConsumedQueue;
import io.delayjob.engine.settings.EngineSettings;
import io.delayjob.engine.settings.QueueSettings;
import io.delayjob.engine.telemetry.Telemetry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.json.JsonMapper;

/** Many leases that are due for renewal at once. */
@Execution(ExecutionMode.CONCURRENT)
class LeaseRenewerTest {

    private static final Duration ANY = Duration.ofSeconds(30);
    private static final int MANY = 10_000;

    /** Long enough that a renewed lease is not due for renewal again during a test. */
    private static final Duration LEASE = Duration.ofMinutes(10);

    private static final QueueSettings QUEUE =
            TestSettings.defaults().with(new ConsumedQueue("any", null, null, LEASE, null));

    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
    private final Queue<Sent> sent = new ConcurrentLinkedQueue<>();
    private final AtomicInteger renewals = new AtomicInteger();
    private volatile boolean broken;
    private final Backend backend = new LedgersByHand((proxy, method, args) -> answer(args));
    private final EngineSettings settings = TestSettings.node("q", TestSettings.defaults(), ANY);
    private final Queues queues = new Queues(backend, settings, queue -> true, scheduler);
    private final Shard shard = queues.shards("q").get(0);
    private final JobEvents events = JobEvents.onCallersThread(List.of());
    private final Node node = new Node(
            settings,
            backend,
            queues,
            new HandlerRegistry(List::of),
            new ParamCodec(JsonMapper.shared(), 1000),
            Hooks.of(new Extensions(List::of, events, Transactions.NONE, Telemetry.NONE), queue -> true),
            scheduler,
            Runnable::run);
    private final ShardRuns runs = new ShardRuns(shard, QUEUE, new Slots(MANY), work -> {}, node);
    private final LeaseRenewer renewer = new LeaseRenewer(shard, runs, events);
    private final Rounds rounds = new Rounds("delayjob-renewer");

    private record Sent(List<Ledger.Renewal> renewals, CompletableFuture<List<Boolean>> answer) {

        List<String> ids() {
            return renewals.stream().map(renewal -> renewal.lease().id()).toList();
        }

        void renew() {
            answer.complete(Collections.nCopies(renewals.size(), true));
        }
    }

    @AfterEach
    void close() {
        rounds.stop();
        scheduler.shutdownNow();
    }

    @Test
    void oneRoundRenewsAllThatAreDueInSomeCallsAtOnce() {
        dispatch(MANY);
        renewer.visit();
        assertThat(sent).hasSizeBetween(2, 8);
        renewer.visit();
        int renewed = 0;
        while (!sent.isEmpty()) {
            Sent call = sent.remove();
            renewed += call.renewals().size();
            call.renew();
        }
        assertThat(renewed).isEqualTo(MANY);
        assertThat(runs.running().all().filter(Run::needsRenewal)).isEmpty();
    }

    @Test
    void thoseNearestTheirEndAreRenewedFirst() {
        dispatch(2 * Ledger.MAX_BATCH);
        renewer.visit();
        List<String> first = sent.remove().ids();
        assertThat(first).contains("0", "" + (Ledger.MAX_BATCH - 1));
        assertThat(sent.remove().ids()).contains("" + Ledger.MAX_BATCH, "" + (2 * Ledger.MAX_BATCH - 1));
    }

    @Test
    void afterManyFailuresItGoesOnWithinASecond() {
        dispatch(1);
        rounds.add(renewer);
        rounds.start();
        for (int i = 0; i < 10; i++) {
            fail(next());
        }
        List<Duration> pauses = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            Sent call = next();
            long failed = System.nanoTime();
            fail(call);
            await().atMost(TestSettings.SOON).until(() -> !sent.isEmpty());
            pauses.add(Duration.ofNanos(System.nanoTime() - failed));
        }
        // A busy machine makes some of them longer, and none shorter.
        assertThat(pauses).anyMatch(pause -> pause.compareTo(Duration.ofSeconds(1)) < 0);
        next().renew();
        await().until(() -> runs.running().all().noneMatch(Run::needsRenewal));
    }

    @Test
    void goesOnAfterARoundThatCouldNotBegin() {
        broken = true;
        dispatch(1);
        rounds.add(renewer);
        rounds.start();
        await().atMost(TestSettings.SOON).until(() -> renewals.get() > 2);
        broken = false;
        next().renew();
        await().until(() -> runs.running().all().noneMatch(Run::needsRenewal));
    }

    @Test
    void whatFailsInARoundKeepsItFromNothingElse() {
        dispatch(1);
        rounds.add(() -> {
            throw new AssertionError("broken");
        });
        rounds.add(renewer);
        rounds.start();
        next().renew();
        await().until(() -> runs.running().all().noneMatch(Run::needsRenewal));
    }

    private static void fail(Sent call) {
        call.answer()
                .completeExceptionally(
                        new LedgerException(LedgerException.Kind.NOT_RUN, "away", new IllegalStateException("away")));
    }

    private Sent next() {
        await().atMost(TestSettings.SOON).until(() -> !sent.isEmpty());
        return sent.remove();
    }

    /** Each claimed a little later than the one before, and due for renewal. */
    private void dispatch(int count) {
        long oldest = System.nanoTime() - LEASE.toNanos() / 2;
        IntStream.range(0, count).forEach(i -> runs.dispatch(job("" + i), oldest + i));
    }

    private static Claimed.Job job(String id) {
        return LedgersByHand.handedOut(id);
    }

    /** Answers renewals when the test says so. */
    @SuppressWarnings("unchecked")
    private CompletableFuture<List<Boolean>> answer(Object[] args) {
        renewals.incrementAndGet();
        if (broken) {
            throw new AssertionError("broken");
        }
        CompletableFuture<List<Boolean>> answer = new CompletableFuture<>();
        sent.add(new Sent((List<Ledger.Renewal>) args[0], answer));
        return answer;
    }
}
