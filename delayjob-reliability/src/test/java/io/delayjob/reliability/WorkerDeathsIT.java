package io.delayjob.reliability;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.reliability.harness.Account;
import io.delayjob.reliability.harness.Faults;
import io.delayjob.reliability.harness.NodeProcess;
import io.delayjob.reliability.harness.Stage;
import io.delayjob.testing.OwnRedis;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes die, at each point of an attempt. */
@Faults
class WorkerDeathsIT {

    private static final Duration BOUND = Duration.ofSeconds(60);

    @Test
    void noFaultAtAll(Stage stage) {
        OwnRedis redis = stage.redis();
        stage.nodes(2, redis.url());
        stage.submit(500, Duration.ofSeconds(4)).join();

        assertThat(stage.settle(BOUND).duplicates()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"CLAIMED", "BEGUN", "ENDED"})
    void killedInAnAttempt(String point, Stage stage) {
        OwnRedis redis = stage.redis();
        stage.node(redis.url());
        NodeProcess doomed = stage.node(redis.url(), "node.trap=" + point + ":20");
        CompletableFuture<Void> load = stage.submit(300, Duration.ofSeconds(3));
        doomed.awaitTrapped();
        stage.kill(doomed);
        load.join();

        Account account = stage.settle(BOUND);
        assertThat(account.recoveryMillis())
                .isLessThan(Stage.LEASE.plusSeconds(10).toMillis());
    }
}
