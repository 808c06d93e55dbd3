package io.delayjob.journal.internal.writing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.engine.ledger.Call;
import io.delayjob.engine.ledger.ClaimRequest;
import io.delayjob.engine.ledger.Claimed;
import io.delayjob.engine.ledger.Flow;
import io.delayjob.engine.ledger.JobContent;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.NewJob;
import io.delayjob.engine.ledger.Replication;
import io.delayjob.engine.ledger.Retention;
import io.delayjob.engine.ledger.Settlement;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.journal.database.TestDatabase;
import io.delayjob.journal.internal.pointing.PointedIds;
import io.delayjob.journal.internal.tables.Database;
import io.delayjob.journal.internal.tables.Loss;
import io.delayjob.journal.internal.tables.ShardRow;
import io.delayjob.redisson.internal.redis.RedisBackend;
import io.delayjob.testing.RealRedis;
import io.delayjob.testing.RedisServer;
import io.delayjob.testing.Variants;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import org.springframework.jdbc.core.JdbcTemplate;

/** The writer between Redis and each database. */
@Tag(Variants.TAG)
@RealRedis
@ParameterizedClass
@MethodSource("databases")
class WriterIT {

    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final int JOBS = 4000;

    @Parameter
    @SuppressWarnings("NullAway.Init")
    TestDatabase kind;

    private final String prefix = "journal-" + UUID.randomUUID();
    private final String queue = "q" + UUID.randomUUID().toString().substring(0, 8);
    private final List<ShardId> shards =
            IntStream.range(0, 2).mapToObj(n -> new ShardId(queue, n)).toList();
    private final Map<ShardId, Loss> losses = new ConcurrentHashMap<>();
    private RedissonClient redisson;
    private RedisBackend backend;
    private HikariDataSource source;
    private Database database;
    private FlowWriter writer;
    private long calls;

    static Stream<TestDatabase> databases() {
        return TestDatabase.variants();
    }

    @BeforeEach
    void open(RedisServer redis) {
        Config config = new Config();
        config.useSingleServer().setAddress(redis.url()).setConnectionMinimumIdleSize(2);
        redisson = Redisson.create(config);
        backend = new RedisBackend(redisson, prefix, Runnable::run);
        source = kind.prepared();
        database = Database.of(source, "test");
        shards.forEach(database.shards()::enlist);
        writer = new FlowWriter(
                database,
                new FlowWriter.Links(
                        this::ledger,
                        new PointedIds(this::ledger, queue -> shards.size()),
                        shard -> true,
                        AfterDrain.NONE,
                        (shard, loss, at) -> losses.put(shard, loss),
                        (shard, fence) -> {}),
                WriterSettings.of(100_000));
    }

    @AfterEach
    void close() {
        writer.stop();
        redisson.getKeys().deleteByPattern(prefix + "*");
        redisson.shutdown();
        source.close();
    }

    private Ledger ledger(ShardId shard) {
        return backend.ledger(shard, Retention.NONE, Replication.NONE);
    }

    private Call call() {
        return new Call("test", ++calls);
    }

    private void submit(ShardId shard, int jobs) {
        for (int from = 0; from < jobs; from += Ledger.MAX_BATCH) {
            List<NewJob> batch = IntStream.range(from, Math.min(jobs, from + Ledger.MAX_BATCH))
                    .mapToObj(n -> new NewJob(
                            shard.number() + "-" + n,
                            new NewJob.Due(0, true),
                            JobContent.of("\"job\":\"x\",\"param\":{\"order\":\"order " + n + "\",\"text\":\""
                                    + "y".repeat(100) + "\"}}")))
                    .toList();
            ledger(shard).submit(call(), batch).join();
        }
    }

    private int run(ShardId shard) {
        Claimed claimed = ledger(shard)
                .claim(
                        call(),
                        new ClaimRequest(
                                "node",
                                Ledger.MAX_BATCH,
                                60_000,
                                UUID.randomUUID().toString()))
                .join();
        List<Settlement> done = claimed.jobs().stream()
                .map(job -> (Settlement) new Settlement.Complete(job.lease(), "\"done\"", 0))
                .toList();
        if (!done.isEmpty()) {
            ledger(shard).settle(call(), done).join();
        }
        return done.size();
    }

    private void keepLog() {
        shards.forEach(
                shard -> ledger(shard).flow(new Flow.Request(null, 0, 100_000)).join());
    }

    private void awaitAll() throws InterruptedException {
        for (ShardId shard : shards) {
            String last = ledger(shard).missing(List.of()).join().last();
            assertThat(writer.catchUp().await(shard, last, PATIENCE)).isTrue();
        }
    }

    private int count(String condition) {
        return Objects.requireNonNull(
                new JdbcTemplate(source).queryForObject("SELECT COUNT(*) FROM " + condition, Integer.class));
    }

    @Test
    void writesWhatHappenedToEachJob() throws InterruptedException {
        keepLog();
        for (ShardId shard : shards) {
            submit(shard, JOBS);
            while (run(shard) > 0) {
                // Until all have run.
            }
            submit(shard, 10);
        }
        long began = System.nanoTime();
        writer.start();
        awaitAll();
        double seconds = (System.nanoTime() - began) / 1e9;
        int steps = 2 * (3 * JOBS + 10);
        System.out.printf(
                "%s: %d steps of a backlog written in %.1f s: %.0f steps/s%n", kind, steps, seconds, steps / seconds);
        assertThat(count("delayjob_flow")).isEqualTo(steps);
        assertThat(count("delayjob_job WHERE live = 1")).isEqualTo(20);
        assertThat(count("delayjob_job WHERE state = 'COMPLETED'")).isEqualTo(2 * JOBS);
        await().atMost(PATIENCE)
                .until(() -> shards.stream()
                        .allMatch(shard -> ledger(shard)
                                        .flow(new Flow.Request(null, 0, 100_000))
                                        .join()
                                        .entries()
                                == 1));
        assertThat(losses).isEmpty();
    }

    @Test
    void noticesThatRedisWasEmptied() throws InterruptedException {
        submit(shards.get(0), 5);
        writer.start();
        await().atMost(PATIENCE).until(() -> database.shards().rows().stream().allMatch(ShardRow::adopted));
        redisson.getKeys().deleteByPattern(prefix + "*" + shards.get(0) + "*");
        await().atMost(PATIENCE).until(() -> losses.get(shards.get(0)) == Loss.REPLACED);
        await().atMost(PATIENCE).until(() -> !writer.state(queue).lost().isEmpty());
        assertThat(losses).hasSize(1);
        submit(shards.get(0), 6);
        awaitAll();
        assertThat(count("delayjob_job WHERE live = 1")).isEqualTo(6);
        assertThat(losses).hasSize(1);
    }
}
