package io.delayjob.journal.autoconfigure;

import static io.delayjob.SubmitResult.Outcome.DEFERRED;
import static io.delayjob.SubmitResult.Outcome.EXISTS;
import static io.delayjob.SubmitResult.Outcome.JOURNALED;
import static io.delayjob.SubmitResult.Outcome.STORED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.delayjob.ActionResult;
import io.delayjob.Dedupe;
import io.delayjob.DelayJobAdmin;
import io.delayjob.DelayJobRequest;
import io.delayjob.JobState;
import io.delayjob.SubmitResult;
import io.delayjob.engine.extension.Transactions;
import io.delayjob.journal.database.TestDatabase;
import io.delayjob.testing.RealRedis;
import io.delayjob.testing.RedisServer;
import io.delayjob.testing.Variants;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Submits as rows of the application's transactions. */
@Execution(ExecutionMode.CONCURRENT)
@Tag(Variants.TAG)
@RealRedis
@ParameterizedClass
@MethodSource("databases")
class OutboxIT {

    /** Transactions of a process that dies right after a commit. */
    private static final Transactions DYING = submit -> true;

    private static final Runs SHARED_RUNS = new Runs();
    private static final Map<TestDatabase, JournalNode> SHARED = new ConcurrentHashMap<>();

    @Parameter
    @SuppressWarnings("NullAway.Init")
    TestDatabase kind;

    private final String queue = "q-" + UUID.randomUUID();
    private final Runs runs = new Runs();
    private final String a = "a-" + UUID.randomUUID();
    private final String b = "b-" + UUID.randomUUID();
    private final String c = "c-" + UUID.randomUUID();
    private String database;

    static Stream<TestDatabase> databases() {
        return TestDatabase.variants();
    }

    @BeforeEach
    void database() {
        database = kind.freshUrl();
    }

    private JournalNode open(String... properties) {
        return JournalNode.open(RedisServer.shared().url(), database, queue, runs, properties);
    }

    /** One of each database for tests that need no other settings, whose jobs have ids of their own. */
    private JournalNode shared() {
        return SHARED.computeIfAbsent(
                kind,
                one -> JournalNode.open(
                        RedisServer.shared().url(), one.freshUrl(), "q-" + UUID.randomUUID(), SHARED_RUNS));
    }

    @AfterParameterizedClassInvocation
    static void closeShared(TestDatabase kind) {
        Optional.ofNullable(SHARED.remove(kind)).ifPresent(JournalNode::close);
    }

    private static String of(String id) {
        return "id = '" + id + "'";
    }

    /** Of the ids, those that have run, as often as they have. */
    private static List<String> ran(Collection<String> ids) {
        return SHARED_RUNS.seen().stream().filter(ids::contains).toList();
    }

    private JournalNode openDying(String... properties) {
        return JournalNode.open(RedisServer.shared().url(), database, queue, runs, DYING, properties);
    }

    @Test
    void runsAfterTheCommitAndIsConfirmed() {
        JournalNode node = shared();
        SubmitResult result = node.transaction().execute(status -> {
            SubmitResult submitted = node.submit(a);
            assertThat(node.rows(of(a) + " AND relay_at IS NOT NULL")).isEqualTo(1);
            return submitted;
        });
        assertThat(result).isEqualTo(new SubmitResult(node.queue(), a, DEFERRED));
        SHARED_RUNS.awaitAll(List.of(a));
        await().until(() -> node.rows(of(a) + " AND state = 'COMPLETED' AND relay_at IS NULL") == 1);
        assertThat(ran(List.of(a))).containsExactly(a);
    }

    private static DelayJobAdmin admin(JournalNode node) {
        return node.context().getBean(DelayJobAdmin.class);
    }

    @Test
    void aDelayCountsFromTheSubmitHoweverLateTheCommit() {
        Duration delay = Duration.ofHours(1);
        JournalNode node = shared();
        long before = System.currentTimeMillis();
        long heldMillis = Objects.requireNonNull(node.transaction().execute(status -> {
            node.producer().submit(JournalNode.note(a), delay);
            long begun = System.nanoTime();
            await().until(() -> System.nanoTime() - begun > 1_000_000_000);
            return (System.nanoTime() - begun) / 1_000_000;
        }));
        await().until(() -> node.rows(of(a) + " AND relay_at IS NULL") == 1);
        long due = Objects.requireNonNull(
                        admin(node).find(node.queue(), a).orElseThrow().dueAt())
                .toEpochMilli();
        assertThat(due)
                .isBetween(before + delay.toMillis(), System.currentTimeMillis() + delay.toMillis() - heldMillis);
    }

    @Test
    void cancelsAndReschedulesRightAfterTheCommit() {
        try (JournalNode node = open();
                JournalNode dying = openDying("delayjob.consume=false")) {
            for (int i = 0; i < 20; i++) {
                String id = "cancelled-" + i;
                node.transaction()
                        .executeWithoutResult(
                                status -> node.producer().submit(JournalNode.note(id), Duration.ofHours(1)));
                assertThat(admin(node).cancel(queue, id)).isEqualTo(ActionResult.done(JobState.DELAYED));
            }
            // A relay brings it, within two seconds.
            dying.transaction()
                    .executeWithoutResult(
                            status -> dying.producer().submit(JournalNode.note("moved"), Duration.ofHours(1)));
            assertThat(admin(dying).reschedule(queue, "moved", Duration.ZERO))
                    .isEqualTo(ActionResult.done(JobState.DELAYED));
            runs.awaitAll(List.of("moved"));
        }
        assertThat(runs.seen()).containsExactly("moved");
    }

    @Test
    void leavesNothingAfterARollback() {
        JournalNode node = shared();
        node.transaction().executeWithoutResult(status -> {
            node.submit(a);
            node.producer().submitAsync(JournalNode.note(b).withAfterCommit(false), Duration.ZERO);
            status.setRollbackOnly();
        });
        node.transaction().executeWithoutResult(status -> node.submit(c));
        SHARED_RUNS.awaitAll(List.of(c));
        assertThat(node.rows(of(a) + " OR " + of(b))).isZero();
        assertThat(ran(List.of(a, b, c))).containsExactly(c);
    }

    @Test
    void rollsBackToASavepoint() {
        JournalNode node = shared();
        node.transaction().executeWithoutResult(status -> {
            node.submit(a);
            Object savepoint = status.createSavepoint();
            node.submit(b);
            status.rollbackToSavepoint(savepoint);
            node.submit(c);
        });
        SHARED_RUNS.awaitAll(List.of(a, c));
        assertThat(node.rows(of(b))).isZero();
        assertThat(ran(List.of(a, b, c))).containsExactlyInAnyOrder(a, c);
    }

    @Test
    void writesABulkWithItsTransaction() {
        Set<String> notes =
                IntStream.range(0, 500).mapToObj(number -> a + number).collect(Collectors.toSet());
        JournalNode node = shared();
        List<SubmitResult> results = node.transaction()
                .execute(status -> node.producer()
                        .submitAll(notes.stream().map(JournalNode::note).toList(), request -> Duration.ZERO));
        assertThat(results).extracting(SubmitResult::outcome).containsOnly(DEFERRED);
        SHARED_RUNS.awaitAll(notes);
        assertThat(ran(notes)).hasSize(500);
    }

    @Test
    void goesStraightToRedisOutsideOfTransactions() {
        JournalNode node = shared();
        assertThat(node.submit(a).outcome()).isEqualTo(STORED);
        SHARED_RUNS.awaitAll(List.of(a));
        await().until(() -> node.rows(of(a) + " AND state = 'COMPLETED'") == 1);
    }

    @Test
    void commitsEverySubmitFirstWhereTheModeIsAlways() {
        try (JournalNode node = open("delayjob.queues." + queue + ".journal.mode=always")) {
            AtomicInteger tries = new AtomicInteger();
            // A submit that Redis does not answer within a second is JOURNALED instead.
            await().untilAsserted(() -> {
                String now = "now-" + tries.incrementAndGet();
                assertThat(node.submit(now).outcome()).isEqualTo(STORED);
                assertThat(node.rows("id = '" + now + "'")).isEqualTo(1);
                String later = "later-" + tries.get();
                assertThat(node.producer()
                                .submit(JournalNode.note(later), Duration.ofHours(1))
                                .outcome())
                        .isEqualTo(STORED);
                assertThat(node.producer()
                                .submit(JournalNode.note(later), Duration.ofHours(1))
                                .outcome())
                        .isEqualTo(EXISTS);
            });
            await().until(() -> node.rows("id = 'later-" + tries + "'") == 1 && node.rows("relay_at IS NOT NULL") == 0);
        }
    }

    @Test
    void takesAnIdAgainAsSoonAsItsJobHasEnded() {
        try (JournalNode node = open("delayjob.journal.mode=always")) {
            for (int times = 1; times <= 5; times++) {
                int expected = times;
                assertThat(node.submit("again").outcome()).isIn(STORED, JOURNALED);
                await().until(() -> runs.seen().size() == expected && node.isGone("again"));
            }
            await().until(() -> node.rows("id = 'again' AND state = 'COMPLETED'") == 5);
        }
    }

    @Test
    void leavesDedupeKeysToRedis() {
        try (JournalNode node = open("delayjob.journal.mode=always", "delayjob.journal.horizon=1m")) {
            AtomicInteger tries = new AtomicInteger();
            // A submit that Redis does not answer within a second is JOURNALED instead.
            await().untilAsserted(() -> {
                Dedupe key = Dedupe.untilFinished("k" + tries.incrementAndGet());
                SubmitResult first = node.producer()
                        .submit(io.delayjob.DelayJobRequest.toTopic("note", "x").withDedupe(key), Duration.ofHours(1));
                SubmitResult second = node.producer()
                        .submit(io.delayjob.DelayJobRequest.toTopic("note", "x").withDedupe(key), Duration.ofHours(1));
                assertThat(first.outcome()).isEqualTo(STORED);
                assertThat(second).isEqualTo(new SubmitResult(queue, first.id(), SubmitResult.Outcome.KEPT));
            });
            await().until(() ->
                    node.rows("1 = 1") == tries.get() && node.rows("live = 1 AND relay_at IS NULL") == tries.get());
        }
    }

    @Test
    void aFarJobHasItsIdAsOneInRedisHas() {
        try (JournalNode node = open("delayjob.journal.horizon=1m")) {
            assertThat(node.producer()
                            .submit(JournalNode.note("far"), Duration.ofHours(1))
                            .outcome())
                    .isEqualTo(JOURNALED);
            Dedupe key = Dedupe.untilFinished("k");
            for (DelayJobRequest<String> near : List.of(
                    JournalNode.note("far"),
                    JournalNode.note("far").withDedupe(key),
                    JournalNode.note("far").withDedupe(key.replacing()),
                    JournalNode.note("far").withDedupe(key.postponing()))) {
                assertThat(node.producer().submit(near, Duration.ZERO))
                        .isEqualTo(new SubmitResult(queue, "far", EXISTS));
            }
            node.transaction().executeWithoutResult(status -> node.submit("far"));
            assertThat(node.submit("near").outcome()).isIn(STORED, JOURNALED);
            runs.awaitAll(List.of("near"));
            assertThat(node.rows("id = 'far'")).isEqualTo(1);
            assertThat(node.rows("id = 'far' AND live = 1 AND relay_at IS NOT NULL"))
                    .isEqualTo(1);
        }
        assertThat(runs.seen()).containsExactly("near");
    }

    @Test
    void aFarJobOfATransactionIsOneAsAnyOther() {
        try (JournalNode node = open("delayjob.journal.horizon=1m")) {
            node.transaction()
                    .executeWithoutResult(
                            status -> node.producer().submit(JournalNode.note("far"), Duration.ofHours(1)));
            assertThat(node.producer()
                            .submit(JournalNode.note("far"), Duration.ofHours(2))
                            .outcome())
                    .isEqualTo(EXISTS);
            assertThat(node.submit("far").outcome()).isEqualTo(EXISTS);
            node.transaction().executeWithoutResult(status -> node.submit("far"));
            assertThat(node.rows("id = 'far'")).isEqualTo(1);
            assertThat(admin(node).counts(queue).delayed()).isEqualTo(1);
            assertThat(admin(node).cancel(queue, "far")).isEqualTo(ActionResult.done(JobState.DELAYED));
            assertThat(node.rows("id = 'far' AND state = 'CANCELLED'")).isEqualTo(1);
        }
    }

    @Test
    void aJobInRedisHasItsIdForFarOnesUntilItHasEnded() {
        try (JournalNode node = open("delayjob.journal.horizon=1h")) {
            AtomicInteger tries = new AtomicInteger();
            // If Redis does not say within a second that it has the id, that is decided when the far job comes there.
            await().untilAsserted(() -> {
                String id = "a" + tries.incrementAndGet();
                node.producer().submit(JournalNode.note(id), Duration.ofMinutes(30));
                await().until(() -> node.rows("id = '" + id + "' AND live = 1 AND relay_at IS NULL") == 1);
                assertThat(node.producer()
                                .submit(JournalNode.note(id), Duration.ofHours(2))
                                .outcome())
                        .isEqualTo(EXISTS);
            });
            String last = "a" + tries;
            // Ended, and the journal does not know yet.
            node.context()
                    .getBean(io.delayjob.journal.internal.writing.FlowWriter.class)
                    .stop();
            node.context().getBean(DelayJobAdmin.class).cancel(queue, last);
            assertThat(node.rows("id = '" + last + "' AND live = 1")).isEqualTo(1);
            assertThat(node.producer()
                            .submit(JournalNode.note(last), Duration.ofHours(2))
                            .outcome())
                    .isEqualTo(JOURNALED);
            assertThat(node.rows("id = '" + last + "' AND relay_at IS NOT NULL"))
                    .isEqualTo(1);
        }
    }

    @Test
    void keepsFarJobsInTheDatabaseAlone() {
        try (JournalNode node = open("delayjob.journal.horizon=1m")) {
            SubmitResult far = node.producer().submit(JournalNode.note("far"), Duration.ofHours(1));
            assertThat(far).isEqualTo(new SubmitResult(queue, "far", JOURNALED));
            assertThat(node.producer()
                            .submit(JournalNode.note("far"), Duration.ofHours(2))
                            .outcome())
                    .isEqualTo(EXISTS);
            node.jdbc().update("UPDATE delayjob_job SET due_at = due_at - 3600000, relay_at = relay_at - 3600000");
            runs.awaitAll(List.of("far"));
            await().until(() -> node.rows("id = 'far' AND state = 'COMPLETED'") == 1);
        }
        assertThat(runs.seen()).containsExactly("far");
    }

    @Test
    void anotherNodeRelaysWhatADeadOneHasCommitted() {
        try (JournalNode living = open()) {
            try (JournalNode dying = openDying("delayjob.consume=false")) {
                dying.transaction().executeWithoutResult(status -> {
                    dying.submit("a");
                    dying.submit("b");
                });
                assertThat(dying.rows("relay_at IS NOT NULL")).isEqualTo(2);
            }
            runs.awaitAll(List.of("a", "b"));
            await().until(() -> living.rows("state = 'COMPLETED'") == 2);
        }
        assertThat(runs.seen()).containsExactlyInAnyOrder("a", "b");
    }

    /** Transactions of a process that stands still between a commit and the submit that follows it. */
    private static Transactions pausing(CountDownLatch goOn) {
        return submit -> {
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCommit() {
                    await().until(() -> goOn.getCount() == 0);
                    var unused = submit.get();
                }
            });
            return true;
        };
    }

    @Test
    void runsNothingTwiceThatItsOwnNodeBringsTooLate() throws InterruptedException {
        List<String> notes =
                IntStream.range(0, 450).mapToObj(number -> "n" + number).toList();
        CountDownLatch goOn = new CountDownLatch(1);
        try (JournalNode living = open();
                JournalNode paused = JournalNode.open(
                        RedisServer.shared().url(),
                        database,
                        queue,
                        runs,
                        pausing(goOn),
                        "delayjob.consume=false",
                        "delayjob.journal.mode=always")) {
            Thread submitter = new Thread(() -> paused.transaction()
                    .executeWithoutResult(status -> paused.producer()
                            .submitAll(notes.stream().map(JournalNode::note).toList(), request -> Duration.ZERO)));
            submitter.start();
            runs.awaitAll(notes);
            await().until(() -> living.rows("state = 'COMPLETED'") == 450);
            goOn.countDown();
            submitter.join();
            // Comes to Redis behind them.
            paused.submit("last");
            runs.awaitAll(List.of("last"));
            await().until(() -> living.rows("state = 'COMPLETED'") == 451);
            assertThat(living.rows("1 = 1")).isEqualTo(451);
        }
        assertThat(runs.seen()).hasSize(451);
    }

    @Test
    void relaysAtItsNextStartWhatNobodyRelayed() {
        try (JournalNode dying = openDying("delayjob.consume=false")) {
            dying.transaction().executeWithoutResult(status -> dying.submit("a"));
        }
        try (JournalNode next = open()) {
            runs.awaitAll(List.of("a"));
            await().until(() -> next.rows("state = 'COMPLETED'") == 1);
        }
        assertThat(runs.seen()).containsExactly("a");
    }

    @Test
    void doesNotRunTwiceWhatRanBeforeItWasConfirmed() {
        // Relayed and run on a node whose journal writes nothing, as if it had died before.
        try (JournalNode node = open("delayjob.journal.mode=always")) {
            // A node that knows the log of the shard brings its jobs itself: there will be no relay.
            await().until(() -> node.submit("before").outcome() == STORED);
            await().until(() -> node.rows("relay_at IS NOT NULL") == 0);
            node.context()
                    .getBean(io.delayjob.journal.internal.writing.FlowWriter.class)
                    .stop();
            node.submit("a");
            runs.awaitAll(List.of("a"));
            assertThat(node.rows("relay_at IS NOT NULL")).isEqualTo(1);
            try (JournalNode other = open()) {
                await().until(() -> other.rows("id = 'a' AND state = 'COMPLETED' AND relay_at IS NULL") == 1);
            }
        }
        assertThat(runs.seen()).filteredOn("a"::equals).hasSize(1);
    }

    @Test
    void refusesAReadOnlyTransaction() {
        JournalNode node = shared();
        TransactionTemplate reading = new TransactionTemplate(
                Objects.requireNonNull(node.transaction().getTransactionManager()), node.transaction());
        reading.setReadOnly(true);
        reading.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRED);
        assertThatThrownBy(() -> reading.executeWithoutResult(status -> node.submit(a)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("read-only")
                .hasMessageContaining(node.queue() + ".journal.mode=off");
    }
}
