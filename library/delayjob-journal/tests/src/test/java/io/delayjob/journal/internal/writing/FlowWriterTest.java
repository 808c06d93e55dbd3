package io.delayjob.journal.internal.writing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.engine.ledger.Call;
import io.delayjob.engine.ledger.Fence;
import io.delayjob.engine.ledger.Flow;
import io.delayjob.engine.ledger.FlowPosition;
import io.delayjob.engine.ledger.JobContent;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.NewJob;
import io.delayjob.engine.ledger.Replication;
import io.delayjob.engine.ledger.Retention;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.engine.memory.MemoryBackend;
import io.delayjob.journal.database.TestDatabase;
import io.delayjob.journal.internal.pointing.PointedIds;
import io.delayjob.journal.internal.tables.Database;
import io.delayjob.journal.internal.tables.LiveJob;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.springframework.dao.DataIntegrityViolationException;

@Execution(ExecutionMode.CONCURRENT)
class FlowWriterTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final MemoryBackend backend = new MemoryBackend(System::currentTimeMillis);
    private final List<ShardId> shards =
            IntStream.range(0, 5).mapToObj(n -> new ShardId("orders", n)).toList();
    private final List<FlowWriter> writers = new ArrayList<>();
    private final CompletableFuture<Void> silence = new CompletableFuture<>();
    private final AtomicInteger unanswered = new AtomicInteger();
    private final Map<ShardId, AtomicInteger> comparing = new ConcurrentHashMap<>();
    private HikariDataSource database;
    private FailingDatabase failing;
    private Database tables;
    private long calls;

    @BeforeEach
    void open() {
        database = TestDatabase.H2_MEMORY.prepared();
        failing = new FailingDatabase(database);
        tables = Database.of(database, "test");
        shards.forEach(tables.shards()::enlist);
    }

    @AfterEach
    void close() {
        writers.forEach(FlowWriter::stop);
        database.close();
    }

    private FlowWriter start(AfterDrain after) {
        FlowWriter writer = new FlowWriter(
                Database.of(failing, "test"),
                new FlowWriter.Links(
                        this::reached,
                        new PointedIds(this::ledger, queue -> shards.size()),
                        shard -> true,
                        after,
                        (shard, loss, at) -> {},
                        (shard, fence) -> {}),
                new WriterSettings(10_000, 2, PATIENCE));
        writer.start();
        writers.add(writer);
        return writer;
    }

    private Ledger ledger(ShardId shard) {
        return backend.ledger(shard, Retention.NONE, Replication.NONE);
    }

    /** The ledger as the writer sees it: the master of some shards is silent. */
    private Ledger reached(ShardId shard) {
        Ledger ledger = ledger(shard);
        return (Ledger) Proxy.newProxyInstance(
                Ledger.class.getClassLoader(),
                new Class<?>[] {Ledger.class},
                (self, method, values) -> values != null && values[0] instanceof Flow.Request request
                        ? flow(shard, ledger, request)
                        : method.invoke(ledger, values));
    }

    private CompletableFuture<Flow.Page> flow(ShardId shard, Ledger ledger, Flow.Request request) {
        if (shard.queue().equals("silent")) {
            unanswered.incrementAndGet();
            return silence.thenCompose(over -> ledger.flow(request));
        }
        if (request.compares()) {
            comparing(shard).incrementAndGet();
        }
        return ledger.flow(request);
    }

    private AtomicInteger comparing(ShardId shard) {
        return comparing.computeIfAbsent(shard, none -> new AtomicInteger());
    }

    private void submit(ShardId shard, String id) {
        NewJob job = new NewJob(id, new NewJob.Due(60_000, true), JobContent.of("\"job\":\"x\",\"param\":1}"));
        ledger(shard).submit(new Call("test", ++calls), List.of(job)).join();
    }

    /** Waits until the logs of all shards have begun, and their begin is written. */
    private void awaitLogs() {
        await().atMost(PATIENCE)
                .until(() -> shards.stream()
                        .noneMatch(shard -> tables.shards()
                                .find(shard)
                                .filter(row -> row.written().equals(FlowPosition.START))
                                .isPresent()));
    }

    /** Waits until all is written and trimmed: right after the commit, a database that breaks or hangs would still keep the writer from trimming. */
    private void awaitTrimmed(ShardId shard) {
        await().atMost(PATIENCE).until(() -> entries(shard) == 1);
    }

    private long entries(ShardId shard) {
        return ledger(shard).flow(new Flow.Request(null, 0, 10_000)).join().entries();
    }

    private String last(ShardId shard) {
        return ledger(shard).missing(List.of()).join().last();
    }

    private List<String> rows(ShardId shard) {
        return tables.jobs().liveIds(shard, 0, 10_000).stream().map(LiveJob::id).toList();
    }

    @Test
    void nodesWriteAllShardsTogether() throws InterruptedException {
        start(AfterDrain.NONE);
        FlowWriter other = start(AfterDrain.NONE);
        awaitLogs();
        for (int i = 0; i < 200; i++) {
            submit(shards.get(i % 5), "job " + i);
        }
        for (ShardId shard : shards) {
            assertThat(other.catchUp().await(shard, last(shard), PATIENCE)).isTrue();
            assertThat(rows(shard)).hasSize(40);
        }
    }

    @Test
    void waitsForAPositionInVainWhileNobodyWrites() throws InterruptedException {
        FlowWriter writer = start(AfterDrain.NONE);
        writer.stop();
        submit(shards.get(0), "job");
        assertThat(writer.catchUp().await(shards.get(0), "9999999999999-0", Duration.ofMillis(1)))
                .isFalse();
    }

    @Test
    void aStopWritesWhatIsLeft() {
        FlowWriter writer = start(AfterDrain.NONE);
        awaitLogs();
        shards.forEach(shard -> submit(shard, "late " + shard.number()));
        writer.stop();
        assertThat(shards).allSatisfy(shard -> assertThat(rows(shard)).containsExactly("late " + shard.number()));
    }

    @Test
    void keepsTheLogGoingWhileTheDatabaseIsAwayAndCatchesUp() {
        FlowWriter writer = start(AfterDrain.NONE);
        awaitLogs();
        ShardId shard = shards.get(0);
        submit(shard, "before");
        awaitTrimmed(shard);
        failing.breakAfter(0);
        submit(shard, "during");
        await().atMost(PATIENCE).until(() -> writer.databaseAwaySince().isPresent());
        await().atMost(PATIENCE).until(() -> writer.state("orders").lagMillis() > 0);
        await().atMost(PATIENCE).until(() -> entries(shard) == 2);
        failing.repair();
        await().atMost(PATIENCE).until(() -> rows(shard).contains("during"));
        await().atMost(PATIENCE).until(() -> writer.databaseAwaySince().isEmpty());
        await().atMost(PATIENCE).until(() -> writer.state("orders").lagMillis() == 0);
    }

    @Test
    void theLagGrowsWhileTheDatabaseDoesNotAnswer() {
        FlowWriter writer = start(AfterDrain.NONE);
        awaitLogs();
        ShardId shard = shards.get(0);
        submit(shard, "before");
        awaitTrimmed(shard);
        failing.hang();
        submit(shard, "during");
        submit(shards.get(4), "beside");
        try {
            await().atMost(PATIENCE).until(() -> writer.state("orders").lagMillis() > 0);
            await().atMost(PATIENCE).until(() -> writer.state("orders").entries() == 2);
            long lag = writer.state("orders").lagMillis();
            await().atMost(PATIENCE).until(() -> writer.state("orders").lagMillis() > lag);
        } finally {
            failing.answer();
        }
        await().atMost(PATIENCE).until(() -> rows(shard).contains("during"));
        await().atMost(PATIENCE).until(() -> writer.state("orders").lagMillis() == 0);
        await().atMost(PATIENCE).until(() -> writer.databaseAwaySince().isEmpty());
    }

    @Test
    void shardsOfASilentMasterHoldUpNoOthers() {
        IntStream.range(0, 10).mapToObj(n -> new ShardId("silent", n)).forEach(tables.shards()::enlist);
        ShardId live = shards.get(0);
        FlowWriter writer = start(AfterDrain.NONE);
        try {
            await().atMost(PATIENCE).until(() -> unanswered.get() >= 10);
            awaitLogs();
            awaitComparing(live, writer);
            failing.hang();
            awaitComparing(live, writer);
        } finally {
            failing.answer();
            silence.complete(null);
        }
    }

    /** Waits until Redis was told several times that it has not gone back. */
    private void awaitComparing(ShardId shard, FlowWriter writer) {
        long seen = comparing(shard).get();
        await().atMost(PATIENCE).until(() -> {
            writer.hurry(shard);
            return comparing(shard).get() >= seen + 3;
        });
    }

    @Test
    void theDatabaseIsBackOnceItIsWrittenWhateverRedisRefuses() {
        FlowWriter writer = start(new AfterDrain() {
            @Override
            public Collection<ShardId> waiting() {
                return shards;
            }

            @Override
            public boolean drained(ShardId shard, Fence fence) {
                throw new IllegalStateException("refused");
            }
        });
        awaitLogs();
        failing.breakAfter(0);
        submit(shards.get(0), "during");
        await().atMost(PATIENCE).until(() -> writer.databaseAwaySince().isPresent());
        failing.repair();
        await().atMost(PATIENCE).until(() -> rows(shards.get(0)).contains("during"));
        await().atMost(PATIENCE).until(() -> writer.databaseAwaySince().isEmpty());
    }

    @Test
    void doesWhatIsToBeDoneAtTheEndOfALogUnderTheLockOfTheShard() {
        Set<ShardId> waiting = ConcurrentHashMap.newKeySet();
        Set<ShardId> locked = ConcurrentHashMap.newKeySet();
        AfterDrain after = new AfterDrain() {
            @Override
            public Collection<ShardId> waiting() {
                return waiting;
            }

            @Override
            public boolean drained(ShardId shard, Fence fence) {
                if (tables.own().execute(status -> tables.shards().lock(shard)).isEmpty()) {
                    locked.add(shard);
                }
                waiting.remove(shard);
                return false;
            }
        };
        start(after);
        waiting.addAll(List.of(shards.get(1), shards.get(3)));
        await().atMost(PATIENCE).until(waiting::isEmpty);
        assertThat(locked).contains(shards.get(1), shards.get(3));
    }

    @Test
    void whatIsDoneAtTheEndOfALogDoesNotKeepItFromBeingWritten() throws InterruptedException {
        AtomicInteger tries = new AtomicInteger();
        FlowWriter writer = start(new AfterDrain() {
            @Override
            public Collection<ShardId> waiting() {
                return shards;
            }

            @Override
            public boolean drained(ShardId shard, Fence fence) {
                tries.incrementAndGet();
                throw new DataIntegrityViolationException("refused");
            }
        });
        await().atMost(PATIENCE).until(() -> tries.get() > 5);
        submit(shards.get(0), "job");
        assertThat(writer.catchUp().await(shards.get(0), last(shards.get(0)), PATIENCE))
                .isTrue();
    }
}
