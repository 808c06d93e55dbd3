package io.delayjob.redisson.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.delayjob.SubmitResult;
import io.delayjob.SubmitResult.Outcome;
import io.delayjob.embedded.RedisCall;
import io.delayjob.engine.ledger.Call;
import io.delayjob.engine.ledger.JobContent;
import io.delayjob.engine.ledger.LedgerException;
import io.delayjob.engine.ledger.LedgerException.Kind;
import io.delayjob.engine.ledger.NewJob;
import io.delayjob.engine.ledger.NotReplicatedException;
import io.delayjob.engine.ledger.Replication;
import io.delayjob.engine.ledger.Retention;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.testing.OwnRedis;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** A slot moves to a master whose replica is silent, and the client asks the old master, whose replica is not. */
class MovedSlotIT {

    private static final ShardId SHARD = new ShardId("q", 0);
    private static final Call CALL = new Call("lane", 1);
    private static final int SLOTS = 16_384;

    private final OwnRedis from = node();
    private final OwnRedis to = node();
    private final OwnRedis replicaOfFrom = node();
    private final OwnRedis replicaOfTo = node();
    private final List<OwnRedis> nodes = List.of(from, to, replicaOfFrom, replicaOfTo);

    private static OwnRedis node() {
        return OwnRedis.start(
                "--cluster-enabled", "yes", "--cluster-announce-ip", "127.0.0.1", "--repl-diskless-sync-delay", "0");
    }

    @AfterEach
    void close() {
        nodes.forEach(OwnRedis::close);
    }

    @Test
    void doesNotBelieveWhatTheOldMasterSaysOfItsReplica() throws IOException {
        int slot = Integer.parseInt(call(from, "CLUSTER", "KEYSLOT", new Keys("delayjob", SHARD).of(Key.JOBS)));
        build(slot);
        RedissonClient stale = client();
        try {
            assertThat(submit(stale, new Call("other", 1), Duration.ofMinutes(1))
                            .join())
                    .hasSize(1);
            move(slot);
            replicaOfTo.pause();
            assertThatThrownBy(() -> submit(stale, CALL, Duration.ofMillis(100)).join())
                    .cause()
                    .isInstanceOfSatisfying(
                            LedgerException.class, e -> assertThat(e.kind()).isEqualTo(Kind.UNKNOWN));
        } finally {
            stale.shutdown();
        }
        RedissonClient fresh = client();
        try {
            assertThatThrownBy(() -> submit(fresh, CALL, Duration.ofMillis(100)).join())
                    .cause()
                    .isInstanceOf(NotReplicatedException.class);
            replicaOfTo.resume();
            assertThat(submit(fresh, CALL, Duration.ofMinutes(1)).join())
                    .containsExactly(new SubmitResult("q", "a", Outcome.STORED));
        } finally {
            fresh.shutdown();
        }
    }

    /** One has the slot and another, because a master that loses its last becomes a replica; the other has the rest. */
    private void build(int slot) throws IOException {
        int second = slot ^ 1;
        call(from, "CLUSTER", "ADDSLOTS", Integer.toString(slot), Integer.toString(second));
        List<String> others = new ArrayList<>(List.of("CLUSTER", "ADDSLOTS"));
        IntStream.range(0, SLOTS)
                .filter(other -> other != slot && other != second)
                .forEach(other -> others.add(Integer.toString(other)));
        call(to, others.toArray(String[]::new));
        // Different epochs, as redis-cli sets them, so that the masters need not resolve a collision.
        for (int i = 0; i < nodes.size(); i++) {
            call(nodes.get(i), "CLUSTER", "SET-CONFIG-EPOCH", Integer.toString(i + 1));
        }
        for (OwnRedis node : nodes.subList(1, nodes.size())) {
            call(node, "CLUSTER", "MEET", "127.0.0.1", Integer.toString(from.port()));
        }
        awaitAll("cluster_known_nodes:4");
        follow(replicaOfFrom, from);
        follow(replicaOfTo, to);
        awaitAll("cluster_state:ok");
    }

    private static void follow(OwnRedis replica, OwnRedis master) throws IOException {
        call(replica, "CLUSTER", "REPLICATE", call(master, "CLUSTER", "MYID"));
        await().until(() -> call(replica, "INFO", "replication").contains("master_link_status:up"));
    }

    private void awaitAll(String line) {
        await().until(() -> {
            for (OwnRedis node : nodes) {
                if (!call(node, "CLUSTER", "INFO").contains(line)) {
                    return false;
                }
            }
            return true;
        });
    }

    private void move(int slot) throws IOException {
        String number = Integer.toString(slot);
        String target = call(to, "CLUSTER", "MYID");
        call(to, "CLUSTER", "SETSLOT", number, "IMPORTING", call(from, "CLUSTER", "MYID"));
        call(from, "CLUSTER", "SETSLOT", number, "MIGRATING", target);
        String keys = call(from, "CLUSTER", "GETKEYSINSLOT", number, "100");
        List<String> migrate =
                new ArrayList<>(List.of("MIGRATE", "127.0.0.1", Integer.toString(to.port()), "", "0", "30000", "KEYS"));
        migrate.addAll(keys.lines().toList());
        call(from, migrate.toArray(String[]::new));
        call(to, "CLUSTER", "SETSLOT", number, "NODE", target);
        call(from, "CLUSTER", "SETSLOT", number, "NODE", target);
    }

    private RedissonClient client() {
        Config config = new Config();
        config.useClusterServers()
                .addNodeAddress(to.url())
                .setScanInterval((int) Duration.ofHours(1).toMillis())
                .setRetryAttempts(1)
                .setTimeout((int) Duration.ofSeconds(10).toMillis());
        return Redisson.create(config);
    }

    private static CompletableFuture<List<SubmitResult>> submit(RedissonClient client, Call call, Duration timeout) {
        return new RedisBackend(client, "delayjob", Runnable::run)
                .ledger(SHARD, Retention.NONE, new Replication(1, timeout))
                .submit(
                        call,
                        List.of(new NewJob(
                                call.equals(CALL) ? "a" : "before",
                                new NewJob.Due(60_000, true),
                                JobContent.of("\"job\":\"j\",\"param\":1}"))));
    }

    private static String call(OwnRedis node, String... words) throws IOException {
        return RedisCall.call(node.url(), words);
    }
}
