package io.delayjob.redisson.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.embedded.RedisCall;
import io.delayjob.engine.TestSettings;
import io.delayjob.testing.OwnCluster;
import io.delayjob.testing.OwnRedis;
import io.delayjob.testing.Replication;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.redisson.config.Config;

/** A queue spread over a cluster, while 2 000 jobs a second are submitted and run. */
@Tag("proof")
class ClusterIT {

    private static final int SHARDS = 12;

    private final OwnCluster cluster = OwnCluster.start(3);
    private final String queue = TestSettings.queue();

    @AfterEach
    void close() {
        cluster.close();
    }

    @Test
    void runsEveryJobOnceWhenTheReplicaOfAKilledMasterHadEverything() {
        int slot = slot(0);
        OwnRedis victim = cluster.masterOf(slot);
        OwnRedis heir = cluster.replicaOf(victim);
        try (FlowFleet fleet = fleet()) {
            Flow flow = fleet.startFlow();
            flow.awaitConfirmed(4000);
            Replication.holdWrites(victim, heir);
            victim.kill();
            assertThat(cluster.masterOf(slot)).isSameAs(heir);
            cluster.awaitWhole();
            flow.awaitConfirmed(4000);
            fleet.finishWithEachRunOnce(flow);
            new Afterwards(fleet, SHARDS).assertAllWorks(0);
        }
    }

    @Test
    void runsEveryJobOnceWhileItsShardsMoveToAnotherMaster() {
        OwnRedis source = cluster.masterOf(slot(0));
        OwnRedis target = cluster.masterOf((slot(0) + OwnCluster.SLOTS / 2) % OwnCluster.SLOTS);
        List<Integer> slots = IntStream.range(0, SHARDS)
                .map(this::slot)
                .filter(slot -> cluster.masterOf(slot) == source)
                .boxed()
                .toList();
        try (FlowFleet fleet = fleet()) {
            Flow flow = fleet.startFlow();
            flow.awaitConfirmed(2000);
            cluster.moveSlots(slots, target);
            flow.awaitConfirmed(2000);
            fleet.finishWithEachRunOnce(flow);
            assertThat(cluster.errors("MOVED")).isPositive();
            assertThat(cluster.errors("ASK") + cluster.errors("TRYAGAIN")).isPositive();
            new Afterwards(fleet, SHARDS).assertAllWorks(0);
        }
    }

    /** Its replica is silent too, so that nobody takes over. */
    @Test
    void runsTheJobsOfOtherMastersAsBeforeWhileOneIsSilent() {
        cluster.configure("cluster-require-full-coverage", "no");
        OwnRedis silent = cluster.masterOf(slot(0));
        OwnRedis heir = cluster.replicaOf(silent);
        int other = IntStream.range(0, SHARDS)
                .filter(shard -> cluster.masterOf(slot(shard)) != silent)
                .findFirst()
                .orElseThrow();
        try (FlowFleet fleet = fleet()) {
            Afterwards jobs = new Afterwards(fleet, SHARDS);
            jobs.runNow(0);
            jobs.runNow(other);
            heir.pause();
            silent.pause();
            Instant begin = Instant.now();
            for (int i = 0; i < 60; i++) {
                jobs.runNow(other);
            }
            // Each as late as a claim waits for its answer would make three minutes.
            assertThat(Duration.between(begin, Instant.now())).isLessThan(Duration.ofSeconds(100));
            silent.resume();
            heir.resume();
            jobs.runNow(0);
        }
    }

    private int slot(int shard) {
        try {
            String key = "delayjob:{" + queue + ":" + shard + "}:jobs";
            return Integer.parseInt(RedisCall.call(cluster.nodes().get(0).url(), "CLUSTER", "KEYSLOT", key));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private FlowFleet fleet() {
        Config config = new Config();
        config.useClusterServers()
                .addNodeAddress(cluster.addresses().stream()
                        .map(address -> "redis://" + address)
                        .toArray(String[]::new))
                .setScanInterval(1000)
                .setMasterConnectionMinimumIdleSize(4)
                .setSlaveConnectionMinimumIdleSize(4);
        return new FlowFleet(config, queue, SHARDS, FlowFleet.LONG_LEASE);
    }
}
