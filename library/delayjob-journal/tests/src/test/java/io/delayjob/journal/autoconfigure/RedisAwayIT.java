package io.delayjob.journal.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.SubmitResult;
import io.delayjob.journal.database.TestDatabase;
import io.delayjob.testing.OwnRedis;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Submits while Redis is away. */
@Execution(ExecutionMode.CONCURRENT)
class RedisAwayIT {

    private final String queue = "q-" + UUID.randomUUID();
    private final Runs runs = new Runs();

    @Test
    void takesJobsWhileRedisIsAwayAndRunsThemWhenItIsBack() {
        try (OwnRedis redis = OwnRedis.start("--appendonly", "yes");
                JournalNode node = JournalNode.open(
                        redis.url(), TestDatabase.H2_MEMORY.freshUrl(), queue, runs, "delayjob.journal.mode=always")) {
            node.submit("before");
            runs.awaitAll(List.of("before"));
            await().until(() -> node.rows("state = 'COMPLETED'") == 1);
            redis.kill();
            assertThat(node.submit("alone"))
                    .isEqualTo(new SubmitResult(queue, "alone", SubmitResult.Outcome.JOURNALED));
            node.transaction().executeWithoutResult(status -> node.submit("inside"));
            redis.restart();
            runs.awaitAll(List.of("alone", "inside"));
            await().untilAsserted(() -> assertThat(
                            node.jdbc().queryForList("SELECT id || ' ' || state FROM delayjob_job", String.class))
                    .containsExactlyInAnyOrder("before COMPLETED", "alone COMPLETED", "inside COMPLETED"));
        }
        assertThat(runs.seen()).containsExactlyInAnyOrder("before", "alone", "inside");
    }
}
