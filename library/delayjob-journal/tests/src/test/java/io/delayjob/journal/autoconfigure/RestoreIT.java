package io.delayjob.journal.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.DelayJobAdmin;
import io.delayjob.DelayJobJournal;
import io.delayjob.JobRestore;
import io.delayjob.JobStep;
import io.delayjob.JournalDiff;
import io.delayjob.JournalScope;
import io.delayjob.RestoreReport;
import io.delayjob.SubmitResult;
import io.delayjob.SubmitResult.Outcome;
import io.delayjob.engine.extension.Transactions;
import io.delayjob.journal.database.TestDatabase;
import io.delayjob.redisson.autoconfigure.DelayJobRedis;
import io.delayjob.testing.OwnRedis;
import io.delayjob.testing.Variants;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
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

/** Redis is emptied, and the journal puts everything back. */
@Execution(ExecutionMode.CONCURRENT)
@Tag(Variants.TAG)
@ParameterizedClass
@MethodSource("databases")
class RestoreIT {

    private static final int JOBS = Variants.tries(500, 2000);
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    @Parameter
    @SuppressWarnings("NullAway.Init")
    TestDatabase kind;

    private final String queue = "q-" + UUID.randomUUID();
    private final Runs runs = new Runs();

    static Stream<TestDatabase> databases() {
        return Variants.of(TestDatabase.H2_MEMORY, List.of(TestDatabase.POSTGRESQL));
    }

    private JournalNode open(OwnRedis redis, String database, String... properties) {
        List<String> all = new ArrayList<>(List.of(properties));
        all.add("delayjob.journal.mode=always");
        all.add("delayjob.queues." + queue + ".shards=2");
        return JournalNode.open(redis.url(), database, queue, runs, all.toArray(String[]::new));
    }

    private static void empty(JournalNode node) {
        node.context().getBean(DelayJobRedis.class).redisson().getKeys().flushall();
    }

    private static void submit(JournalNode node, Collection<String> ids, Duration delay) {
        node.producer().submitAll(ids.stream().map(JournalNode::note).toList(), request -> delay);
    }

    /** Before that, a node is about to end restores that are under way. */
    private static void awaitLoss(JournalNode node) {
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(node.jdbc().queryForList("SELECT loss FROM delayjob_shard", String.class))
                                .containsOnly("REPLACED"));
    }

    private static List<String> ids(String prefix, int count) {
        return IntStream.range(0, count).mapToObj(i -> prefix + i).toList();
    }

    private static DelayJobJournal journal(JournalNode node) {
        return node.context().getBean(DelayJobJournal.class);
    }

    @Test
    void everyUnfinishedJobOfAnEmptiedRedisRunsWithoutBeingAskedFor() {
        List<String> early = ids("early-", JOBS);
        List<String> late = ids("late-", JOBS);
        try (OwnRedis redis = OwnRedis.start()) {
            String database = kind.freshUrl();
            try (JournalNode one = open(redis, database, "delayjob.journal.restore-automatically=true");
                    JournalNode other = open(redis, database, "delayjob.journal.restore-automatically=true")) {
                Instant lateIsDue = Instant.now().plusSeconds(8);
                submit(one, late, Duration.ofSeconds(8));
                submit(other, early, Duration.ZERO);
                await().atMost(PATIENCE).until(() -> one.rows("state = 'COMPLETED'") > 100);

                List<String> known =
                        one.jdbc().queryForList("SELECT id FROM delayjob_job WHERE state = 'COMPLETED'", String.class);
                empty(one);
                boolean lateWaited = Instant.now().isBefore(lateIsDue);

                runs.awaitAll(early, PATIENCE);
                runs.awaitAll(late, PATIENCE);
                await().atMost(PATIENCE).until(() -> other.rows("live = 1") == 0);
                assertThat(journal(one).diff(JournalScope.ALL).isEmpty()).isTrue();
                // A job runs twice only if a node had taken it from the Redis that was lost, and the journal had not
                // heard of its end.
                List<String> ran = runs.seen();
                Set<String> twice = new HashSet<>(ran);
                twice.removeIf(id -> Collections.frequency(ran, id) == 1);
                assertThat(twice)
                        .doesNotContainAnyElementsOf(known)
                        .allMatch(id -> !lateWaited || id.startsWith("early-"))
                        .allMatch(id -> Collections.frequency(ran, id) == 2);
            }
        }
    }

    private static List<Outcome> submitKeyed(JournalNode node, List<String> ids, String key) {
        return node
                .producer()
                .submitAll(
                        ids.stream()
                                .map(id -> JournalNode.note(id).withKey(key))
                                .toList(),
                        request -> Duration.ofHours(1))
                .stream()
                .map(SubmitResult::outcome)
                .toList();
    }

    @Test
    void anIdIsThatOfOneJobWhateverItsKeyAlsoAfterARestore() {
        List<String> ids = ids("mine-", 40);
        try (OwnRedis redis = OwnRedis.start();
                JournalNode node = open(redis, kind.freshUrl())) {
            assertThat(submitKeyed(node, ids, "customer-1")).isSubsetOf(Outcome.STORED, Outcome.JOURNALED);
            await().atMost(PATIENCE).until(() -> node.rows("live = 1 AND relay_at IS NULL") == ids.size());
            assertThat(submitKeyed(node, ids, "customer-2")).isSubsetOf(Outcome.EXISTS, Outcome.JOURNALED);
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(node.rows("live = 1 AND relay_at IS NULL"))
                            .isEqualTo(node.rows("1 = 1"))
                            .isEqualTo(ids.size()));
            assertThat(node.jdbc().queryForList("SELECT DISTINCT shard FROM delayjob_job", Integer.class))
                    .as("the shard of customer-1")
                    .hasSize(1);

            empty(node);
            awaitLoss(node);
            assertThat(journal(node).restore(JobRestore.of(JournalScope.of(queue))))
                    .isEqualTo(new RestoreReport(ids.size(), ids.size(), 0, 0, 0, 0));
            assertThat(submitKeyed(node, ids, "customer-2")).isSubsetOf(Outcome.EXISTS, Outcome.JOURNALED);
            await().atMost(PATIENCE).until(() -> node.rows("1 = 1") == ids.size());
            assertThat(journal(node).diff(JournalScope.of(queue)).isEmpty()).isTrue();

            DelayJobAdmin admin = node.context().getBean(DelayJobAdmin.class);
            assertThat(ids).allMatch(id -> admin.cancel(queue, id).done());
            assertThat(submitKeyed(node, ids, "customer-2")).isSubsetOf(Outcome.STORED, Outcome.JOURNALED);
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(List.of(
                                    node.rows("live = 1"), node.rows("state = 'CANCELLED'"), node.rows("1 = 1")))
                            .containsExactly(ids.size(), ids.size(), 2 * ids.size()));
        }
    }

    @Test
    void aJobThatItsNodeDidNotBringComesToTheShardOfItsKeyUnlessItsIdIsInUse() {
        List<String> ids = ids("kept-", 40);
        Transactions dying = submit -> true;
        try (OwnRedis redis = OwnRedis.start();
                JournalNode node = JournalNode.open(
                        redis.url(), kind.freshUrl(), queue, runs, dying, "delayjob.queues." + queue + ".shards=2")) {
            Stream.of("customer-1", "customer-2")
                    .forEach(key -> node.transaction().executeWithoutResult(status -> submitKeyed(node, ids, key)));
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(
                                    List.of(node.rows("live = 1 AND relay_at IS NULL"), node.rows("live IS NULL")))
                            .containsExactly(ids.size(), 0));
            DelayJobAdmin admin = node.context().getBean(DelayJobAdmin.class);
            assertThat(ids).allMatch(id -> admin.find(queue, id).isPresent());
            assertThat(submitKeyed(node, ids, "customer-3")).isSubsetOf(Outcome.EXISTS, Outcome.JOURNALED);
            await().atMost(PATIENCE).until(() -> node.rows("1 = 1") == ids.size());
            assertThat(journal(node).diff(JournalScope.of(queue)).isEmpty()).isTrue();
        }
    }

    @Test
    void whatIsMissingIsSaidAndPutBackWhenItIsAskedFor() {
        List<String> waiting = ids("waits-", 500);
        try (OwnRedis redis = OwnRedis.start();
                JournalNode node = open(redis, kind.freshUrl())) {
            submit(node, waiting, Duration.ofHours(1));
            await().atMost(PATIENCE).until(() -> node.rows("live = 1 AND relay_at IS NULL") == waiting.size());
            assertThat(journal(node).diff(JournalScope.of(queue)).isEmpty()).isTrue();

            empty(node);

            awaitLoss(node);
            JournalDiff diff = journal(node).diff(JournalScope.of(queue));
            assertThat(diff.missingInRedis()).isEqualTo(waiting.size());
            assertThat(diff.samples()).hasSize(100);
            assertThat(journal(node)
                            .restore(JobRestore.of(JournalScope.of(queue)).asDryRun())
                            .restored())
                    .isEqualTo(waiting.size());
            assertThat(journal(node).restore(JobRestore.of(JournalScope.of(queue))))
                    .isEqualTo(new RestoreReport(waiting.size(), waiting.size(), 0, 0, 0, 0));
            assertThat(journal(node).diff(JournalScope.of(queue)).isEmpty()).isTrue();
            assertThat(node.jdbc().queryForList("SELECT loss FROM delayjob_shard WHERE loss IS NOT NULL"))
                    .isEmpty();
            assertThat(journal(node).history(queue, "waits-0", 10))
                    .extracting(JobStep::kind)
                    .startsWith(JobStep.Kind.SUBMITTED);
        }
        assertThat(runs.seen()).isEmpty();
    }
}
