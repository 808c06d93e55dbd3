package io.delayjob.journal.internal.writing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.JobState;
import io.delayjob.Limits;
import io.delayjob.engine.ledger.Call;
import io.delayjob.engine.ledger.ClaimRequest;
import io.delayjob.engine.ledger.Claimed;
import io.delayjob.engine.ledger.Fence;
import io.delayjob.engine.ledger.Flow;
import io.delayjob.engine.ledger.FlowPosition;
import io.delayjob.engine.ledger.JobContent;
import io.delayjob.engine.ledger.KeptSchedule;
import io.delayjob.engine.ledger.Lease;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.NewJob;
import io.delayjob.engine.ledger.Replication;
import io.delayjob.engine.ledger.Retention;
import io.delayjob.engine.ledger.Schedules;
import io.delayjob.engine.ledger.SetLimits;
import io.delayjob.engine.ledger.Settlement;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.engine.ledger.ShardLimits.Shared;
import io.delayjob.engine.ledger.StoredJob;
import io.delayjob.engine.memory.MemoryBackend;
import io.delayjob.journal.database.Submissions;
import io.delayjob.journal.database.TestDatabase;
import io.delayjob.journal.internal.tables.Database;
import io.delayjob.journal.internal.tables.DueRow;
import io.delayjob.journal.internal.tables.FlowRow;
import io.delayjob.journal.internal.tables.JobRow;
import io.delayjob.journal.internal.tables.LiveJob;
import io.delayjob.journal.internal.tables.Loss;
import io.delayjob.journal.internal.tables.ScheduleRow;
import io.delayjob.journal.internal.tables.ShardRow;
import io.delayjob.testing.Variants;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.jdbc.core.JdbcTemplate;

class ShardWriterTest {

    private static final long BOUND = 1_000_000;

    private static HikariDataSource database;

    @BeforeAll
    static void open() {
        database = TestDatabase.H2_MEMORY.prepared();
    }

    @AfterAll
    static void close() {
        database.close();
    }

    static IntStream seeds() {
        return new Random().ints(Variants.tries(8, 32));
    }

    /** Two nodes, whose connections break at random places, write what random steps logged. */
    @Tag(Variants.TAG)
    @ParameterizedTest
    @MethodSource("seeds")
    void whatIsWrittenIsWhatTheLedgerHas(int seed) {
        Random random = new Random(seed);
        RandomShard shard = new RandomShard(new ShardId("q" + UUID.randomUUID(), 0), random);
        Database tables = Database.of(database, "test");
        tables.shards().enlist(shard.id);
        shard.writeBefore(job -> tables.submits().add(List.of(Submissions.of(shard.id, job, null))));
        FailingDatabase failing = new FailingDatabase(database);
        List<ShardWriter> writers = List.of(writer(shard, failing), writer(shard, failing));
        for (int i = 0; i < 150; i++) {
            shard.step();
            if (random.nextInt(4) == 0) {
                failing.breakAfter(random.nextInt(30));
                visit(writers.get(random.nextInt(2)), failing);
            }
        }
        failing.repair();
        drain(writers.get(0));
        assertThat(rows(tables, shard)).isEqualTo(jobs(shard));
        assertThat(pending(tables, shard)).isEmpty();
        assertThat(schedules(tables, shard.id)).isEqualTo(schedules(shard.ledger));
        assertThat(tables.limits().all(shard.id)).hasSameElementsAs(limits(shard.ledger));
        assertThat(history(tables, shard)).isEqualTo(byJob(shard.logged));
        assertThat(shard.ledger.flow(new Flow.Request(null, 10, BOUND)).join().entries())
                .isEqualTo(1);
    }

    /** Redis is put back to an older state, of which the clock may be behind, and goes on from there. */
    @Tag(Variants.TAG)
    @ParameterizedTest
    @MethodSource("seeds")
    void noticesAnOlderStateAndWritesWhatItHas(int seed) {
        ShardId id = new ShardId("q" + UUID.randomUUID(), 0);
        RandomShard shard = new RandomShard(id, new Random(seed));
        RandomShard older = new RandomShard(id, new Random(seed));
        AtomicReference<Ledger> now = new AtomicReference<>(shard.ledger);
        Database tables = Database.of(database, "test");
        tables.shards().enlist(id);
        List<Loss> losses = new ArrayList<>();
        ShardWriter writer = new ShardWriter(
                id,
                switching(now::get),
                BOUND,
                JournalTables.parts(tables, AfterDrain.NONE, (lost, loss, at) -> losses.add(loss)));
        steps(shard, 60, writer);
        steps(older, 30, null);
        now.set(older.ledger);
        older.turnTo(new Random(seed + 1));
        older.pass(seed % 2 == 0 ? 100_000 : 1);
        steps(older, 20, writer);
        drain(writer);
        assertThat(losses).containsExactly(Loss.REPLACED);
        assertThat(rows(tables, older)).containsAllEntriesOf(jobs(older));
        assertThat(schedules(tables, id)).containsAllEntriesOf(schedules(older.ledger));
        ShardRow row = row(tables, id);
        assertThat(row.lost()).isNotNull();
        assertThat(row.adopted()).isTrue();
        tables.shards().restored(id, Objects.requireNonNull(row.lost()).atMillis());
        assertThat(row(tables, id).lost()).isNull();
    }

    private static Map<String, KeptSchedule> schedules(Database tables, ShardId shard) {
        return byName(tables.schedules().existing(shard, "", 100).stream()
                .map(ScheduleRow::kept)
                .toList());
    }

    private static Map<String, KeptSchedule> schedules(Ledger ledger) {
        return byName(ledger.schedules()
                .kept(ledger.schedules().names(null).join().names())
                .join());
    }

    private static Map<String, KeptSchedule> byName(List<KeptSchedule> schedules) {
        return schedules.stream().collect(Collectors.toMap(KeptSchedule::name, kept -> kept));
    }

    private static void put(Ledger ledger, String name, @Nullable Long replaces, String definition) {
        assertThat(ledger.schedules()
                        .put(new Schedules.Put(
                                name, replaces, definition, replaces == null ? 1_000_000L : 2_000_000L, null, false))
                        .join())
                .isPositive();
    }

    private static void fire(Ledger ledger, String name, long instant) {
        long version =
                ledger.schedules().find(List.of(name)).join().schedules().get(0).version();
        Schedules.Skip skip = new Schedules.Skip("WINDOW", 1);
        assertThat(ledger.schedules()
                        .fire(List.of(new Schedules.Proposal(name, version, instant, instant + 1, skip)))
                        .join()
                        .decisions())
                .containsExactly(Schedules.Decision.SKIPPED);
    }

    @Test
    void schedulesOfAnOlderStateGetWhatTheJournalKnowsOfThem() {
        ShardId id = new ShardId("q" + UUID.randomUUID(), 0);
        Ledger older = withTwoJobs(id);
        Ledger newer = withTwoJobs(id);
        List.of(older, newer)
                .forEach(ledger -> List.of("fired", "edited", "removed", "paused", "same")
                        .forEach(name -> put(ledger, name, null, "{}")));
        AtomicReference<Ledger> now = new AtomicReference<>(newer);
        Database tables = Database.of(database, "test");
        tables.shards().enlist(id);
        ShardWriter writer = new ShardWriter(
                id, switching(now::get), BOUND, JournalTables.parts(tables, AfterDrain.NONE, (lost, loss, at) -> {}));
        fire(newer, "fired", 1_000_000);
        fire(newer, "edited", 1_000_000);
        put(newer, "edited", 1_000_000L, "{new}");
        newer.schedules().remove("removed").join();
        newer.schedules().pause("paused", true).join();
        put(newer, "added", null, "{}");
        drain(writer);
        Map<String, KeptSchedule> known = schedules(newer);
        assertThat(schedules(tables, id)).isEqualTo(known);

        now.set(older);
        drain(writer);

        assertThat(schedules(older))
                .containsOnlyKeys("fired", "edited", "paused", "same")
                .allSatisfy((name, schedule) -> assertThat(schedule).isEqualTo(known.get(name)));
        assertThat(schedules(tables, id)).as("those to be restored too").isEqualTo(known);
    }

    @Test
    void schedulesFromBeforeTheJournalGetRows() {
        ShardId id = new ShardId("q" + UUID.randomUUID(), 0);
        Ledger ledger = withTwoJobs(id);
        List.of("a", "b").forEach(name -> put(ledger, name, null, "{}"));
        ledger.trimFlow(ledger.missing(List.of()).join().last()).join();
        Database tables = Database.of(database, "test");
        tables.shards().enlist(id);
        ShardWriter writer = new ShardWriter(
                id, ledger, BOUND, JournalTables.parts(tables, AfterDrain.NONE, (lost, loss, at) -> {}));
        drain(writer);
        assertThat(schedules(tables, id)).isEqualTo(schedules(ledger)).hasSize(2);
    }

    private static List<SetLimits> limits(Ledger ledger) {
        return ledger.limits().read(0).join().allSet();
    }

    @Test
    void limitsFromBeforeTheJournalGetRowsAndOthersStay() {
        ShardId id = new ShardId("q" + UUID.randomUUID(), 0);
        Ledger ledger = withTwoJobs(id);
        ledger.limits().set(Shared.of(Limits.NONE.withConcurrency(4)), 0).join();
        ledger.limits().set("a|b", Limits.NONE.withWeight(3)).join();
        ledger.limits().set("c", Limits.NONE.withConcurrency(9)).join();
        ledger.limits().pause("c", true).join();
        ledger.pause(true).join();
        put(ledger, "a step behind them", null, "{}");
        ledger.trimFlow(ledger.missing(List.of()).join().last()).join();
        Database tables = Database.of(database, "test");
        tables.shards().enlist(id);
        SetLimits known = new SetLimits("c", Limits.NONE.withConcurrency(1), false);
        tables.limits().put(id, List.of(known));
        ShardWriter writer = new ShardWriter(
                id, ledger, BOUND, JournalTables.parts(tables, AfterDrain.NONE, (lost, loss, at) -> {}));
        drain(writer);
        assertThat(tables.limits().all(id))
                .as("Redis may be older than a row")
                .containsExactlyInAnyOrder(
                        new SetLimits("", Limits.NONE.withConcurrency(4), true),
                        new SetLimits("a|b", Limits.NONE.withWeight(3), false),
                        known.withPaused(true));
        ledger.limits().pause("c", false).join();
        ledger.limits().set("c", null).join();
        ledger.limits().set("a|b", null).join();
        ledger.pause(false).join();
        drain(writer);
        assertThat(tables.limits().all(id)).hasSameElementsAs(limits(ledger)).hasSize(1);
    }

    /** Of another release, or changed by hand. */
    @Test
    void aRowOfLimitsThatCannotBeReadKeepsNothingOutOfTheJournal() {
        ShardId id = new ShardId("q" + UUID.randomUUID(), 0);
        Ledger ledger = withTwoJobs(id);
        ledger.limits().set("unknown", Limits.NONE.withConcurrency(1)).join();
        put(ledger, "a step behind it", null, "{}");
        ledger.trimFlow(ledger.missing(List.of()).join().last()).join();
        Database tables = Database.of(database, "test");
        tables.shards().enlist(id);
        SetLimits paused = SetLimits.nothing("b").withPaused(true);
        tables.limits().put(id, List.of(SetLimits.nothing("a").withPaused(true), paused));
        spoil(id, "||order=SHUFFLED\n\n1");
        ShardWriter writer = new ShardWriter(
                id, ledger, BOUND, JournalTables.parts(tables, AfterDrain.NONE, (lost, loss, at) -> {}));
        drain(writer);
        SetLimits adopted = new SetLimits("unknown", Limits.NONE.withConcurrency(1), false);
        assertThat(tables.limits().all(id))
                .containsExactlyInAnyOrder(SetLimits.nothing("a").withPaused(true), paused, adopted);
        ledger.limits().set("a", Limits.NONE.withWeight(2)).join();
        ledger.limits().pause("b", false).join();
        drain(writer);
        assertThat(tables.limits().all(id))
                .as("the row says that it is paused")
                .containsExactlyInAnyOrder(new SetLimits("a", Limits.NONE.withWeight(2), true), adopted);
    }

    private static void spoil(ShardId id, String terms) {
        new JdbcTemplate(database).update("UPDATE delayjob_limit SET terms = ? WHERE queue = ?", terms, id.queue());
    }

    /** Every third in each build, the others with the profile {@code proofs}. */
    static IntStream steps() {
        return IntStream.range(0, 30).filter(step -> Variants.proofs() != (step % 3 == 0));
    }

    @Tag(Variants.TAG)
    @ParameterizedTest
    @MethodSource("steps")
    void whatIsFromBeforeTheJournalGetsRowsAlsoIfTheConnectionBreaksMeanwhile(int step) {
        ShardId id = new ShardId("q" + UUID.randomUUID(), 0);
        Ledger ledger = withTwoJobs(id);
        ledger.limits().set("a", Limits.NONE.withConcurrency(4)).join();
        put(ledger, "s", null, "{}");
        ledger.trimFlow(ledger.missing(List.of()).join().last()).join();
        FailingDatabase failing = new FailingDatabase(database);
        Database tables = Database.of(failing, "test");
        tables.shards().enlist(id);
        ShardWriter writer = new ShardWriter(
                id, ledger, BOUND, JournalTables.parts(tables, AfterDrain.NONE, (lost, loss, at) -> {}));
        failing.breakAfter(step);
        visit(writer, failing);
        failing.repair();
        drain(writer);
        assertThat(tables.limits().all(id)).hasSameElementsAs(limits(ledger)).hasSize(1);
        assertThat(schedules(tables, id)).isEqualTo(schedules(ledger)).hasSize(1);
        for (String job : List.of("ran", "waits")) {
            assertThat(tables.jobs().find(id.queue(), job)).as(job).isPresent();
        }
    }

    /** Another release has read its definition from the log. */
    @Test
    void aScheduleWithoutARowGetsOneWithItsNextStep() {
        ShardId id = new ShardId("q" + UUID.randomUUID(), 0);
        Ledger ledger = withTwoJobs(id);
        Database tables = Database.of(database, "test");
        tables.shards().enlist(id);
        ShardWriter writer = new ShardWriter(
                id, ledger, BOUND, JournalTables.parts(tables, AfterDrain.NONE, (lost, loss, at) -> {}));
        put(ledger, "s", null, "{}");
        drain(writer);
        new JdbcTemplate(database).update("DELETE FROM delayjob_schedule WHERE queue = ?", id.queue());
        fire(ledger, "s", 1_000_000);
        drain(writer);
        assertThat(schedules(tables, id)).isEqualTo(schedules(ledger)).hasSize(1);
    }

    @Test
    void aScheduleThatTheDatabaseRefusesHoldsUpNoOther() {
        ShardId id = new ShardId("q" + UUID.randomUUID(), 0);
        Ledger ledger = withTwoJobs(id);
        Database tables = Database.of(database, "test");
        tables.shards().enlist(id);
        ShardWriter writer = new ShardWriter(
                id, ledger, BOUND, JournalTables.parts(tables, AfterDrain.NONE, (lost, loss, at) -> {}));
        String tooLong = "n".repeat(129);
        List.of("a", tooLong, "b").forEach(name -> put(ledger, name, null, "{}"));
        drain(writer);
        assertThat(schedules(tables, id)).containsOnlyKeys("a", "b");
    }

    /** A ledger with two jobs, as it is at the same time in each copy. */
    private static Ledger withTwoJobs(ShardId id) {
        return withTwoJobs(id, new AtomicLong(1_000_000));
    }

    private static Ledger withTwoJobs(ShardId id, AtomicLong clock) {
        Ledger ledger = new MemoryBackend(clock::get, true).ledger(id, Retention.NONE, Replication.NONE);
        ledger.flow(new Flow.Request(null, 0, BOUND)).join();
        List.of("ran", "waits").forEach(job -> submit(ledger, job));
        return ledger;
    }

    @Test
    void whatHasEndedIsCancelledWhereAnOlderStateBringsItBackAndTheNextJobOfItsIdIsStored() {
        ShardId id = new ShardId("q" + UUID.randomUUID(), 0);
        AtomicLong clock = new AtomicLong(1_000_000);
        Ledger older = withTwoJobs(id, clock);
        AtomicReference<Ledger> now = new AtomicReference<>(withTwoJobs(id));
        Database tables = Database.of(database, "test");
        tables.shards().enlist(id);
        List<Loss> losses = new ArrayList<>();
        ShardWriter writer = new ShardWriter(
                id,
                switching(now::get),
                BOUND,
                JournalTables.parts(tables, relay(tables, switching(now::get)), (lost, loss, at) -> losses.add(loss)));
        Objects.requireNonNull(now.get())
                .cancel(new Call("cancel", 1), List.of("ran"))
                .join();
        drain(writer);
        assertThat(tables.jobs().find(id.queue(), "ran").orElseThrow().status().state())
                .isEqualTo(JobState.CANCELLED);

        now.set(older);
        clock.incrementAndGet();
        NewJob next = new NewJob("ran", new NewJob.Due(0, true), JobContent.of("\"job\":\"x\",\"param\":2}"));
        tables.submits().add(List.of(Submissions.of(id, next, null)));
        while (writer.visit(true) != ShardWriter.Found.NOTHING) {
            // Until the end.
        }

        assertThat(losses).containsExactly(Loss.REPLACED);
        assertThat(older.find("ran").join().orElseThrow().record()).endsWith("\"param\":2}");
        assertThat(older.find("waits").join()).isPresent();
        assertThat(tables.jobs().unfinished(id.queue(), List.of("ran", "waits")))
                .extracting(JobRow::id, row -> row.status().relayAt())
                .containsExactlyInAnyOrder(tuple("ran", null), tuple("waits", null));
    }

    @Test
    void aTrimThatComesLateTakesNothingFromAnOlderState() {
        ShardId id = new ShardId("q" + UUID.randomUUID(), 0);
        AtomicLong clock = new AtomicLong(1_000_000);
        Ledger older = withTwoJobs(id, clock);
        Ledger newer = withTwoJobs(id, clock);
        AtomicReference<Ledger> now = new AtomicReference<>(newer);
        Database tables = Database.of(database, "test");
        tables.shards().enlist(id);
        List<Loss> losses = new ArrayList<>();
        ShardWriter writer = new ShardWriter(
                id,
                (Ledger) Proxy.newProxyInstance(
                        Ledger.class.getClassLoader(), new Class<?>[] {Ledger.class}, (self, method, values) -> {
                            if (method.getName().equals("trimFlow")
                                    && newer.find("late").join().isPresent()) {
                                now.set(older);
                            }
                            return method.invoke(now.get(), values);
                        }),
                BOUND,
                JournalTables.parts(tables, AfterDrain.NONE, (lost, loss, at) -> losses.add(loss)));
        drain(writer);
        clock.incrementAndGet();
        submit(newer, "late");
        writer.visit(false);
        assertThat(now).hasValue(older);
        clock.incrementAndGet();
        submit(older, "next");
        drain(writer);
        assertThat(losses).containsExactly(Loss.REPLACED);
    }

    private static void submit(Ledger ledger, String id) {
        ledger.submit(
                        new Call(id, 1),
                        List.of(new NewJob(id, new NewJob.Due(0, true), JobContent.of("\"job\":\"x\",\"param\":1}"))))
                .join();
    }

    /** Brings each job that the ledger is not known to have there. */
    private static AfterDrain relay(Database tables, Ledger ledger) {
        return new AfterDrain() {
            @Override
            public Collection<ShardId> waiting() {
                return List.of();
            }

            @Override
            public boolean drained(ShardId shard, Fence fence) {
                List<Long> due = tables.relays().due(shard, Long.MAX_VALUE, 10).stream()
                        .map(DueRow::seq)
                        .toList();
                List<NewJob> jobs = tables.relays().unrelayed(due).stream()
                        .map(row -> new NewJob(row.id(), new NewJob.Due(0, true), row.content())
                                .with(new NewJob.Journaled(
                                        fence.ofRelay(),
                                        Objects.requireNonNull(row.mark()).tag())))
                        .toList();
                if (!jobs.isEmpty()) {
                    ledger.submit(new Call(UUID.randomUUID().toString(), 1), jobs)
                            .join();
                }
                return !jobs.isEmpty();
            }
        };
    }

    /** A ledger in which one job was handed out, one has ended and one waits, as it is at the same time in each copy. */
    private static final class Copy {

        final Ledger ledger;
        final List<Lease> leases;

        Copy(ShardId id, AtomicLong clock) {
            ledger = new MemoryBackend(clock::get, true).ledger(id, Retention.NONE, Replication.NONE);
            ledger.flow(new Flow.Request(null, 0, BOUND)).join();
            for (String job : List.of("a-runs", "b-ends", "c-waits")) {
                NewJob added = new NewJob(job, new NewJob.Due(0, true), JobContent.of("\"job\":\"x\",\"param\":1}"));
                ledger.submit(new Call(job, 1), List.of(added)).join();
            }
            leases = claim(1);
        }

        List<Lease> claim(int most) {
            Call call = new Call(UUID.randomUUID().toString(), 1);
            return ledger.claim(call, new ClaimRequest("node", most, 1000, "r")).join().jobs().stream()
                    .map(Claimed.Job::lease)
                    .toList();
        }

        void compare() {
            String last = ledger.missing(List.of()).join().last();
            ledger.flow(new Flow.Request(last, 0, BOUND, true)).join();
        }
    }

    @Test
    void nothingThatHasEndedIsHandedOutByAnOlderStateThatTheJournalHadCompared() {
        ShardId id = new ShardId("q" + UUID.randomUUID(), 0);
        AtomicLong clock = new AtomicLong(1_000_000);
        Copy older = new Copy(id, clock);
        older.compare();
        Copy newer = new Copy(id, clock);
        AtomicReference<Ledger> now = new AtomicReference<>(newer.ledger);
        Database tables = Database.of(database, "test");
        tables.shards().enlist(id);
        ShardWriter writer = new ShardWriter(
                id, switching(now::get), BOUND, JournalTables.parts(tables, AfterDrain.NONE, (lost, loss, at) -> {}));
        newer.ledger
                .settle(new Call("settle", 1), List.of(new Settlement.Complete(newer.leases.get(0), null, 0)))
                .join();
        newer.ledger.cancel(new Call("cancel", 1), List.of("b-ends")).join();
        drain(writer);

        now.set(older.ledger);
        clock.addAndGet(60_000);
        assertThat(older.claim(5)).isEmpty();
        drain(writer);

        assertThat(row(tables, id).adopted()).isTrue();
        assertThat(older.claim(5)).extracting(Lease::id).containsExactly("c-waits");
        assertThat(older.ledger.missing(List.of("a-runs", "b-ends")).join().ids())
                .hasSize(2);
    }

    private static ShardRow row(Database tables, ShardId id) {
        return tables.shards().rows().stream()
                .filter(row -> row.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    private static void steps(RandomShard shard, int number, @Nullable ShardWriter writer) {
        for (int i = 0; i < number; i++) {
            shard.step();
            if (writer != null && i % 7 == 0) {
                writer.visit(false);
            }
        }
        if (writer != null) {
            drain(writer);
        }
    }

    private static void drain(ShardWriter writer) {
        while (writer.visit(false) != ShardWriter.Found.NOTHING) {
            // Until the end.
        }
    }

    private static Ledger switching(Supplier<Ledger> now) {
        return (Ledger) Proxy.newProxyInstance(
                Ledger.class.getClassLoader(),
                new Class<?>[] {Ledger.class},
                (self, method, values) -> method.invoke(now.get(), values));
    }

    @Test
    void aLogThatNobodyKeptGoingIsALoss() {
        RandomShard shard = new RandomShard(new ShardId("q" + UUID.randomUUID(), 0), new Random(1));
        Database tables = Database.of(database, "test");
        tables.shards().enlist(shard.id);
        List<Loss> losses = new ArrayList<>();
        ShardWriter writer = new ShardWriter(
                shard.id,
                shard.ledger,
                BOUND,
                JournalTables.parts(tables, AfterDrain.NONE, (lost, loss, at) -> losses.add(loss)));
        steps(shard, 10, writer);
        shard.pass(Flow.KEPT_MILLIS + 1);
        shard.unlogged(40);
        drain(writer);
        assertThat(losses).containsExactly(Loss.UNLOGGED);
        assertThat(rows(tables, shard)).containsAllEntriesOf(jobs(shard));
    }

    /** A shard whose ledger can be exchanged, and its losses. */
    private static final class Exchanged {

        final RandomShard shard = new RandomShard(new ShardId("q" + UUID.randomUUID(), 0), new Random(3));
        final AtomicReference<Ledger> now = new AtomicReference<>(shard.ledger);
        final Database tables = Database.of(database, "test");
        final List<Loss> losses = new ArrayList<>();

        Exchanged() {
            tables.shards().enlist(shard.id);
        }

        ShardWriter writer() {
            return new ShardWriter(
                    shard.id,
                    switching(now::get),
                    BOUND,
                    JournalTables.parts(tables, AfterDrain.NONE, (lost, loss, at) -> losses.add(loss)));
        }

        /** Empties the ledger like FLUSHALL: the new log begins later than the old one ended. */
        void empty(long clock) {
            now.set(new MemoryBackend(() -> clock, true).ledger(shard.id, Retention.NONE, Replication.NONE));
            drain(writer());
        }

        @Nullable Loss open() {
            ShardRow.Lost lost = row(tables, shard.id).lost();
            return lost == null ? null : lost.loss();
        }
    }

    @Test
    void aDatabaseThatWentBackIsNotARedisThatLostData() {
        Exchanged it = new Exchanged();
        steps(it.shard, 30, it.writer());
        FlowPosition old = row(it.tables, it.shard.id).written();
        steps(it.shard, 30, it.writer());
        assertThat(row(it.tables, it.shard.id).written()).isGreaterThan(old);
        it.tables.shards().moveTo(it.shard.id, old);
        drain(it.writer());
        assertThat(it.losses).containsExactly(Loss.UNLOGGED);
        assertThat(it.open()).isEqualTo(Loss.UNLOGGED);
        assertThat(row(it.tables, it.shard.id).adopted()).isTrue();
        assertThat(rows(it.tables, it.shard)).containsAllEntriesOf(jobs(it.shard));
    }

    @Test
    void anEmptiedRedisIsReplacedHoweverLateItsLogBegins() {
        Exchanged it = new Exchanged();
        steps(it.shard, 30, it.writer());
        it.empty(2_000_000_000L);
        assertThat(it.losses).containsExactly(Loss.REPLACED);
        assertThat(it.open()).isEqualTo(Loss.REPLACED);
    }

    @Test
    void whatWasNotLoggedStaysSoWhateverElseIsLost() {
        Exchanged before = new Exchanged();
        steps(before.shard, 30, before.writer());
        before.shard.pass(Flow.KEPT_MILLIS + 1);
        before.shard.unlogged(10);
        drain(before.writer());
        long first = Objects.requireNonNull(row(before.tables, before.shard.id).lost())
                .atMillis();
        before.empty(2_000_000_000L);
        assertThat(before.losses).containsExactly(Loss.UNLOGGED, Loss.UNLOGGED);
        assertThat(before.open()).isEqualTo(Loss.UNLOGGED);
        assertThat(Objects.requireNonNull(row(before.tables, before.shard.id).lost())
                        .atMillis())
                .isGreaterThanOrEqualTo(first);

        Exchanged after = new Exchanged();
        steps(after.shard, 30, after.writer());
        RandomShard other = new RandomShard(after.shard.id, new Random(4));
        after.now.set(other.ledger);
        drain(after.writer());
        assertThat(after.open()).isEqualTo(Loss.REPLACED);
        steps(other, 30, after.writer());
        other.pass(10 * Flow.KEPT_MILLIS);
        other.unlogged(10);
        drain(after.writer());
        assertThat(after.losses).containsExactly(Loss.REPLACED, Loss.UNLOGGED);
        assertThat(after.open()).isEqualTo(Loss.UNLOGGED);
        assertThat(after.tables.shards().restored(after.shard.id, Loss.REPLACED, Long.MAX_VALUE))
                .isFalse();
        assertThat(after.tables.shards().restored(after.shard.id, Long.MAX_VALUE))
                .isTrue();
        assertThat(after.open()).isNull();
    }

    @Test
    void aFailureAfterAPageLeavesThePageWritten() {
        RandomShard shard = new RandomShard(new ShardId("q" + UUID.randomUUID(), 0), new Random(3));
        Database tables = Database.of(database, "test");
        tables.shards().enlist(shard.id);
        AfterDrain refused = new AfterDrain() {
            @Override
            public Collection<ShardId> waiting() {
                return List.of(shard.id);
            }

            @Override
            public boolean drained(ShardId id, Fence fence) {
                tables.shards().moveTo(id, FlowPosition.START);
                throw new IllegalStateException("refused");
            }
        };
        ShardWriter writer =
                new ShardWriter(shard.id, shard.ledger, BOUND, JournalTables.parts(tables, refused, (id, loss, at) -> {
                    throw new AssertionError("nothing is lost: " + loss);
                }));
        steps(shard, 50, null);
        while (!row(tables, shard.id).adopted()) {
            assertThatThrownBy(() -> writer.visit(true))
                    .isInstanceOf(AfterDrainFailed.class)
                    .hasMessage("refused");
        }
        assertThat(jobs(shard)).isNotEmpty();
        assertThat(rows(tables, shard)).isEqualTo(jobs(shard));
        assertThat(row(tables, shard.id).written()).isNotEqualTo(FlowPosition.START);
        assertThat(shard.ledger.flow(new Flow.Request(null, 10, BOUND)).join().entries())
                .isEqualTo(1);
        assertThat(writer.visit(false)).isEqualTo(ShardWriter.Found.NOTHING);
    }

    @Test
    void jobsFromBeforeTheJournalGetRows() {
        RandomShard shard = new RandomShard(new ShardId("q" + UUID.randomUUID(), 0), new Random(2), 60);
        Database tables = Database.of(database, "test");
        tables.shards().enlist(shard.id);
        ShardWriter writer = writer(shard, new FailingDatabase(database));
        drain(writer);
        assertThat(jobs(shard)).isNotEmpty();
        assertThat(rows(tables, shard)).isEqualTo(jobs(shard));
    }

    private static ShardWriter writer(RandomShard shard, FailingDatabase failing) {
        return new ShardWriter(
                shard.id,
                shard.ledger,
                BOUND,
                JournalTables.parts(Database.of(failing, "test"), AfterDrain.NONE, (id, loss, at) -> {
                    throw new AssertionError("nothing is lost: " + loss);
                }));
    }

    private static void visit(ShardWriter writer, FailingDatabase failing) {
        try {
            writer.visit(false);
        } catch (RuntimeException e) {
            assertThat(failing.repair()).as("%s", e).isTrue();
        }
    }

    private record Facts(JobState state, int attempt, String record, boolean error) {}

    private static Map<String, Facts> jobs(RandomShard shard) {
        Map<String, Facts> jobs = new TreeMap<>();
        shard.jobs().forEach((id, job) -> jobs.put(id, facts(job)));
        return jobs;
    }

    private static Facts facts(StoredJob job) {
        JobState state = job.state() == JobState.READY ? JobState.DELAYED : job.state();
        return new Facts(state, job.attempt().number(), String.valueOf(job.record()), job.error() != null);
    }

    private static Map<String, Facts> rows(Database tables, RandomShard shard) {
        Map<String, Facts> rows = new TreeMap<>();
        List<Long> seqs = tables.jobs().liveIds(shard.id, 0, 1000).stream()
                .map(LiveJob::seq)
                .toList();
        for (JobRow row : tables.jobs().live(seqs)) {
            rows.put(
                    row.id(),
                    new Facts(
                            row.status().state(),
                            row.status().attempt(),
                            row.stored().record(),
                            row.status().error() != null));
            StoredJob job = shard.jobs().get(row.id());
            if (job != null && job.state() != JobState.RESERVED) {
                assertThat(row.status().dueAt()).isEqualTo(job.atMillis());
            }
            assertThat(row.status().relayAt()).isNull();
        }
        return rows;
    }

    /** The rows of submits that nothing is known of. One that was refused before all jobs were known is kept for a relay. */
    private static List<JobRow> pending(Database tables, RandomShard shard) {
        List<String> ids = shard.logged.stream().map(Flow.Step::id).distinct().toList();
        return tables.jobs().unfinished(shard.id.queue(), ids).stream()
                .filter(row -> !row.status().live())
                .filter(row -> shard.logged.stream().noneMatch(step -> isRefusal(step, row)))
                .toList();
    }

    private static boolean isRefusal(Flow.Step step, JobRow row) {
        return step.kind() == Flow.Kind.REFUSE && row.isOf(step.tag());
    }

    private static Map<String, List<String>> byJob(List<Flow.Step> steps) {
        Map<String, List<String>> byJob = new TreeMap<>();
        PageWriter.byJob(steps)
                .forEach((id, all) -> byJob.put(
                        id,
                        all.stream()
                                .map(step -> step.position() + "/" + step.item() + " " + step.kind() + " "
                                        + step.state() + " " + step.attempt() + " " + step.node())
                                .toList()));
        return byJob;
    }

    private static Map<String, List<String>> history(Database tables, RandomShard shard) {
        Map<String, List<String>> byJob = new TreeMap<>();
        shard.logged.stream()
                .map(Flow.Step::id)
                .distinct()
                .forEach(id -> byJob.put(
                        id,
                        tables.flow().history(shard.id.queue(), id, 10_000).stream()
                                .map(ShardWriterTest::line)
                                .toList()));
        return byJob;
    }

    private static String line(FlowRow row) {
        return row.position() + "/" + row.item() + " " + row.kind() + " " + row.state() + " " + row.attempt() + " "
                + row.node();
    }
}
