package io.delayjob.reliability;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.DelayJobJournal;
import io.delayjob.JournalScope;
import io.delayjob.reliability.harness.Account;
import io.delayjob.reliability.harness.Faults;
import io.delayjob.reliability.harness.NodeProcess;
import io.delayjob.reliability.harness.Stage;
import io.delayjob.reliability.node.Journal;
import io.delayjob.reliability.node.TrappedDatabase.Point;
import io.delayjob.testing.OwnRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Nodes that place orders die, or stand still, at each step from the transaction of an order to the journal's last word on its job. The
 * table of the orders says which jobs must run, and that no other may.
 */
@Tag("proof")
@Faults
class JournalDeathsIT {

    private static final Duration BOUND = Duration.ofMinutes(4);

    /** Points at which the node that is trapped is also the one that brings the jobs to Redis. */
    private static final Set<Point> OF_RELAY = Set.of(Point.BEFORE_RELAY, Point.AFTER_RELAY);

    private static final Set<Point> OF_ORDERS = Set.of(Point.BEFORE_COMMIT, Point.AFTER_COMMIT);

    private static final Duration SOAK = Duration.ofSeconds(Long.getLong("reliability.soak", 12));

    @ParameterizedTest
    @EnumSource
    void nodeKilledAtAStepOfTheJournal(Point point, Stage stage) {
        OwnRedis redis = stage.redis();
        stage.journal();
        NodeProcess doomed = doomed(stage, redis, point, trap(point));
        NodeProcess heir = heir(stage, redis, doomed, !OF_ORDERS.contains(point));
        doomed.awaitReady().awaitTrapped();
        stage.kill(doomed);

        settle(stage, heir);
    }

    /** When the node has some orders behind it. It relays and writes many at once, and so less often than it commits. */
    private static String trap(Point point) {
        return point + (OF_ORDERS.contains(point) ? ":12" : ":3");
    }

    /** For longer than others wait before they bring its jobs to Redis, and shorter than its lease. */
    @ParameterizedTest
    @EnumSource(names = {"AFTER_COMMIT", "AFTER_RELAY", "BEFORE_WRITE"})
    void nodeFrozenAtAStepOfTheJournal(Point point, Stage stage) {
        OwnRedis redis = stage.redis();
        stage.leasesThatLast();
        stage.journal();
        NodeProcess frozen = doomed(stage, redis, point, trap(point) + ":1000");
        NodeProcess other = heir(stage, redis, frozen, OF_RELAY.contains(point));
        frozen.awaitReady().awaitTrapped();
        frozen.freeze();
        Stage.pass(Duration.ofSeconds(4));
        frozen.thaw();
        frozen.awaitLines(Journal.Kind.PLACED, 3, BOUND);

        assertThat(settle(stage, other).duplicates()).isZero();
    }

    /** With a system property for longer, as {@link SoakIT}. */
    @Test
    void journaledNodesKilledAndFrozenAtRandom(Stage stage) {
        OwnRedis redis = stage.redis();
        stage.journal();
        NodeProcess last = stage.launch(redis.url());
        List<NodeProcess> nodes = new ArrayList<>(List.of(random(stage, redis), random(stage, redis)));
        stage.awaitReady();
        long end = System.nanoTime() + SOAK.toNanos();
        while (System.nanoTime() - end < 0) {
            int place = stage.random().nextInt(nodes.size());
            one(stage, redis, nodes.get(place));
            if (!nodes.get(place).isAlive()) {
                nodes.set(place, random(stage, redis).awaitReady());
            }
            Stage.pass(Duration.ofMillis(stage.random().nextInt(1500)));
        }
        nodes.forEach(stage::kill);

        settle(stage, last);
    }

    private static NodeProcess random(Stage stage, OwnRedis redis) {
        return stage.launch(redis.url(), "node.orders=100000");
    }

    private static void one(Stage stage, OwnRedis redis, NodeProcess node) {
        switch (stage.random().nextInt(4)) {
            case 0 -> stage.kill(node);
            case 1 -> {
                node.freeze();
                Stage.pass(Duration.ofMillis(200 + stage.random().nextInt(4000)));
                node.thaw();
            }
            case 2 -> {
                redis.kill();
                redis.restart();
            }
            default ->
                stage.jdbc()
                        .queryForList("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                                + " WHERE datname = current_database() AND pid <> pg_backend_pid()");
        }
    }

    /** Relays what it has committed only as another node would, if that is where it dies. */
    private static NodeProcess doomed(Stage stage, OwnRedis redis, Point point, String trap) {
        List<String> properties = new ArrayList<>(List.of("node.orders=150", "node.trap=" + trap));
        if (OF_RELAY.contains(point)) {
            properties.add("node.leaves-relay=true");
        }
        return stage.launch(redis.url(), properties.toArray(String[]::new));
    }

    /** The other node; it comes later if it must not be the one that relays or writes. */
    private static NodeProcess heir(Stage stage, OwnRedis redis, NodeProcess doomed, boolean comesLater) {
        if (comesLater) {
            doomed.awaitReady().awaitTrapped();
        }
        return stage.launch(redis.url());
    }

    private static Account settle(Stage stage, NodeProcess heir) {
        heir.awaitReady();
        Account account = stage.settle(BOUND);
        assertThat(account.refused()).as("rolled back").isPositive();
        assertThat(stage.bean(DelayJobJournal.class).diff(JournalScope.ALL).isEmpty())
                .isTrue();
        return account;
    }
}
