package io.delayjob.journal.internal.restoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.DelayJobException;
import io.delayjob.JobRestore;
import io.delayjob.JobState;
import io.delayjob.JobStep;
import io.delayjob.JournalDiff;
import io.delayjob.JournalScope;
import io.delayjob.Limits;
import io.delayjob.RestoreReport;
import io.delayjob.Schedule;
import io.delayjob.engine.ledger.Call;
import io.delayjob.engine.ledger.ClaimRequest;
import io.delayjob.engine.ledger.Claimed;
import io.delayjob.engine.ledger.JobContent;
import io.delayjob.engine.ledger.KeptSchedule;
import io.delayjob.engine.ledger.Lease;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.NewJob;
import io.delayjob.engine.ledger.Pointers;
import io.delayjob.engine.ledger.Replication;
import io.delayjob.engine.ledger.Retention;
import io.delayjob.engine.ledger.Schedules;
import io.delayjob.engine.ledger.SetLimits;
import io.delayjob.engine.ledger.Settlement;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.engine.ledger.StoredJob;
import io.delayjob.engine.memory.MemoryBackend;
import io.delayjob.journal.database.Submissions;
import io.delayjob.journal.database.TestDatabase;
import io.delayjob.journal.internal.pointing.PointedIds;
import io.delayjob.journal.internal.tables.Database;
import io.delayjob.journal.internal.tables.DueRow;
import io.delayjob.journal.internal.tables.LockTable;
import io.delayjob.journal.internal.tables.Loss;
import io.delayjob.journal.internal.tables.ShardRow;
import io.delayjob.journal.internal.writing.AfterDrain;
import io.delayjob.journal.internal.writing.FlowWriter;
import io.delayjob.journal.internal.writing.WriterSettings;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.springframework.jdbc.core.JdbcTemplate;

@Execution(ExecutionMode.CONCURRENT)
class JournalAdminTest {

    private static final String QUEUE = "orders";
    private static final ShardId FIRST = new ShardId(QUEUE, 0);
    private static final ShardId SECOND = new ShardId(QUEUE, 1);

    private final List<ShardId> shards = List.of(FIRST, SECOND);
    private volatile MemoryBackend backend = new MemoryBackend(System::currentTimeMillis);
    private HikariDataSource source;
    private Database database;
    private FlowWriter writer;
    private LockTable locks;
    private JournalAdmin journal;
    private long calls;

    @BeforeEach
    void open() {
        source = TestDatabase.H2_MEMORY.prepared();
        database = Database.of(source, "test");
        shards.forEach(database.shards()::enlist);
        writer = writer();
        locks = new LockTable(source, database.dialect());
        journal = journal(this::ledger);
        shards.forEach(this::awaitWritten);
    }

    private JournalAdmin journal(Function<ShardId, Ledger> ledgers) {
        return journal(ledgers, (shard, position) -> new AwaitWritten(writer.catchUp()).await(shard, position));
    }

    private JournalAdmin journal(Function<ShardId, Ledger> ledgers, WrittenFlow written) {
        return new JournalAdmin(
                () -> shards.stream()
                        .map(shard -> new JournaledShard(shard, ledgers.apply(shard), shards.size()))
                        .toList(),
                new PointedIds(ledgers, queue -> shards.size()),
                database,
                written,
                () -> backend.scheduleNames(),
                queue -> writer.state(queue).lagMillis());
    }

    private FlowWriter writer() {
        FlowWriter started = new FlowWriter(
                database,
                new FlowWriter.Links(
                        this::ledger,
                        new PointedIds(this::ledger, queue -> shards.size()),
                        shard -> true,
                        AfterDrain.NONE,
                        (shard, loss, at) -> {},
                        (shard, fence) -> {}),
                WriterSettings.of(10_000));
        started.start();
        return started;
    }

    @AfterEach
    void close() {
        writer.stop();
        source.close();
    }

    private Ledger ledger(ShardId shard) {
        return backend.ledger(shard, Retention.NONE, Replication.NONE);
    }

    private Call call() {
        return new Call("test:" + ++calls, 1);
    }

    private void submit(ShardId shard, String id, Duration delay) {
        NewJob job = new NewJob(
                id,
                new NewJob.Due(delay.toMillis(), true),
                JobContent.of("\"job\":\"close\",\"param\":12345678901234567890}"));
        ledger(shard).submit(call(), List.of(job)).join();
    }

    private Lease claim(ShardId shard) {
        Claimed claimed = ledger(shard)
                .claim(call(), new ClaimRequest("node", 1, 60_000, "r" + calls))
                .join();
        return claimed.jobs().get(0).lease();
    }

    /** Jobs by id as the ledgers have them: all that must be the same after a restore. */
    private Map<String, StoredJob> ledgers(List<String> ids) {
        Map<String, StoredJob> all = new HashMap<>();
        for (ShardId shard : shards) {
            ids.forEach(id -> ledger(shard).find(id).join().ifPresent(job -> all.put(id, job)));
        }
        return all;
    }

    private StoredJob stored(String id) {
        return Objects.requireNonNull(ledgers(List.of(id)).get(id));
    }

    private void awaitWritten(ShardId shard) {
        await().until(() -> !ledger(shard).missing(List.of()).join().last().equals("0-0"));
        new AwaitWritten(writer.catchUp())
                .await(shard, ledger(shard).missing(List.of()).join().last());
    }

    /** Empties Redis like FLUSHALL, after the journal has written everything. */
    private void loseEverything() {
        shards.forEach(this::awaitWritten);
        backend = new MemoryBackend(System::currentTimeMillis);
        writer.stop();
        writer = writer();
        shards.forEach(this::awaitWritten);
    }

    private RestoreReport restore(JournalScope scope) {
        return journal.restore(JobRestore.of(scope));
    }

    @Test
    void putsEverythingBackAsItWas() {
        submit(FIRST, "waits", Duration.ofHours(1));
        submit(SECOND, "overdue", Duration.ZERO);
        submit(FIRST, "dead", Duration.ZERO);
        ledger(FIRST)
                .settle(call(), List.of(new Settlement.Bury(claim(FIRST), "no such order", true)))
                .join();
        submit(FIRST, "failed", Duration.ZERO);
        ledger(FIRST)
                .settle(call(), List.of(new Settlement.Retry(claim(FIRST), 3_600_000, "timeout")))
                .join();
        Map<String, StoredJob> before = ledgers(List.of("waits", "overdue", "dead", "failed"));
        loseEverything();
        assertThat(ledgers(List.of("waits", "overdue", "dead", "failed"))).isEmpty();

        JournalDiff diff = journal.diff(JournalScope.ALL);
        assertThat(diff.missingInRedis()).isEqualTo(4);
        assertThat(diff.samples()).extracting(JournalDiff.Difference::redis).containsOnlyNulls();
        assertThat(restore(JournalScope.of(QUEUE))).isEqualTo(new RestoreReport(4, 4, 0, 0, 0, 0));

        Map<String, StoredJob> after = ledgers(List.of("waits", "overdue", "dead", "failed"));
        assertThat(after).hasSize(4);
        before.forEach((id, job) -> {
            StoredJob now = Objects.requireNonNull(after.get(id));
            assertThat(now.state()).as(id).isEqualTo(job.state());
            assertThat(now.atMillis()).as(id).isEqualTo(job.atMillis());
            assertThat(now.record()).as(id).isEqualTo(job.record());
            assertThat(now.attempt().number()).as(id).isEqualTo(job.attempt().number());
            assertThat(now.error()).as(id).isEqualTo(job.error());
        });
        assertThat(journal.diff(JournalScope.ALL)).isEqualTo(new JournalDiff(4, 0, 0, 0, 0, List.of()));
        assertThat(restore(JournalScope.ALL)).isEqualTo(new RestoreReport(4, 0, 4, 0, 0, 0));
    }

    private static String idOf(ShardId shard) {
        return IntStream.range(0, 100)
                .mapToObj(i -> "id-" + i)
                .filter(id -> ShardId.of(QUEUE, id, 2).equals(shard))
                .findFirst()
                .orElseThrow();
    }

    private void point(String id, ShardId from, ShardId to) {
        ledger(from)
                .pointers()
                .point(List.of(new Pointers.Wanted(id, to.number(), "stale", null)))
                .join();
    }

    @Test
    void aJobIsRestoredWhereItsIdPointsAwayToNoJob() {
        String id = idOf(FIRST);
        submit(FIRST, id, Duration.ofHours(1));
        loseEverything();
        point(id, FIRST, SECOND);
        assertThat(restore(JournalScope.of(QUEUE))).isEqualTo(new RestoreReport(1, 1, 0, 0, 0, 0));
        assertThat(ledger(FIRST).find(id).join()).isPresent();
    }

    @Test
    void theLossOfAShardIsKnownUntilNoOtherShardHasAJobOfAnIdThatItLost() {
        String id = idOf(FIRST);
        submit(FIRST, id, Duration.ofHours(1));
        loseEverything();
        awaitAdopted();
        point(id, FIRST, SECOND);
        // Not written by the journal: of an older state, which is about to be cancelled.
        writer.stop();
        submit(SECOND, id, Duration.ofHours(1));
        journal.restoreReplaced(() -> {});
        assertThat(ledger(FIRST).find(id).join()).isEmpty();
        assertThat(isLost(FIRST)).isTrue();
        ledger(SECOND).cancel(call(), List.of(id)).join();
        assertThat(restore(JournalScope.of(QUEUE)).restored()).isEqualTo(1);
        assertThat(ledger(FIRST).find(id).join()).isPresent();
        assertThat(isLost(FIRST)).isFalse();
        writer.start();
    }

    private boolean isLost(ShardId shard) {
        return database.shards().find(shard).orElseThrow().lost() != null;
    }

    @Test
    void limitsThatDoNotSufficeForTheShardsDoNotKeepAnythingElse() {
        submit(FIRST, idOf(FIRST), Duration.ofHours(1));
        ledger(FIRST).limits().pause("customer", true).join();
        loseEverything();
        database.limits().put(FIRST, List.of(new SetLimits("", Limits.NONE.withConcurrency(1), false)));
        assertThat(restore(JournalScope.of(QUEUE)).restored()).isEqualTo(1);
        assertThat(ledger(FIRST).limits().read(0).join().allSet())
                .containsExactly(new SetLimits("customer", null, true));
    }

    private long put(ShardId shard, String name) {
        backend.scheduleNames().put(name, shard.queue(), null).join();
        return ledger(shard)
                .schedules()
                .put(new Schedules.Put(name, null, "{\"of\":\"" + name + "\"}", 1000L, null, false))
                .join();
    }

    private void fire(ShardId shard, String name, long version) {
        Schedules.Occurrence occurrence = new Schedules.Occurrence(
                name + "@1000", 1000, JobContent.of("\"job\":\"close\",\"param\":1}"), Schedule.Overlap.SKIP, 0, 1000);
        assertThat(ledger(shard)
                        .schedules()
                        .fire(List.of(new Schedules.Proposal(name, version, 1000, 2000L, occurrence)))
                        .join()
                        .decisions())
                .containsExactly(Schedules.Decision.STORED);
    }

    private List<KeptSchedule> schedules(String... names) {
        return shards.stream()
                .flatMap(shard -> ledger(shard).schedules().kept(List.of(names)).join().stream())
                .toList();
    }

    @Test
    void putsLostSchedulesBackAsTheyWereButForThoseThatWereRemoved() {
        fire(FIRST, "fired", put(FIRST, "fired"));
        put(FIRST, "paused");
        put(SECOND, "removed");
        put(SECOND, "last");
        ledger(FIRST).schedules().pause("paused", true).join();
        ledger(SECOND).schedules().remove("removed").join();
        List<KeptSchedule> before = schedules("fired", "paused", "removed", "last");
        loseEverything();
        assertThat(schedules("fired", "paused", "removed", "last")).isEmpty();
        journal.restore(JobRestore.of(JournalScope.ALL).asDryRun());
        restore(JournalScope.of(QUEUE, "fired@1000"));
        assertThat(schedules("fired", "paused", "removed", "last")).isEmpty();

        restore(JournalScope.ALL);

        assertThat(schedules("fired", "paused", "removed", "last"))
                .isEqualTo(before)
                .hasSize(3);
        assertThat(backend.scheduleNames().all().join())
                .isEqualTo(Map.of("fired", QUEUE, "paused", QUEUE, "last", QUEUE));
        restore(JournalScope.ALL);
        assertThat(schedules("fired", "paused", "removed", "last")).isEqualTo(before);
    }

    @Test
    void restoresNoScheduleWhoseNameAnotherQueueHasByNow() {
        put(FIRST, "moved");
        loseEverything();
        backend.scheduleNames().put("moved", "another", null).join();
        restore(JournalScope.ALL);
        assertThat(schedules("moved")).isEmpty();
        assertThat(backend.scheduleNames().queueOf("moved").join()).contains("another");
    }

    /** On a cluster, the names are elsewhere than most schedules. */
    @Test
    void givesSchedulesBackTheirNamesWhereTheNamesAloneAreLost() {
        put(FIRST, "first");
        put(SECOND, "second");
        shards.forEach(this::awaitWritten);
        awaitAdopted();
        List.of("first", "second")
                .forEach(name -> backend.scheduleNames().remove(name, QUEUE).join());
        restore(JournalScope.ALL);
        assertThat(backend.scheduleNames().all().join()).containsOnlyKeys("first", "second");

        backend.scheduleNames().remove("second", QUEUE).join();
        database.own().executeWithoutResult(status -> database.shards().lose(FIRST, Loss.REPLACED));
        submit(FIRST, "any", Duration.ofHours(1));
        awaitAdopted();
        journal.restoreReplaced(() -> {});
        assertThat(backend.scheduleNames().all().join()).containsOnlyKeys("first", "second");
    }

    @Test
    void aRestoreThatStoodStillPutsNoScheduleBackThatWasRemovedSince() {
        put(FIRST, "lost");
        loseEverything();
        JournalAdmin slow = journal(shard -> pausing(shard, "schedules", 2, () -> {
            new JdbcTemplate(source).update("UPDATE delayjob_lock SET until_at = 0");
            restore(JournalScope.ALL);
            assertThat(ledger(FIRST).schedules().remove("lost").join()).isTrue();
        }));
        assertThatThrownBy(() -> slow.restore(JobRestore.of(JournalScope.ALL)))
                .hasMessageContaining("was overtaken: another one has begun");
        assertThat(schedules("lost")).isEmpty();
    }

    @Test
    void aJobThatRanWaitsAgainForItsNextAttempt() {
        submit(FIRST, "ran", Duration.ZERO);
        Lease lost = claim(FIRST);
        loseEverything();
        restore(JournalScope.ALL);
        assertThat(stored("ran").state()).isEqualTo(JobState.READY);
        Lease next = claim(FIRST);
        assertThat(stored("ran").attempt().number()).isEqualTo(2);
        assertThat(ledger(FIRST)
                        .settle(call(), List.of(new Settlement.Complete(lost, null, 0)))
                        .join())
                .containsExactly(false);
        assertThat(ledger(FIRST)
                        .settle(call(), List.of(new Settlement.Complete(next, null, 0)))
                        .join())
                .containsExactly(true);
    }

    @Test
    void changesNothingWhereNothingIsLostWhileJobsComeAndGo() {
        IntStream.range(0, 300).forEach(i -> submit(FIRST, "job " + i, Duration.ZERO));
        CompletableFuture<Void> work = CompletableFuture.runAsync(() -> {
            for (int i = 0; i < 300; i++) {
                ledger(FIRST)
                        .settle(
                                new Call("worker", i + 1),
                                List.of(new Settlement.Complete(claimAs("worker-claims", i + 1), null, 0)))
                        .join();
            }
        });
        while (!work.isDone()) {
            RestoreReport report = restore(JournalScope.ALL);
            assertThat(report.restored()).isZero();
            assertThat(report.present() + report.finished()).isEqualTo(report.examined());
            assertThat(journal.diff(JournalScope.ALL).isEmpty()).isTrue();
        }
        work.join();
        assertThat(restore(JournalScope.ALL).restored()).isZero();
        assertThat(ledger(FIRST).counts().join().ready()).isZero();
    }

    private Lease claimAs(String lane, int number) {
        Claimed claimed = ledger(FIRST)
                .claim(new Call(lane, number), new ClaimRequest("node", 1, 60_000, "r"))
                .join();
        return claimed.jobs().get(0).lease();
    }

    @Test
    void restoresWhatTheScopeNames() {
        submit(FIRST, "overdue", Duration.ZERO);
        submit(FIRST, "soon", Duration.ofHours(1));
        submit(SECOND, "late", Duration.ofHours(9));
        loseEverything();
        Instant inAnHour = Instant.now().plus(Duration.ofMinutes(90));
        JournalScope all = JournalScope.of(QUEUE);
        assertThat(journal.restore(JobRestore.of(all).asDryRun())).isEqualTo(new RestoreReport(3, 3, 0, 0, 0, 0));
        assertThat(ledgers(List.of("overdue", "soon", "late"))).isEmpty();
        assertThat(restore(all.due(null, inAnHour).withoutOverdue())).isEqualTo(new RestoreReport(3, 1, 0, 0, 0, 2));
        assertThat(ledgers(List.of("overdue", "soon", "late"))).containsOnlyKeys("soon");
        assertThat(restore(JournalScope.of(QUEUE, "late"))).isEqualTo(new RestoreReport(1, 1, 0, 0, 0, 0));
        assertThat(restore(all.due(inAnHour, null))).isEqualTo(new RestoreReport(3, 0, 1, 0, 0, 2));
        assertThat(journal.restore(JobRestore.of(all).withRate(100))).isEqualTo(new RestoreReport(3, 1, 2, 0, 0, 0));
    }

    @Test
    void leavesJobsThatRedisIsYetToGet() {
        NewJob far =
                new NewJob("far", new NewJob.Due(86_400_000, true), JobContent.of("\"job\":\"close\",\"param\":1}"));
        database.submits().add(List.of(Submissions.of(FIRST, far, 3_600_000L)));
        assertThat(restore(JournalScope.ALL)).isEqualTo(new RestoreReport(1, 0, 0, 0, 1, 0));
        assertThat(journal.diff(JournalScope.ALL)).isEqualTo(new JournalDiff(0, 0, 0, 0, 1, List.of()));
    }

    @Test
    void refusesWhatItDoesNotKnowAndWhatHasFinished() {
        submit(FIRST, "done", Duration.ZERO);
        ledger(FIRST)
                .settle(call(), List.of(new Settlement.Complete(claim(FIRST), null, 0)))
                .join();
        awaitWritten(FIRST);
        JobRestore done = JobRestore.of(JournalScope.of(QUEUE, "done"));
        assertThatThrownBy(() -> journal.restore(done))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("job 'done' of queue 'orders' is COMPLETED and would run again");
        assertThatThrownBy(() -> restore(JournalScope.of(QUEUE, "nobody")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("knows no job 'nobody' of queue 'orders'");
        assertThatThrownBy(() -> restore(JournalScope.of("mail")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("queue 'mail' has no journal");
        assertThat(journal.restore(done.evenIfFinished())).isEqualTo(new RestoreReport(1, 1, 0, 0, 0, 0));
        List<Long> due = database.relays().due(FIRST, database.jobs().now(), 10).stream()
                .map(DueRow::seq)
                .toList();
        assertThat(database.relays().unrelayed(due))
                .extracting(row -> row.id(), row -> row.status().attempt())
                .containsExactly(tuple("done", 0));
    }

    @Test
    void oneRestoreGoesOnAtATime() {
        assertThat(locks.take("restore", "another", Duration.ofMinutes(1))).isTrue();
        assertThatThrownBy(() -> restore(JournalScope.ALL))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("another restore or clear goes on");
        locks.release("restore", "another");
        assertThat(restore(JournalScope.ALL).examined()).isZero();
        assertThat(locks.take("restore", "another", Duration.ZERO)).isTrue();
    }

    /** Its process stood still, for longer than its lock lasts, just before it put the job back. */
    @Test
    void aRestoreThatStoodStillPutsNothingBackThatAnotherOneHas() {
        submit(FIRST, "lost", Duration.ZERO);
        loseEverything();
        JournalAdmin slow = journal(shard -> pausing(shard, () -> {
            new JdbcTemplate(source).update("UPDATE delayjob_lock SET until_at = 0");
            assertThat(restore(JournalScope.ALL).restored()).isEqualTo(1);
            ledger(FIRST)
                    .settle(call(), List.of(new Settlement.Complete(claim(FIRST), null, 0)))
                    .join();
        }));
        assertThatThrownBy(() -> slow.restore(JobRestore.of(JournalScope.ALL)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("this restore of orders")
                .hasMessageContaining("was overtaken: another one has begun");
        assertThat(ledgers(List.of("lost"))).isEmpty();
    }

    @Test
    void aRestoreThatStoodStillPutsNothingBackThatWasClearedForGood() {
        submit(FIRST, "lost", Duration.ofHours(1));
        loseEverything();
        JournalAdmin slow = journal(shard -> pausing(shard, () -> {
            new JdbcTemplate(source).update("UPDATE delayjob_lock SET until_at = 0");
            assertThat(journal.clear(QUEUE, true)).isEqualTo(1);
        }));
        assertThatThrownBy(() -> slow.restore(JobRestore.of(JournalScope.ALL))).hasMessageContaining("was overtaken");
        assertThat(ledgers(List.of("lost"))).isEmpty();
    }

    @Test
    void aRestoreThatStoodStillPutsNothingBackIntoARedisThatIsPutBackToAnOlderState() {
        submit(FIRST, "lost", Duration.ofHours(1));
        loseEverything();
        awaitAdopted();
        JournalAdmin slow = journal(shard -> pausing(shard, this::loseEverything));
        assertThatThrownBy(() -> slow.restore(JobRestore.of(JournalScope.ALL))).hasMessageContaining("was overtaken");
        assertThat(ledgers(List.of("lost"))).isEmpty();
    }

    /** A ledger before whose restores something happens, once. */
    private Ledger pausing(ShardId shard, Runnable meanwhile) {
        return pausing(shard, "restore", 1, meanwhile);
    }

    /** A ledger before one of whose calls something happens. */
    private Ledger pausing(ShardId shard, String call, int which, Runnable meanwhile) {
        AtomicInteger seen = new AtomicInteger();
        return (Ledger) Proxy.newProxyInstance(
                Ledger.class.getClassLoader(), new Class<?>[] {Ledger.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals(call) && seen.incrementAndGet() == which) {
                        meanwhile.run();
                    }
                    return method.invoke(ledger(shard), arguments);
                });
    }

    @Test
    void saysWhichJobsOnlyRedisHasAndWhichDiffer() {
        submit(FIRST, "same", Duration.ofHours(1));
        submit(FIRST, "moved", Duration.ofHours(1));
        awaitWritten(FIRST);
        new JdbcTemplate(source).update("UPDATE delayjob_job SET due_at = due_at + 5 WHERE id = 'moved'");
        submit(FIRST, "unknown", Duration.ofHours(1));
        awaitWritten(FIRST);
        new JdbcTemplate(source).update("DELETE FROM delayjob_job WHERE id = 'unknown'");
        JournalDiff diff = journal.diff(JournalScope.of(QUEUE));
        assertThat(diff.missingInJournal()).isEqualTo(1);
        assertThat(diff.different()).isEqualTo(1);
        assertThat(diff.missingInRedis()).isZero();
        assertThat(diff.samples()).extracting(JournalDiff.Difference::id).containsExactlyInAnyOrder("moved", "unknown");
        assertThat(journal.diff(JournalScope.of(QUEUE, "same")).isEmpty()).isTrue();
        assertThat(journal.diff(JournalScope.of(QUEUE, "moved")).different()).isEqualTo(1);
    }

    @Test
    void clearsForGoodOrInRedisOnly() {
        IntStream.range(0, 450).forEach(i -> submit(FIRST, "job " + i, Duration.ofHours(1)));
        submit(SECOND, "ran", Duration.ZERO);
        claim(SECOND);
        shards.forEach(this::awaitWritten);
        assertThat(journal.clear(QUEUE, false)).isEqualTo(451);
        assertThat(ledger(FIRST).counts().join().delayed()).isZero();
        assertThat(restore(JournalScope.ALL)).isEqualTo(new RestoreReport(451, 451, 0, 0, 0, 0));
        assertThat(ledger(FIRST).counts().join().delayed()).isEqualTo(450);
        assertThat(journal.clear(QUEUE, true)).isEqualTo(451);
        shards.forEach(this::awaitWritten);
        assertThat(restore(JournalScope.ALL)).isEqualTo(new RestoreReport(0, 0, 0, 0, 0, 0));
    }

    @Test
    void clearsNothingIfThereIsMoreThanWasAgreedTo() {
        IntStream.range(0, 4).forEach(i -> submit(FIRST, "job " + i, Duration.ofHours(1)));
        submit(SECOND, "job", Duration.ofHours(1));
        shards.forEach(this::awaitWritten);
        for (boolean forGood : List.of(true, false)) {
            assertThatThrownBy(() -> journal.clear(QUEUE, forGood, 4))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(
                            "queue 'orders' has 5 unfinished jobs, and at most 4 may be cleared; nothing was changed");
        }
        assertThat(ledger(FIRST).counts().join().delayed()).isEqualTo(4);
        assertThat(journal.clear(QUEUE, true, 5)).isEqualTo(5);
    }

    @Test
    void nothingIsRestoredByItselfWhileItIsClearedForGood() {
        submit(FIRST, "lost", Duration.ofHours(1));
        loseEverything();
        awaitAdopted();
        AtomicInteger tries = new AtomicInteger();
        JournalAdmin watched = journal(this::ledger, (shard, position) -> {
            tries.incrementAndGet();
            journal.restoreReplaced(() -> {});
        });
        assertThat(watched.clear(QUEUE, true)).isEqualTo(1);
        assertThat(tries).hasPositiveValue();
        journal.restoreReplaced(() -> {});
        assertThat(ledgers(List.of("lost"))).isEmpty();
        assertThat(losses().values()).containsOnly(Optional.empty());
    }

    @Test
    void endsARestoreBeforeItClearsForGood() {
        IntStream.range(0, 30).forEach(i -> submit(FIRST, "lost " + i, Duration.ofHours(1)));
        loseEverything();
        CompletableFuture<RestoreReport> slow = CompletableFuture.supplyAsync(
                () -> journal.restore(JobRestore.of(JournalScope.of(QUEUE)).withRate(1)));
        await().until(() -> ledger(FIRST).counts().join().delayed() > 0);
        assertThat(journal.clear(QUEUE, true)).isEqualTo(30);
        assertThatThrownBy(slow::join).hasMessageContaining("was overtaken");
        assertThat(ledger(FIRST).counts().join().delayed()).isZero();
    }

    private Map<ShardId, Optional<Loss>> losses() {
        return database.shards().rows().stream()
                .collect(Collectors.toMap(
                        ShardRow::id, row -> Optional.ofNullable(row.lost()).map(ShardRow.Lost::loss)));
    }

    private void awaitAdopted() {
        await().until(() -> database.shards().rows().stream().allMatch(ShardRow::adopted));
    }

    @Test
    void restoresByItselfOnlyWhatRedisHasLost() {
        submit(FIRST, "lost", Duration.ofHours(1));
        submit(SECOND, "perhaps finished", Duration.ofHours(1));
        loseEverything();
        awaitAdopted();
        database.shards().lose(SECOND, Loss.UNLOGGED);
        awaitAdopted();
        assertThat(losses())
                .containsEntry(FIRST, Optional.of(Loss.REPLACED))
                .containsEntry(SECOND, Optional.of(Loss.UNLOGGED));

        journal.restoreReplaced(() -> {});
        journal.restoreReplaced(() -> {});

        assertThat(ledgers(List.of("lost", "perhaps finished"))).containsOnlyKeys("lost");
        assertThat(losses()).containsEntry(FIRST, Optional.empty()).containsEntry(SECOND, Optional.of(Loss.UNLOGGED));
        restore(JournalScope.of(QUEUE));
        assertThat(ledgers(List.of("perhaps finished"))).hasSize(1);
        assertThat(losses()).containsEntry(SECOND, Optional.empty());
    }

    @Test
    void stopsRestoringByItselfWhenMoreIsLostThanWasKnown() {
        submit(FIRST, "lost", Duration.ofHours(1));
        loseEverything();
        awaitAdopted();
        assertThatThrownBy(() -> journal.restoreReplaced(() -> database.shards().lose(FIRST, Loss.UNLOGGED)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("more of orders");
        assertThat(ledgers(List.of("lost"))).isEmpty();
        assertThat(losses()).containsEntry(FIRST, Optional.of(Loss.UNLOGGED));
        assertThat(locks.take("restore", "another", Duration.ofMinutes(1))).isTrue();
        journal.restoreReplaced(() -> {
            throw new AssertionError("another restore goes on");
        });
    }

    @Test
    void clearsForGoodWhatRedisHasLost() {
        IntStream.range(0, 450).forEach(i -> submit(FIRST, "job " + i, Duration.ofHours(1)));
        loseEverything();
        submit(SECOND, "there", Duration.ofHours(1));
        shards.forEach(this::awaitWritten);
        assertThat(journal.clear(QUEUE, true)).isEqualTo(451);
        shards.forEach(this::awaitWritten);
        assertThat(restore(JournalScope.ALL)).isEqualTo(new RestoreReport(0, 0, 0, 0, 0, 0));
        assertThat(new JdbcTemplate(source)
                        .queryForObject(
                                "SELECT COUNT(*) FROM delayjob_job WHERE state = 'CANCELLED' AND live IS NULL"
                                        + " AND finished_at IS NOT NULL",
                                Long.class))
                .isEqualTo(451);
        assertThat(losses().values()).containsOnly(Optional.empty());
    }

    @Test
    void keepsItsLockWhileItLooksForWhatIsLost() {
        IntStream.range(0, 450).forEach(i -> submit(FIRST, "job " + i, Duration.ofHours(1)));
        awaitWritten(FIRST);
        AtomicInteger kept = new AtomicInteger();
        LostJobs lost = new LostJobs(
                database,
                (shard, position) -> {},
                new Scope(JournalScope.ALL, database.jobs().now()),
                new RestoreCounts());
        assertThat(lost.find(new JournaledShard(FIRST, ledger(FIRST), shards.size()), kept::incrementAndGet))
                .isEmpty();
        assertThat(kept).hasValueGreaterThanOrEqualTo(450 / Ledger.MAX_BATCH);
    }

    @Test
    void saysThatItsDatabaseIsAway() {
        writer.stop();
        source.close();
        JournalScope queue = JournalScope.of(QUEUE);
        List.<ThrowableAssert.ThrowingCallable>of(
                        () -> journal.history(QUEUE, "any", 1),
                        () -> journal.diff(queue),
                        () -> restore(queue),
                        () -> journal.clear(QUEUE, true))
                .forEach(call -> assertThatThrownBy(call)
                        .isInstanceOf(DelayJobException.class)
                        .hasMessageContaining("the journal's database 'test' could not be asked"));
    }

    @Test
    void tellsTheHistoryOfAJob() {
        submit(FIRST, "told", Duration.ZERO);
        ledger(FIRST)
                .settle(call(), List.of(new Settlement.Retry(claim(FIRST), 0, "timeout")))
                .join();
        ledger(FIRST)
                .settle(call(), List.of(new Settlement.Complete(claim(FIRST), "\"sent\"", 0)))
                .join();
        awaitWritten(FIRST);
        List<JobStep> steps = journal.history(QUEUE, "told", 100);
        assertThat(steps)
                .extracting(JobStep::kind)
                .containsExactly(
                        JobStep.Kind.SUBMITTED,
                        JobStep.Kind.CLAIMED,
                        JobStep.Kind.RETRIED,
                        JobStep.Kind.CLAIMED,
                        JobStep.Kind.COMPLETED);
        assertThat(steps).extracting(JobStep::attempt).containsExactly(0, 1, 1, 2, 2);
        assertThat(steps.get(1).node()).isEqualTo("node");
        assertThat(steps.get(2).text()).isEqualTo("timeout");
        assertThat(new ArrayList<>(journal.history(QUEUE, "told", 2)))
                .extracting(JobStep::kind)
                .containsExactly(JobStep.Kind.CLAIMED, JobStep.Kind.COMPLETED);
        assertThatThrownBy(() -> journal.history(QUEUE, "told", 0)).hasMessage("limit must be 1 to 1000: 0");
    }
}
