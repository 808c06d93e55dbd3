package io.delayjob.reliability;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.reliability.harness.Account;
import io.delayjob.reliability.harness.Faults;
import io.delayjob.reliability.harness.Load;
import io.delayjob.reliability.harness.NodeProcess;
import io.delayjob.reliability.harness.Stage;
import io.delayjob.reliability.node.Journal;
import io.delayjob.reliability.node.Trap;
import io.delayjob.testing.OwnRedis;
import io.delayjob.testing.Variants;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Nodes die or stop, at each point of an attempt. */
@Faults
class WorkerDeathsIT {

    private static final Duration BOUND = Duration.ofMinutes(4);
    private static final Duration LONG = Duration.ofMillis(800);

    @Tag("proof")
    @Test
    void noFaultAtAll(Stage stage) {
        OwnRedis redis = stage.redis();
        stage.nodes(2, redis.url());
        stage.submit(500, Duration.ofSeconds(4)).join();

        stage.settle(BOUND);
    }

    static Stream<Trap.Point> points() {
        return Variants.of(Trap.Point.BEGUN, List.of(Trap.Point.CLAIMED, Trap.Point.ENDED));
    }

    @Tag(Variants.TAG)
    @ParameterizedTest
    @MethodSource("points")
    void nodeKilledInAnAttempt(Trap.Point point, Stage stage) {
        OwnRedis redis = stage.redis();
        NodeProcess heir = stage.launch(redis.url());
        NodeProcess doomed = stage.launch(redis.url(), "node.trap=" + point + ":20");
        stage.awaitReady();
        CompletableFuture<Void> load = stage.submit(600, Duration.ofSeconds(6));
        Journal.Line trapped = doomed.awaitTrapped();
        stage.kill(doomed);
        load.join();

        Account account = stage.settle(BOUND);
        assertThat(heir.journal())
                .anyMatch(line -> line.kind() == Journal.Kind.BEGUN
                        && line.id().equals(trapped.id())
                        && line.attempt() == trapped.attempt() + 1);
        // Within the lease and a second; the rest is for a machine that is busy with something else.
        assertThat(account.recoveryMillis())
                .isLessThan(Stage.LEASE.plusSeconds(60).toMillis());
    }

    @Tag("proof")
    @Test
    void nodeKilledWhileItShutsDown(Stage stage) {
        OwnRedis redis = stage.redis();
        NodeProcess doomed = stage.node(redis.url());
        stage.launch(redis.url());
        Load load = stage.load(Load.Mix.USUAL.working(LONG));
        CompletableFuture<Void> submits = load.submit(150, Duration.ofSeconds(3));
        doomed.awaitLine(Journal.Kind.BEGUN, BOUND);
        stage.terminate(doomed);
        doomed.awaitLine(Journal.Kind.STOPPED, BOUND);
        stage.kill(doomed);
        submits.join();

        stage.settle(BOUND);
    }

    @Tag("proof")
    @Test
    void nodesKilledOneAfterTheOther(Stage stage) {
        OwnRedis redis = stage.redis();
        List<NodeProcess> nodes = stage.nodes(2, redis.url());
        CompletableFuture<Void> submits =
                stage.load(Load.Mix.USUAL.working(LONG)).submit(250, Duration.ofSeconds(10));
        for (NodeProcess node : nodes) {
            stage.launch(redis.url());
            node.awaitLine(Journal.Kind.BEGUN, BOUND);
            stage.kill(node);
        }
        submits.join();

        assertThat(stage.settle(BOUND).duplicates()).isPositive();
    }

    @Tag("proof")
    @Test
    void wholeFleetKilledAndStartedAgain(Stage stage) {
        OwnRedis redis = stage.redis();
        List<NodeProcess> nodes = stage.nodes(2, redis.url());
        CompletableFuture<Void> submits =
                stage.load(Load.Mix.USUAL.working(LONG)).submit(200, Duration.ofSeconds(3));
        nodes.forEach(node -> node.awaitLine(Journal.Kind.BEGUN, BOUND));
        nodes.forEach(stage::kill);
        stage.nodes(2, redis.url());
        submits.join();

        assertThat(stage.settle(BOUND).duplicates()).isPositive();
    }

    @Tag("proof")
    @Test
    void everyNodeAndRedisKilledAtOnce(Stage stage) {
        OwnRedis redis = stage.redis();
        List<NodeProcess> nodes = stage.nodes(2, redis.url());
        CompletableFuture<Void> submits =
                stage.load(Load.Mix.USUAL.working(LONG)).submit(200, Duration.ofSeconds(3));
        nodes.forEach(node -> node.awaitLine(Journal.Kind.BEGUN, BOUND));
        nodes.forEach(stage::kill);
        redis.kill();
        redis.restart();
        stage.nodes(2, redis.url());
        submits.join();

        stage.settle(BOUND);
    }

    @Tag("proof")
    @Test
    void nodesReplacedOneByOneInOrder(Stage stage) {
        stage.leasesThatLast();
        OwnRedis redis = stage.redis();
        List<NodeProcess> nodes = stage.nodes(2, redis.url());
        CompletableFuture<Void> submits =
                stage.load(Load.Mix.USUAL.working(LONG)).submit(250, Duration.ofSeconds(10));
        for (NodeProcess node : nodes) {
            stage.node(redis.url());
            stage.stop(node);
        }
        submits.join();

        // Running jobs were let end: no attempt was spent, none ran twice.
        assertThat(stage.settle(BOUND).duplicates()).isZero();
    }
}
