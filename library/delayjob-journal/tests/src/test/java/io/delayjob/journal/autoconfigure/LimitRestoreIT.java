package io.delayjob.journal.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.DelayJobAdmin;
import io.delayjob.DelayJobJournal;
import io.delayjob.DelayJobLimits;
import io.delayjob.JobRestore;
import io.delayjob.JournalScope;
import io.delayjob.Limits;
import io.delayjob.embedded.RedisCall;
import io.delayjob.engine.ledger.SetLimits;
import io.delayjob.journal.database.TestDatabase;
import io.delayjob.testing.OwnRedis;
import io.delayjob.testing.Variants;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Redis is emptied, and the journal knows the limits that were set while the queue ran. */
@Execution(ExecutionMode.CONCURRENT)
@Tag(Variants.TAG)
@ParameterizedClass
@MethodSource("databases")
class LimitRestoreIT {

    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final Limits OF_QUEUE = Limits.NONE
            .withConcurrency(40)
            .withPerKey(Limits.NONE.withConcurrency(1).withOrder(Limits.Order.STRICT));
    private static final Limits OWN = Limits.NONE.withConcurrency(2).withRate(5, Duration.ofSeconds(1));

    @Parameter
    @SuppressWarnings("NullAway.Init")
    TestDatabase kind;

    private final String queue = "q-" + UUID.randomUUID();
    private final Runs runs = new Runs();

    static Stream<TestDatabase> databases() {
        return TestDatabase.variants();
    }

    private JournalNode open(OwnRedis redis, String... properties) {
        return JournalNode.open(
                redis.url(),
                kind.freshUrl(),
                queue,
                runs,
                Stream.concat(Stream.of("delayjob.queues." + queue + ".shards=2"), Stream.of(properties))
                        .toArray(String[]::new));
    }

    private static DelayJobAdmin admin(JournalNode node) {
        return node.context().getBean(DelayJobAdmin.class);
    }

    private static List<String> rows(JournalNode node) {
        return node.jdbc().queryForList("SELECT job_key FROM delayjob_limit ORDER BY job_key", String.class);
    }

    private static long pausedRows(JournalNode node) {
        return node.jdbc().queryForList("SELECT terms FROM delayjob_limit WHERE job_key = ''", String.class).stream()
                .filter(terms -> SetLimits.read("", terms).paused())
                .count();
    }

    /** Limits of the queue are in both shards, those of a key in one. */
    private void set(JournalNode node) {
        admin(node).setLimits(queue, OF_QUEUE);
        admin(node).setLimits(queue, "customer-1", OWN);
        admin(node).setLimits(queue, "cleared", OWN);
        admin(node).clearLimits(queue, "cleared");
        admin(node).pause(queue, "customer-2");
        await().atMost(PATIENCE).until(() -> rows(node).equals(List.of("", "", "customer-1", "customer-2")));
    }

    @Test
    void limitsAreThereAgainBeforeTheJobsThatTheyHoldBack() throws IOException {
        List<String> ids = IntStream.range(0, 20).mapToObj(i -> "paused-" + i).toList();
        try (OwnRedis redis = OwnRedis.start();
                JournalNode node =
                        open(redis, "delayjob.journal.mode=always", "delayjob.journal.restore-automatically=true")) {
            set(node);
            DelayJobLimits before = admin(node).limits(queue);
            node.producer()
                    .submitAll(
                            ids.stream()
                                    .map(id -> JournalNode.note(id).withKey("customer-2"))
                                    .toList(),
                            request -> Duration.ZERO);
            await().atMost(PATIENCE).until(() -> node.rows("live = 1 AND relay_at IS NULL") == ids.size());

            RedisCall.call(redis.url(), "FLUSHALL");

            await().atMost(PATIENCE)
                    .ignoreExceptions()
                    .until(() -> ids.stream()
                            .allMatch(id -> admin(node).find(queue, id).isPresent()));
            await("both shards are restored")
                    .atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(admin(node).limits(queue).set())
                            .isEqualTo(before.set())
                            .isEqualTo(OF_QUEUE));
            DelayJobLimits after = admin(node).limits(queue);
            assertThat(after.keys()).isEqualTo(before.keys()).containsOnlyKeys("customer-1");
            assertThat(after.pausedKeys()).isEqualTo(before.pausedKeys()).containsExactly("customer-2");
            assertThat(runs.seen()).as("the key is paused").isEmpty();
            admin(node).resume(queue, "customer-2");
            runs.awaitAll(ids, PATIENCE);
            await().atMost(PATIENCE).until(() -> rows(node).equals(List.of("", "", "customer-1")));
        }
    }

    @Test
    void aPausedQueueStaysPausedAndKeepsItsLimits() throws IOException {
        List<String> ids =
                IntStream.range(0, 20).mapToObj(i -> "paused-queue-" + i).toList();
        try (OwnRedis redis = OwnRedis.start();
                JournalNode node =
                        open(redis, "delayjob.journal.mode=always", "delayjob.journal.restore-automatically=true")) {
            admin(node).setLimits(queue, OF_QUEUE);
            admin(node).pause(queue);
            node.producer().submitAll(ids.stream().map(JournalNode::note).toList(), request -> Duration.ZERO);
            await().atMost(PATIENCE)
                    .until(() -> node.rows("live = 1 AND relay_at IS NULL") == ids.size() && pausedRows(node) == 2);

            RedisCall.call(redis.url(), "FLUSHALL");

            await().atMost(PATIENCE)
                    .ignoreExceptions()
                    .until(() -> ids.stream()
                            .allMatch(id -> admin(node).find(queue, id).isPresent()));
            assertThat(admin(node).counts(queue).paused()).isTrue();
            assertThat(admin(node).limits(queue).set()).isEqualTo(OF_QUEUE);
            assertThat(runs.seen()).as("the queue is paused").isEmpty();
            admin(node).resume(queue);
            runs.awaitAll(ids, PATIENCE);
        }
    }

    @Test
    void limitsThatWereSetSinceTheLossStayWhatTheyAre() throws IOException {
        try (OwnRedis redis = OwnRedis.start();
                JournalNode node = open(redis)) {
            set(node);
            RedisCall.call(redis.url(), "FLUSHALL");
            await().atMost(PATIENCE)
                    .until(() -> node.jdbc().queryForList("SELECT loss FROM delayjob_shard", String.class).stream()
                            .allMatch("REPLACED"::equals));
            Limits later = Limits.NONE.withConcurrency(7);
            admin(node).setLimits(queue, "customer-1", later);
            admin(node).setLimits(queue, "customer-3", later);
            admin(node).pause(queue, "customer-1");
            admin(node).pause(queue);

            node.context().getBean(DelayJobJournal.class).restore(JobRestore.of(JournalScope.of(queue)));

            DelayJobLimits after = admin(node).limits(queue);
            assertThat(after.set()).isEqualTo(OF_QUEUE);
            assertThat(after.keys())
                    .containsOnlyKeys("customer-1", "customer-3")
                    .containsEntry("customer-1", later);
            assertThat(after.pausedKeys()).containsExactly("customer-1", "customer-2");
            assertThat(admin(node).counts(queue).paused()).isTrue();
        }
    }
}
