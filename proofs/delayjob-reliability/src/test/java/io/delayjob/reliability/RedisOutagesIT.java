package io.delayjob.reliability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.embedded.RedisCall;
import io.delayjob.reliability.harness.Account;
import io.delayjob.reliability.harness.FaultProxy;
import io.delayjob.reliability.harness.Faults;
import io.delayjob.reliability.harness.Fsync;
import io.delayjob.reliability.harness.Stage;
import io.delayjob.testing.OwnRedis;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Redis dies, stands still, refuses, forgets its scripts, or hands over to its replica. */
@Faults
class RedisOutagesIT {

    private static final Duration BOUND = Duration.ofMinutes(4);

    @Tag("proof")
    @ParameterizedTest
    @ValueSource(strings = {"always", "everysec"})
    void redisKilledAndStartedAgain(String appendfsync, Stage stage) {
        OwnRedis redis = stage.redis("--appendonly", "yes", "--appendfsync", appendfsync);
        CompletableFuture<Void> submits = flow(stage, redis.url());
        redis.kill();
        redis.restart();
        submits.join();

        // A killed process loses nothing, whatever the setting: the kernel has what it wrote.
        stage.settle(BOUND);
    }

    @Tag("proof")
    @Test
    void powerLostWithAppendfsyncEverysec(Stage stage) throws IOException {
        OwnRedis redis = stage.redis("--appendonly", "yes", "--appendfsync", "everysec");
        try (Fsync fsync = new Fsync(redis)) {
            CompletableFuture<Void> submits = flow(stage, redis.url());
            stage.redisLost(fsync.losePower());
            redis.restart();
            submits.join();
        }

        Account account = stage.settle(BOUND);
        // Only what was submitted or done within the lost second is lost: of any other loss, the account makes a fault.
        assertThat(account.lostByRedis() + account.repeatedByLoss()).isPositive();
    }

    @Tag("proof")
    @Test
    void redisFrozen(Stage stage) {
        OwnRedis redis = stage.redis();
        CompletableFuture<Void> submits = flow(stage, redis.url());
        redis.pause();
        Stage.pass(Stage.LEASE.plusSeconds(3));
        redis.resume();
        submits.join();

        stage.settle(BOUND);
    }

    @Tag("proof")
    @Test
    void clientsPaused(Stage stage) throws IOException {
        OwnRedis redis = stage.redis();
        CompletableFuture<Void> submits = flow(stage, redis.url());
        RedisCall.call(redis.url(), "CLIENT", "PAUSE", "4000", "ALL");
        submits.join();

        stage.settle(BOUND);
    }

    @Tag("proof")
    @Test
    void connectionsKilledByRedis(Stage stage) throws IOException {
        OwnRedis redis = stage.redis();
        CompletableFuture<Void> submits = flow(stage, redis.url());
        for (int i = 0; i < 5; i++) {
            RedisCall.call(redis.url(), "CLIENT", "KILL", "TYPE", i % 2 == 0 ? "normal" : "pubsub");
            Stage.pass(Duration.ofMillis(stage.random().nextInt(400)));
        }
        submits.join();

        stage.settle(BOUND);
    }

    @Tag("proof")
    @Test
    void scriptsFlushedAgainAndAgain(Stage stage) throws IOException {
        stage.leasesThatLast();
        stage.everywhere("delayjob.submit-timeout=30s");
        OwnRedis redis = stage.redis();
        CompletableFuture<Void> submits = flow(stage, redis.url());
        for (int i = 0; i < 10; i++) {
            RedisCall.call(redis.url(), "SCRIPT", "FLUSH");
            Stage.pass(Duration.ofMillis(stage.random().nextInt(400)));
        }
        submits.join();

        Account account = stage.settle(BOUND);
        assertThat(account.refused()).isZero();
        assertThat(account.duplicates()).isZero();
    }

    @Tag("proof")
    @Test
    void redisOutOfMemory(Stage stage) throws IOException {
        stage.leasesThatLast();
        OwnRedis redis = stage.redis();
        CompletableFuture<Void> submits = flow(stage, redis.url());
        RedisCall.call(redis.url(), "CONFIG", "SET", "maxmemory", "1mb");
        Stage.pass(Duration.ofSeconds(2));
        RedisCall.call(redis.url(), "CONFIG", "SET", "maxmemory", "0");
        submits.join();

        Account account = stage.settle(BOUND);
        assertThat(account.refused()).isPositive();
        assertThat(account.duplicates()).isZero();
    }

    @Tag("proof")
    @Test
    void masterHandsOverToItsReplica(Stage stage) throws IOException {
        OwnRedis replica = stage.redis();
        OwnRedis master = stage.redis();
        RedisCall.call(replica.url(), "REPLICAOF", "127.0.0.1", Integer.toString(master.port()));
        await().atMost(BOUND)
                .until(() -> RedisCall.call(master.url(), "INFO", "replication").contains("state=online"));
        FaultProxy network = stage.proxy(master);
        stage.submitThrough(network.url());
        CompletableFuture<Void> submits = flow(stage, network.url());
        RedisCall.call(master.url(), "FAILOVER");
        await().atMost(BOUND).until(() -> RedisCall.call(replica.url(), "ROLE").startsWith("master"));
        // Clients still write to the old master, now a read-only replica, until the address moves.
        Stage.pass(Duration.ofSeconds(1));
        network.retarget(replica.port());
        network.cut();
        submits.join();

        stage.settle(BOUND);
    }

    /** Two nodes, and jobs that come for six seconds; returns when some have run. */
    private static CompletableFuture<Void> flow(Stage stage, String url) {
        stage.nodes(2, url);
        CompletableFuture<Void> submits = stage.submit(400, Duration.ofSeconds(6));
        Stage.pass(Duration.ofSeconds(3));
        return submits;
    }
}
