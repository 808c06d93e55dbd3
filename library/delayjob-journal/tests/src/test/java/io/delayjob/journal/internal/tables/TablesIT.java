package io.delayjob.journal.internal.tables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.Dedupe;
import io.delayjob.JobState;
import io.delayjob.engine.ledger.FlowPosition;
import io.delayjob.engine.ledger.JobContent;
import io.delayjob.engine.ledger.NewJob;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.journal.database.Submissions;
import io.delayjob.journal.database.TestDatabase;
import io.delayjob.journal.internal.tables.Submission.Result;
import io.delayjob.testing.Variants;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

@Tag(Variants.TAG)
@ParameterizedClass
@MethodSource("databases")
class TablesIT {

    private static final ShardId SHARD = new ShardId("orders", 0);

    @Parameter
    @SuppressWarnings("NullAway.Init")
    TestDatabase kind;

    private HikariDataSource database;
    private Dialect dialect;
    private JobTable jobs;
    private RelayTable relays;
    private SubmitTable submits;
    private SubmitTable inside;
    private FlowTable flow;
    private ShardTable shards;
    private TransactionTemplate transaction;

    @Test
    void aScheduleIsFoundAsItWasWritten() {
        ScheduleTable schedules = new ScheduleTable(database);
        ScheduleRow large = new ScheduleRow("nächtlich | a", "{é" + "x".repeat(130_000) + "}", "version=1|job=", null);
        ScheduleRow small = new ScheduleRow("Nächtlich | a", "{}", "version=2|job=", null);
        ScheduleRow other = new ScheduleRow("other", "{}", "version=3|job=", null);
        schedules.add(SHARD, List.of(large, small));
        schedules.add(new ShardId("orders", 1), List.of(other));
        assertThat(schedules.find(SHARD, List.of(large.name(), small.name(), "other")))
                .containsExactlyInAnyOrder(large, small);
        assertThat(schedules.existing(SHARD, "", 10)).containsExactlyInAnyOrder(large, small);
        ScheduleRow first = schedules.existing(SHARD, "", 1).get(0);
        assertThat(schedules.existing(SHARD, first.name(), 10)).hasSize(1).doesNotContain(first);

        ScheduleRow edited = new ScheduleRow(small.name(), "{\"v\":2}", "version=4|job=", null);
        schedules.save(SHARD, List.of(edited));
        schedules.saveDefinitions(SHARD, List.of(edited));
        schedules.save(SHARD, List.of(large.removed(500)));
        assertThat(schedules.existing(SHARD, "", 10)).containsExactly(edited);
        assertThat(schedules.find(SHARD, List.of(large.name()))).containsExactly(large.removed(500));

        assertThat(schedules.deleteRemoved(500, 10)).isZero();
        assertThat(schedules.deleteRemoved(501, 10)).isEqualTo(1);
        assertThat(schedules.find(SHARD, List.of(large.name()))).isEmpty();
    }

    static Stream<TestDatabase> databases() {
        return TestDatabase.variants();
    }

    @BeforeEach
    void open() {
        database = kind.fresh();
        dialect = Dialect.of(database);
        new Schema(database, dialect, true).prepare();
        jobs = new JobTable(database, dialect);
        relays = new RelayTable(database, dialect);
        submits = SubmitTable.own(database, dialect);
        inside = SubmitTable.inside(database, dialect);
        flow = new FlowTable(database);
        shards = new ShardTable(database, dialect);
        transaction = new TransactionTemplate(new JdbcTransactionManager(database));
    }

    @AfterEach
    void close() {
        database.close();
    }

    private static NewJob job(String id, long delayMillis) {
        return new NewJob(id, new NewJob.Due(delayMillis, true), JobContent.of("\"job\":\"x\",\"param\":1}"));
    }

    private static Submission submission(String id) {
        return Submissions.of(SHARD, job(id, 0), null);
    }

    private static Submission far(String id) {
        return Submissions.of(SHARD, job(id, 100_000), 60_000L);
    }

    private JobRow found(String id) {
        return jobs.find("orders", id).orElseThrow();
    }

    private static JobRow ended(JobRow row, long at) {
        return row.with(new Status(
                false, JobState.COMPLETED, 1, row.status().dueAt(), false, null, "n", null, "\"r\"", at, at));
    }

    private List<String> toRelay(long untilMillis) {
        List<Long> due =
                relays.due(SHARD, untilMillis, 10).stream().map(DueRow::seq).toList();
        return relays.unrelayed(due).stream().map(JobRow::id).toList();
    }

    @Test
    void preparesOnceAndAgain() {
        new Schema(database, dialect, true).prepare();
        new Schema(database, dialect, false).prepare();
    }

    @Test
    void livesBesideTablesOfOthers() {
        HikariDataSource shared = kind.fresh();
        new JdbcTemplate(shared).execute("CREATE TABLE theirs (a INT)");
        new Schema(shared, dialect, true).prepare();
        assertThat(new JobTable(shared, dialect).find("orders", "1")).isEmpty();
        shared.close();
    }

    @Test
    void refusesTablesOfANewerRelease() {
        new JdbcTemplate(database)
                .update("INSERT INTO " + quoted("delayjob_schema_history") + " ("
                        + Stream.of(
                                        "installed_rank",
                                        "version",
                                        "description",
                                        "type",
                                        "script",
                                        "checksum",
                                        "installed_by",
                                        "execution_time",
                                        "success")
                                .map(this::quoted)
                                .collect(java.util.stream.Collectors.joining(", "))
                        + ") VALUES (99, '99', 'later', 'SQL', 'V99__later.sql', 1, 'me', 1, true)");
        assertThatThrownBy(() -> new Schema(database, dialect, true).prepare())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("newer release")
                .hasMessageContaining("version 99 (later)");
    }

    private String quoted(String name) {
        return dialect == Dialect.H2 ? '"' + name + '"' : name;
    }

    @Test
    void refusesMissingTablesThatItMustNotMake() {
        try (HikariDataSource empty = kind.fresh()) {
            assertThatThrownBy(() -> new Schema(empty, dialect, false).prepare())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("1.1 (tables)")
                    .hasMessageContaining("delayjob.journal.migrate=false");
        }
    }

    @Test
    void keepsAllOfASubmit() {
        NewJob job = new NewJob(
                "ä\uD83D\uDE00 ",
                new NewJob.Due(5_000, true),
                new JobContent(
                        "\"param\":\"" + "€".repeat(300_000) + "\"}",
                        7_000L,
                        9,
                        Dedupe.within("key", Duration.ofSeconds(3)).postponing()));
        long before = jobs.now();
        assertThat(submits.add(List.of(
                        Submissions.of(new ShardId("orders", 3), job.with(new NewJob.Journaled("ab12", 17)), null))))
                .containsExactly(Result.ADDED);
        JobRow row = found(job.id());
        assertThat(row.mark()).isEqualTo(new NewJob.Journaled("ab12", 17));
        assertThat(row.shard()).isEqualTo(new ShardId("orders", 3));
        assertThat(row.content()).isEqualTo(job.content());
        assertThat(row.createdAt()).isBetween(before, jobs.now());
        assertThat(row.status().dueAt()).isBetween(before + 5_000, jobs.now() + 5_000);
        assertThat(row.status().relayAt()).isBetween(before + 700, jobs.now() + 700);
        assertThat(row.status().live()).isFalse();
        assertThat(row.status().fromNow()).isTrue();
        assertThat(row.status().state()).isEqualTo(JobState.DELAYED);
    }

    @Test
    void clockIsNow() {
        long before = System.currentTimeMillis();
        assertThat(jobs.now()).isBetween(before - 1, System.currentTimeMillis() + 1);
    }

    @Test
    void delaysCountFromTheSubmitNotFromTheBeginOfItsTransaction() {
        transaction.executeWithoutResult(status -> {
            jobs.now();
            long begun = System.nanoTime();
            while (System.nanoTime() - begun < 50_000_000) {
                Thread.onSpinWait();
            }
            long before = jobs.now();
            submits.add(List.of(submission("1")));
            assertThat(found("1").status().dueAt()).isGreaterThanOrEqualTo(before);
        });
    }

    @Test
    void keepsFarJobsBackUntilTheyAreNear() {
        NewJob at = new NewJob("at", new NewJob.Due(4_000_000_000_000L, false), JobContent.of("}"));
        long before = jobs.now();
        submits.add(List.of(Submissions.of(SHARD, at, 60_000L), Submissions.of(SHARD, job("delay", 100_000), 60_000L)));
        assertThat(found("at").status().relayAt()).isEqualTo(4_000_000_000_000L - 60_000);
        assertThat(found("delay").status().relayAt()).isBetween(before + 40_000, jobs.now() + 40_000);
        assertThat(toRelay(jobs.now() + 41_000)).containsExactly("delay");
    }

    @Test
    void anIdIsTakenUntilItsJobEnds() {
        assertThat(submits.add(List.of(far("1"), far("2")))).containsExactly(Result.WAITS, Result.WAITS);
        assertThat(submits.add(List.of(far("2"), far("3"), submission("1"))))
                .containsExactly(Result.TAKEN, Result.WAITS, Result.TAKEN);
        jobs.save(List.of(ended(found("2"), 5)));
        assertThat(submits.add(List.of(far("2")))).containsExactly(Result.WAITS);
        assertThat(found("2").status().live()).isTrue();
        assertThat(jobs.unfinished("orders", List.of("1", "2", "9")))
                .extracting(JobRow::id)
                .containsExactly("1", "2");
    }

    @Test
    void redisDecidesWhetherTheIdOfANearJobIsFree() {
        submits.add(List.of(submission("1")));
        jobs.save(List.of(
                found("1").with(new Status(true, JobState.DELAYED, 0, 123, false, null, null, null, null, 100, null))));
        Map<Submission, ShardId> doubtful = submits.doubtful(List.of(submission("1"), far("1"), far("2")));
        assertThat(doubtful.keySet()).extracting(job -> job.job().id()).containsExactly("1");
        assertThat(doubtful.values()).containsExactly(SHARD);
        assertThat(submits.add(List.of(submission("1"), far("1"), submission("2"), submission("2"))))
                .containsExactly(Result.ADDED, Result.WAITS, Result.ADDED, Result.ADDED);
        assertThat(jobs.unfinished("orders", List.of("1")))
                .extracting(row -> row.status().live())
                .containsExactly(true, false, false);
    }

    @Test
    void aJobWaitsBehindAFarOneThatIsOnItsWayToRedis() {
        assertThat(submits.add(List.of(Submissions.of(SHARD, job("1", 100_000), 200_000L))))
                .containsExactly(Result.WAITS);
        assertThat(submits.doubtful(List.of(far("1")))).isEmpty();
        assertThat(submits.add(List.of(submission("1"), far("1")))).containsExactly(Result.WAITS, Result.WAITS);
        assertThat(jobs.unfinished("orders", List.of("1")))
                .extracting(row -> row.status().live())
                .containsExactly(true, false, false);
    }

    @Test
    void idsDifferInCaseAndByASpace() {
        assertThat(submits.add(List.of(far("a"), far("A"), far("a "), far("ä"))))
                .containsOnly(Result.WAITS);
    }

    @Test
    void aFarJobOfATransactionIsFarWithoutHavingItsId() {
        transaction.executeWithoutResult(status -> assertThat(inside.add(List.of(far("1"), far("1"), far("2"))))
                .containsExactly(Result.WAITS, Result.TAKEN, Result.WAITS));
        assertThat(found("1").status().live()).isFalse();
        assertThat(submits.add(List.of(far("1"), submission("2"), far("3"))))
                .containsExactly(Result.TAKEN, Result.TAKEN, Result.WAITS);
        assertThat(relays.waitingWithoutId(SHARD)).isEqualTo(2);
    }

    /** The row of another transaction, which may stay open for long, and of the one that waits for its id. */
    @Test
    void nobodyWaitsForATransactionThatSubmitsAFarJob() throws Exception {
        submits.add(List.of(submission("1")));
        JobRow confirmed =
                found("1").with(new Status(true, JobState.DELAYED, 0, 123, false, null, null, null, null, 100, null));
        transaction.executeWithoutResult(status -> {
            assertThat(inside.add(List.of(far("1")))).containsExactly(Result.WAITS);
            CompletableFuture<Void> writer = CompletableFuture.runAsync(
                    () -> transaction.executeWithoutResult(other -> jobs.save(List.of(confirmed))));
            assertThat(writer).succeedsWithin(Duration.ofMinutes(2));
        });
        assertThat(jobs.unfinished("orders", List.of("1")))
                .extracting(row -> row.status().live())
                .containsExactly(true, false);
    }

    @Test
    void ofFarJobsThatMeetTheFirstHasTheId() {
        List<Submission> meet = Stream.of("1", "2", "1", "3", "2")
                .map(id ->
                        new Submission(SHARD, job(id, 100_000), new NewJob.Journaled("", Tags.next()), false, 60_000L))
                .toList();
        assertThat(transaction.<List<Result>>execute(status -> submits.add(meet)))
                .containsExactly(Result.WAITS, Result.WAITS, Result.WAITS, Result.WAITS, Result.WAITS);
        assertThat(jobs.unfinished("orders", List.of("1", "2", "3")))
                .extracting(JobRow::id, row -> row.status().live())
                .containsExactlyInAnyOrder(
                        tuple("1", true), tuple("2", true), tuple("3", true), tuple("1", false), tuple("2", false));
    }

    @Test
    void aTransactionSurvivesATakenId() {
        submits.add(List.of(far("1")));
        transaction.executeWithoutResult(status -> {
            assertThat(submits.add(List.of(far("1")))).containsExactly(Result.TAKEN);
            submits.add(List.of(submission("2")));
        });
        assertThat(jobs.find("orders", "2")).isPresent();
    }

    @Test
    void aRollbackLeavesNothing() {
        transaction.executeWithoutResult(status -> {
            submits.add(List.of(submission("1")));
            status.setRollbackOnly();
        });
        assertThat(jobs.find("orders", "1")).isEmpty();
    }

    @Test
    void savesStatusAndContent() {
        submits.add(List.of(submission("1"), submission("2")));
        JobRow dead = found("1")
                .with(new Status(
                        true, JobState.DEAD, 3, 77, false, null, "node", "bad\u0000 \uD800text", null, 78, null))
                .with(new JobContent("other}", 9L, Dedupe.untilStarted("k")));
        jobs.save(List.of(dead));
        jobs.saveContent(List.of(dead));
        JobRow read = found("1");
        assertThat(read.status())
                .isEqualTo(new Status(true, JobState.DEAD, 3, 77, false, null, "node", "bad? ?text", null, 78, null));
        assertThat(read.content()).isEqualTo(dead.content());
        assertThat(toRelay(Long.MAX_VALUE)).containsExactly("2");
        assertThat(jobs.liveIds(SHARD, 0, 10)).extracting(LiveJob::id).containsExactly("1");
        jobs.save(List.of(ended(read, 80)));
        assertThat(jobs.liveIds(SHARD, 0, 10)).isEmpty();
    }

    @Test
    void aRowThatWasCancelledSinceItWasReadStaysSo() {
        submits.add(List.of(far("1")));
        JobRow read = found("1");
        assertThat(new WaitingTable(database, dialect).cancel("orders", "1")).isTrue();
        jobs.save(List.of(read));
        assertThat(jobs.unfinished("orders", List.of("1"))).isEmpty();
        assertThat(found("1").status().state()).isEqualTo(JobState.CANCELLED);
    }

    @Test
    void addsWholeRowsUnlessTheIdIsTaken() {
        Status waits = new Status(true, JobState.DELAYED, 0, 123, false, null, null, null, null, 100, null);
        JobRow row = new JobRow(0, SHARD, "1", JobContent.of("b}"), 100, waits, null);
        jobs.add(List.of(row));
        jobs.add(List.of(row));
        JobRow read = found("1");
        assertThat(read).isEqualTo(new JobRow(read.seq(), SHARD, "1", row.content(), 100, waits, null));
        jobs.remove(List.of(read.seq()));
        assertThat(jobs.find("orders", "1")).isEmpty();
    }

    @Test
    void removesWhatFinishedLongAgoAPartAtATime() {
        List<String> ids = IntStream.range(0, 10).mapToObj(Integer::toString).toList();
        submits.add(ids.stream().map(TablesIT::submission).toList());
        jobs.save(ids.subList(0, 8).stream()
                .map(id -> ended(found(id), Integer.parseInt(id)))
                .toList());
        assertThat(jobs.removeFinished(6, 4)).isEqualTo(4);
        assertThat(jobs.removeFinished(6, 4)).isEqualTo(2);
        assertThat(jobs.removeFinished(6, 4)).isZero();
        assertThat(ids.stream().filter(id -> jobs.find("orders", id).isPresent()))
                .containsExactly("6", "7", "8", "9");
    }

    @Test
    void holdsWhatRedisIsNotKnownToHaveUntilItIsReleased() {
        submits.add(List.of(far("1"), far("2"), submission("3"), far("4")));
        jobs.save(List.of(
                found("4").with(new Status(true, JobState.DELAYED, 0, 9, false, null, null, null, null, 9, null))));
        Long relayAt = found("1").status().relayAt();
        transaction.executeWithoutResult(status -> {
            relays.hold(SHARD);
            relays.hold(SHARD);
        });
        assertThat(toRelay(4_000_000_000_000L)).isEmpty();
        assertThat(List.of("1", "2", "3", "4"))
                .extracting(id -> found(id).status().isHeld())
                .containsExactly(true, true, true, false);
        List<LiveJob> first = relays.held(SHARD, null, 2);
        assertThat(first).extracting(LiveJob::id).containsExactly("3", "1");
        assertThat(relays.held(SHARD, first.get(1), 2)).extracting(LiveJob::id).containsExactly("2");
        assertThat(relays.held(SHARD, "2")).hasSize(1);
        assertThat(relays.held(SHARD, "4")).isEmpty();
        assertThat(relays.release(List.of(found("1").seq(), found("4").seq()))).isEqualTo(1);
        assertThat(found("1").status().relayAt()).isEqualTo(relayAt);
        assertThat(relays.held(SHARD, null, 10)).extracting(LiveJob::id).containsExactly("3", "2");
    }

    private static FlowRow step(String id, FlowPosition position, int item, @Nullable String detail) {
        return new FlowRow(
                "orders", id, position, item, "SUBMIT", position.ms(), JobState.DELAYED, 0, null, "n", detail);
    }

    @Test
    void keepsStepsInOrderAndOnce() {
        FlowRow second = step("1", new FlowPosition(5, 10), 0, "zero \u0000");
        FlowRow first = step("1", new FlowPosition(5, 9), 1, null);
        flow.add(List.of(second, first, step("2", new FlowPosition(5, 9), 0, null)));
        assertThat(flow.history("orders", "1", 10))
                .containsExactly(first, step("1", new FlowPosition(5, 10), 0, "zero ?"));
        assertThat(flow.history("orders", "1", 1))
                .extracting(FlowRow::position)
                .containsExactly(new FlowPosition(5, 10));
        assertThatThrownBy(() -> flow.add(List.of(second))).isInstanceOf(DuplicateKeyException.class);
        assertThat(flow.removeOld(6, 100)).isEqualTo(3);
    }

    @Test
    void oneAtATimeWritesTheFlowOfAShard() {
        shards.enlist(SHARD);
        shards.enlist(SHARD);
        assertThat(shards.all()).containsExactly(SHARD);
        transaction.executeWithoutResult(status -> {
            assertThat(shards.lock(SHARD))
                    .contains(new ShardRow(SHARD, FlowPosition.START, FlowPosition.START, false, null));
            assertThat(CompletableFuture.supplyAsync(() -> transaction.execute(other -> shards.lock(SHARD)))
                            .join())
                    .isEqualTo(Optional.empty());
            shards.moveTo(SHARD, new FlowPosition(7, 8));
        });
        assertThat(shards.find(SHARD).map(ShardRow::written)).contains(new FlowPosition(7, 8));
        assertThat(shards.lock(new ShardId("unknown", 0))).isEmpty();
    }

    @Test
    void whoeverLocksAShardSeesWhatTheOneBeforeHasWritten() {
        shards.enlist(SHARD);
        List<CompletableFuture<Integer>> writers = IntStream.range(0, 4)
                .mapToObj(n -> CompletableFuture.supplyAsync(() -> IntStream.range(0, 300)
                        .filter(turn -> Boolean.TRUE.equals(transaction.execute(status -> hasMovedOn())))
                        .map(turn -> 1)
                        .sum()))
                .toList();
        int moves = writers.stream().mapToInt(CompletableFuture::join).sum();
        assertThat(moves).as("turns of all writers that got the lock").isGreaterThan(4);
        assertThat(shards.find(SHARD).map(ShardRow::written)).contains(new FlowPosition(moves, 0));
    }

    private boolean hasMovedOn() {
        Optional<ShardRow> row = shards.lock(SHARD);
        row.ifPresent(at -> shards.moveTo(SHARD, new FlowPosition(at.written().ms() + 1, 0)));
        return row.isPresent();
    }
}
