package io.delayjob.reliability;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.reliability.harness.FaultProxy;
import io.delayjob.reliability.harness.Faults;
import io.delayjob.reliability.harness.Stage;
import io.delayjob.testing.OwnRedis;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The network of one node of two is broken; the other's is well. */
@Faults
class NetworkIT {

    private static final Duration BOUND = Duration.ofMinutes(4);

    /** Shorter than the lease, longer than it, than Redisson's timeout, than all of them together. */
    @Tag("proof")
    @ParameterizedTest
    @ValueSource(ints = {1, 4, 10, 30})
    void networkStalled(int seconds, Stage stage) {
        FaultProxy network = broken(stage);
        CompletableFuture<Void> submits = flow(stage);
        network.stall();
        Stage.pass(Duration.ofSeconds(seconds));
        network.resume();
        submits.join();

        stage.settle(BOUND);
    }

    @Test
    void connectionsResetAgainAndAgain(Stage stage) {
        FaultProxy network = broken(stage);
        CompletableFuture<Void> submits = flow(stage);
        for (int i = 0; i < 8; i++) {
            network.cut();
            Stage.pass(Duration.ofMillis(stage.random().nextInt(600)));
        }
        submits.join();

        stage.settle(BOUND);
    }

    @Tag("proof")
    @Test
    void connectionsRefused(Stage stage) {
        FaultProxy network = broken(stage);
        CompletableFuture<Void> submits = flow(stage);
        network.refuse();
        network.cut();
        Stage.pass(Stage.LEASE.plusSeconds(2));
        network.allow();
        submits.join();

        stage.settle(BOUND);
    }

    @Tag("proof")
    @Test
    void connectionsHalfOpen(Stage stage) {
        FaultProxy network = broken(stage);
        CompletableFuture<Void> submits = flow(stage);
        network.halfClose();
        submits.join();

        stage.settle(BOUND);
    }

    @Tag("proof")
    @Test
    void repliesLostWhileRequestsArrive(Stage stage) {
        FaultProxy network = broken(stage);
        CompletableFuture<Void> submits = flow(stage);
        for (int i = 0; i < 3; i++) {
            network.muteReplies();
            Stage.pass(Duration.ofSeconds(1));
        }
        submits.join();

        stage.settle(BOUND);
    }

    @Tag("proof")
    @Test
    void everythingLateAndOutOfStep(Stage stage) {
        stage.leasesThatLast();
        FaultProxy network = broken(stage);
        network.delay(Duration.ofMillis(20), Duration.ofMillis(180), stage.random());
        flow(stage).join();

        assertThat(stage.settle(BOUND).duplicates()).isZero();
    }

    /** A node behind the network that will break, and one that is not. */
    private static FaultProxy broken(Stage stage) {
        OwnRedis redis = stage.redis();
        FaultProxy network = stage.proxy(redis);
        stage.launch(redis.url());
        stage.launch(network.url());
        return network;
    }

    private static CompletableFuture<Void> flow(Stage stage) {
        stage.awaitReady();
        CompletableFuture<Void> submits = stage.submit(400, Duration.ofSeconds(6));
        Stage.pass(Duration.ofSeconds(2));
        return submits;
    }
}
