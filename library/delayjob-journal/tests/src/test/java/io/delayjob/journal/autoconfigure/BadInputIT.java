package io.delayjob.journal.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.delayjob.DelayJobAdmin;
import io.delayjob.JobSnapshot;
import io.delayjob.JobState;
import io.delayjob.JobStep;
import io.delayjob.engine.extension.Transactions;
import io.delayjob.journal.database.TestDatabase;
import io.delayjob.journal.internal.submitting.ModesWatch;
import io.delayjob.journal.internal.writing.JournalHealth;
import io.delayjob.testing.RealRedis;
import io.delayjob.testing.RedisServer;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Bad input is reported, with what to do. */
@RealRedis
@ExtendWith(OutputCaptureExtension.class)
class BadInputIT {

    private final String queue = "q-" + UUID.randomUUID();
    private final String database = TestDatabase.H2_MEMORY.freshUrl();
    private final Runs runs = new Runs();

    private JournalNode open(String... properties) {
        return JournalNode.open(RedisServer.shared().url(), database, queue, runs, properties);
    }

    @Tag("proof")
    @Test
    void aQueueThatAnotherNodeJournalsInAnotherWayIsNamed(CapturedOutput output) {
        try (JournalNode transactional = open();
                JournalNode always = open("delayjob.journal.mode=always", "delayjob.node=always");
                JournalNode off = open(
                        "delayjob.journal.mode=off",
                        "delayjob.queues.other.journal.mode=always",
                        "delayjob.node=off")) {
            ModesWatch first = transactional.context().getBean(ModesWatch.class);
            await().untilAsserted(() -> assertThat(first.differences())
                    .anySatisfy(difference ->
                            assertThat(difference).contains(queue, "TRANSACTIONAL on this node and ALWAYS on always")));
            await().untilAsserted(() -> assertThat(
                            always.context().getBean(ModesWatch.class).differences())
                    .anySatisfy(difference -> assertThat(difference)
                            .contains(queue, "ALWAYS on this node and TRANSACTIONAL on", "to the same on every node")));
            await().untilAsserted(() -> assertThat(output.getOut().lines())
                    .anyMatch(line ->
                            line.contains("WARN") && line.contains("ALWAYS on this node and TRANSACTIONAL on")));
            await().untilAsserted(() -> {
                Health health = Objects.requireNonNull(
                        always.context().getBean(JournalHealth.class).health(true));
                assertThat(health.getStatus()).isEqualTo(Status.UP);
                assertThat(health.getDetails().get("differences"))
                        .asString()
                        .contains("ALWAYS on this node and TRANSACTIONAL on");
            });
            await().untilAsserted(() -> assertThat(
                            off.context().getBean(ModesWatch.class).differences())
                    .anySatisfy(one2 -> assertThat(one2).contains("OFF on this node and ALWAYS on always"))
                    .anySatisfy(one2 ->
                            assertThat(one2).contains("has no journal on this node, and another node has one")));
        }
    }

    @Test
    void aRowWhoseParamDoesNotBindIsDeadWithTheReason() {
        Transactions dying = submit -> true;
        try (JournalNode node =
                JournalNode.open(RedisServer.shared().url(), database, queue, runs, dying, "delayjob.consume=false")) {
            // In its transaction: a relay brings the job soon after.
            node.transaction().executeWithoutResult(status -> {
                node.submit("a");
                assertThat(node.jdbc()
                                .update(
                                        "UPDATE delayjob_job SET body = REPLACE(body, '\"param\":\"a\"', '\"param\":{\"no\":1}')"
                                                + " WHERE body LIKE '%\"param\":\"a\"%'"))
                        .isEqualTo(1);
            });
        }
        try (JournalNode node = open()) {
            DelayJobAdmin admin = node.context().getBean(DelayJobAdmin.class);
            await().until(() -> admin.find(queue, "a").map(JobSnapshot::state).orElse(null) == JobState.DEAD);
            assertThat(admin.find(queue, "a").orElseThrow().lastError()).contains("String");
            await().untilAsserted(() -> assertThat(admin.history(queue, "a", 1))
                    .singleElement()
                    .satisfies(step -> {
                        assertThat(step.kind()).isEqualTo(JobStep.Kind.BURIED);
                        assertThat(step.text()).contains("String");
                    }));
        }
        assertThat(runs.seen()).isEmpty();
    }

    @Test
    void aQueueWithoutAJournalHasNoHistory() {
        try (JournalNode node =
                open("delayjob.journal.mode=off", "delayjob.queues." + queue + ".journal.mode=transactional")) {
            DelayJobAdmin admin = node.context().getBean(DelayJobAdmin.class);
            assertThat(admin.history(queue, "a", 10)).isEmpty();
            assertThatThrownBy(() -> admin.history("other", "a", 10))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("delayjob.queues.other.journal.mode");
            assertThatThrownBy(() -> admin.history(queue, "a", 1001))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("limit must be 1 to 1000: 1001");
        }
    }
}
