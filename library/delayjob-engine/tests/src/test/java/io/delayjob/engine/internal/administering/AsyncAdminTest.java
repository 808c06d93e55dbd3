package io.delayjob.engine.internal.administering;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.ActionResult;
import io.delayjob.JobState;
import io.delayjob.Limits;
import io.delayjob.QueueCounts;
import io.delayjob.engine.LedgersByHand;
import io.delayjob.engine.TestSettings;
import io.delayjob.engine.extension.Extensions;
import io.delayjob.engine.extension.JobEvents;
import io.delayjob.engine.extension.JobOnItsWayException;
import io.delayjob.engine.extension.Journal;
import io.delayjob.engine.extension.JournaledJobs;
import io.delayjob.engine.extension.Transactions;
import io.delayjob.engine.internal.calls.Queues;
import io.delayjob.engine.ledger.Attempt;
import io.delayjob.engine.ledger.Backend;
import io.delayjob.engine.ledger.Call;
import io.delayjob.engine.ledger.JobContent;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.NewJob;
import io.delayjob.engine.ledger.Pointers;
import io.delayjob.engine.ledger.Replication;
import io.delayjob.engine.ledger.Retention;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.engine.ledger.ShardLimits;
import io.delayjob.engine.ledger.StoredJob;
import io.delayjob.engine.ledger.Tally;
import io.delayjob.engine.memory.MemoryBackend;
import io.delayjob.engine.settings.EngineSettings;
import io.delayjob.engine.settings.LimitShares;
import io.delayjob.engine.telemetry.Telemetry;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AsyncAdminTest {

    private static final Duration ANY = Duration.ofSeconds(30);
    private static final int MANY = 10_000_000;
    private static final Pointers POINTING_NOWHERE =
            proxy(Pointers.class, (proxy, method, args) -> CompletableFuture.completedFuture(Optional.empty()));

    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
    private int left = MANY;
    private final AsyncAdmin admin = new AsyncAdmin(
            new Queues(
                    new LedgersByHand((proxy, method, args) -> purged((Integer) args[2])),
                    TestSettings.node("q", TestSettings.shards(2), ANY),
                    "q"::equals,
                    scheduler),
            Extensions.NONE,
            ANY,
            Runnable::run);

    @AfterEach
    void close() {
        scheduler.shutdownNow();
    }

    private CompletableFuture<Integer> purged(int limit) {
        int some = Math.min(limit, left);
        left -= some;
        return CompletableFuture.completedFuture(some);
    }

    @Test
    void purgesAnyNumberOfJobsOfALedgerThatAnswersAtOnce() {
        assertThat(admin.purgeDead("q", Duration.ZERO, MANY - 1).join()).isEqualTo(MANY - 1);
        assertThat(admin.purgeDead("q", Duration.ZERO, MANY).join()).isEqualTo(1);
        assertThat(left).isZero();
    }

    @Test
    void aJobIsLookedForInTheShardOfItsIdThenWhereThatPointsToAndThenInAllOthers() {
        MemoryBackend memory = new MemoryBackend(() -> 0);
        List<String> asked = new ArrayList<>();
        Backend backend = proxy(Backend.class, (proxy, method, args) -> {
            Object made = method.invoke(memory, args);
            return made instanceof Ledger ledger
                    ? proxy(Ledger.class, (itself, call, its) -> {
                        asked.add(call.getName() + " " + ((ShardId) args[0]).number());
                        return call.invoke(ledger, its);
                    })
                    : made;
        });
        EngineSettings node = TestSettings.node("q", TestSettings.shards(4), ANY);
        AsyncAdmin of4 =
                new AsyncAdmin(new Queues(backend, node, "q"::equals, scheduler), Extensions.NONE, ANY, Runnable::run);
        int home = ShardId.of("q", "job", 4).number();
        int other = (home + 1) % 4;
        Ledger there = memory.ledger(new ShardId("q", other), Retention.NONE, Replication.NONE);
        NewJob job = new NewJob("job", new NewJob.Due(9, true), JobContent.of("\"job\":\"j\",\"key\":\"k\"}"));
        there.submit(new Call("l", 1), List.of(job)).join();

        assertThat(of4.find("q", "job").join()).isPresent();
        assertThat(asked).hasSize(5).startsWith("find " + home, "pointers " + home);

        asked.clear();
        memory.ledger(new ShardId("q", home), Retention.NONE, Replication.NONE)
                .pointers()
                .point(List.of(new Pointers.Wanted("job", other, "token", null)))
                .join();
        assertThat(of4.cancel("q", "job").join().done()).isTrue();
        assertThat(asked).containsExactly("cancel " + home, "pointers " + home, "cancel " + other);

        asked.clear();
        assertThat(of4.find("q", "job").join()).isEmpty();
        assertThat(asked).as("the pointer is old").hasSize(5).doesNotHaveDuplicates();

        memory.ledger(new ShardId("q", (home + 2) % 4), Retention.NONE, Replication.NONE)
                .submit(new Call("l", 1), List.of(job))
                .join();
        assertThat(of4.cancel("q", "job").join().done())
                .as("the pointer leads to another one")
                .isTrue();
    }

    /** The first shard has lost its data, and its clock is behind. */
    @Test
    void theLimitsThatWereSetLastAreShownThoughAShardHasNotGotThemAndOthersComeAfterThem() {
        MemoryBackend memory = new MemoryBackend(() -> 0);
        EngineSettings node = TestSettings.node("q", TestSettings.shards(2), ANY);
        AsyncAdmin of2 =
                new AsyncAdmin(new Queues(memory, node, "q"::equals, scheduler), Extensions.NONE, ANY, Runnable::run);
        Limits set = Limits.NONE.withConcurrency(4);
        memory.ledger(new ShardId("q", 1), Retention.NONE, Replication.NONE)
                .limits()
                .set(LimitShares.shared(set, 1, 2), 7)
                .join();
        assertThat(of2.limits("q").join().set()).isEqualTo(set);

        Limits later = Limits.NONE.withConcurrency(6);
        of2.setLimits("q", later).join();
        for (int number = 0; number < 2; number++) {
            assertThat(memory.ledger(new ShardId("q", number), Retention.NONE, Replication.NONE)
                            .limits()
                            .read(0)
                            .join())
                    .returns(later, ShardLimits.View::set)
                    .returns(8L, ShardLimits.View::version);
        }
    }

    /** An admin of a journaled queue; the ledger has a job in this state. */
    private AsyncAdmin journaled(JobState state, Optional<StoredJob> far, AtomicInteger asked) {
        StoredJob stored = new StoredJob(state, 1, "{\"v\":1,\"at\":1}", Attempt.NONE, null, null, null, null);
        Tally tally = new Tally(new QueueCounts(1, 0, 0, 0, 0, false), 0);
        JournaledJobs jobs = proxy(JournaledJobs.class, (proxy, method, args) -> {
            if (method.getName().equals("mayBeOf")) {
                return true;
            }
            asked.incrementAndGet();
            return CompletableFuture.completedFuture(
                    switch (method.getName()) {
                        case "count" -> 5L;
                        case "findFar" -> far;
                        case "cancel" ->
                            far.isPresent() ? ActionResult.done(JobState.DELAYED) : ActionResult.NO_SUCH_JOB;
                        default -> throw new AssertionError(method.getName());
                    });
        });
        return new AsyncAdmin(
                new Queues(
                        new LedgersByHand((proxy, method, args) -> CompletableFuture.completedFuture(
                                switch (method.getName()) {
                                    case "tally" -> tally;
                                    case "find" -> Optional.of(stored);
                                    case "cancel" -> List.of(ActionResult.refused(state));
                                    default -> throw new AssertionError(method.getName());
                                })),
                        TestSettings.node("q", TestSettings.shards(2), ANY),
                        "q"::equals,
                        scheduler),
                new Extensions(
                        List::of,
                        JobEvents.onCallersThread(List.of()),
                        Transactions.NONE,
                        Telemetry.NONE,
                        proxy(Journal.class, (proxy, method, args) -> jobs)),
                ANY,
                Runnable::run);
    }

    private static <T> T proxy(Class<T> type, InvocationHandler calls) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, calls));
    }

    @Test
    void onlyCountsAskTheJournal() {
        AtomicInteger asked = new AtomicInteger();
        AsyncAdmin journaled = journaled(JobState.COMPLETED, Optional.empty(), asked);
        assertThat(journaled.tally("q").join().counts().delayed()).isEqualTo(2);
        journaled.reach("q").join();
        assertThat(asked).hasValue(0);
        assertThat(journaled.counts("q").join().delayed()).isEqualTo(7);
        assertThat(asked).hasValue(1);
        assertThat(journaled.counts(List.of("q")).join().get("q").delayed()).isEqualTo(7);
        assertThat(asked).hasValue(2);
    }

    @Test
    void findsAJobOfTheJournalBehindAFinishedOne() {
        AtomicInteger asked = new AtomicInteger();
        Optional<StoredJob> far = Optional.of(
                new StoredJob(JobState.DELAYED, 9, "{\"v\":1,\"at\":1}", Attempt.NONE, null, null, null, null));
        assertThat(state(journaled(JobState.COMPLETED, far, asked))).isEqualTo(JobState.DELAYED);
        assertThat(state(journaled(JobState.CANCELLED, Optional.empty(), asked)))
                .isEqualTo(JobState.CANCELLED);
        assertThat(asked).hasValue(2);
        assertThat(state(journaled(JobState.DEAD, far, asked))).isEqualTo(JobState.DEAD);
        assertThat(asked).hasValue(2);
    }

    @Test
    void cancelsAJobOfTheJournalBehindAFinishedOne() {
        AtomicInteger asked = new AtomicInteger();
        Optional<StoredJob> far = Optional.of(
                new StoredJob(JobState.DELAYED, 9, "{\"v\":1,\"at\":1}", Attempt.NONE, null, null, null, null));
        assertThat(journaled(JobState.COMPLETED, far, asked).cancel("q", "a").join())
                .isEqualTo(ActionResult.done(JobState.DELAYED));
        assertThat(journaled(JobState.COMPLETED, Optional.empty(), asked)
                        .cancel("q", "a")
                        .join())
                .isEqualTo(ActionResult.refused(JobState.COMPLETED));
    }

    /** An admin of a journaled queue. The ledger gets its job when an action has asked for it so often; until then it is on its way. */
    private AsyncAdmin bringing(int times, AtomicInteger asked, Duration patience) {
        JournaledJobs jobs = proxy(
                JournaledJobs.class,
                (proxy, method, args) -> method.getName().equals("mayBeOf")
                        ? (Object) true
                        : CompletableFuture.failedFuture(new JobOnItsWayException("q", "a")));
        return new AsyncAdmin(
                new Queues(
                        new LedgersByHand(
                                (proxy, method, args) -> method.getName().equals("pointers")
                                        ? POINTING_NOWHERE
                                        : CompletableFuture.completedFuture(List.of(
                                                asked.incrementAndGet() < times
                                                        ? ActionResult.NO_SUCH_JOB
                                                        : ActionResult.done(JobState.READY)))),
                        TestSettings.node("q", TestSettings.shards(2), ANY),
                        "q"::equals,
                        scheduler),
                new Extensions(
                        List::of,
                        JobEvents.onCallersThread(List.of()),
                        Transactions.NONE,
                        Telemetry.NONE,
                        proxy(Journal.class, (proxy, method, args) -> jobs)),
                patience,
                Runnable::run);
    }

    @Test
    void anActionWaitsForAJobThatIsOnItsWayToTheLedger() {
        AtomicInteger asked = new AtomicInteger();
        AsyncAdmin bringing = bringing(3, asked, ANY);
        assertThat(bringing.cancel("q", "a").join()).isEqualTo(ActionResult.done(JobState.READY));
        assertThat(asked).hasValue(3);
        asked.set(0);
        assertThat(bringing.reschedule("q", "a", Duration.ZERO).join()).isEqualTo(ActionResult.done(JobState.READY));
        assertThat(asked).hasValue(3);
    }

    @Test
    void anActionWaitsForAJobOnItsWayNoLongerThanASubmitMayTake() {
        AsyncAdmin bringing = bringing(Integer.MAX_VALUE, new AtomicInteger(), Duration.ofMillis(100));
        assertThatThrownBy(() -> bringing.cancel("q", "a").join())
                .hasMessageContaining("job 'a' of queue 'q' is just being brought to Redis");
    }

    private static JobState state(AsyncAdmin admin) {
        return admin.find("q", "a").join().orElseThrow().state();
    }
}
