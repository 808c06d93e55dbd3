package io.delayjob.redisson.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.embedded.RedisCall;
import io.delayjob.engine.TestSettings;
import io.delayjob.testing.OwnSentinel;
import io.delayjob.testing.Replication;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.redisson.config.Config;

/**
 * A master under Sentinel is killed while 2 000 jobs a second are submitted and run.
 *
 * <p>Redis replicates after it has answered, so a failover may lose what was confirmed. The tests know what the replica was told,
 * so that nothing else can hide behind that.
 */
@Tag("proof")
class SentinelIT {

    private final OwnSentinel servers = OwnSentinel.start();
    private final String queue = TestSettings.queue();

    @AfterEach
    void close() {
        servers.close();
    }

    @Test
    void runsEveryJobOnceWhenTheReplicaOfAKilledMasterHadEverything() {
        try (FlowFleet fleet = fleet(FlowFleet.LONG_LEASE)) {
            Flow flow = fleet.startFlow();
            flow.awaitConfirmed(4000);
            Replication.holdWrites(servers.master(), servers.replica());
            servers.master().kill();
            servers.awaitFailover();
            flow.awaitConfirmed(4000);
            fleet.finishWithEachRunOnce(flow);
            new Afterwards(fleet, 1).assertAllWorks(0);
        }
    }

    @Test
    void losesNothingWhenTheMasterMayNotGoOnWithoutItsReplica() throws Exception {
        RedisCall.call(servers.master().url(), "CONFIG", "SET", "min-replicas-to-write", "1");
        try (FlowFleet fleet = fleet(FlowFleet.LONG_LEASE)) {
            Flow flow = fleet.startFlow();
            flow.awaitConfirmed(2000);
            Replication.cut(servers.master(), servers.replica());
            flow.awaitSubmitted(1000);
            servers.master().kill();
            servers.awaitFailover();
            flow.awaitConfirmed(4000);
            fleet.finishWithEachRunOnce(flow);
        }
    }

    @Test
    void losesOnlyWhatTheReplicaWasNotToldAndRepeatsOnlyWhatItDidNotKnowToBeDone() {
        try (FlowFleet fleet = fleet(Duration.ofSeconds(10))) {
            Flow flow = fleet.startFlow();
            flow.awaitConfirmed(2000);
            long cut = System.nanoTime();
            Replication.cut(servers.master(), servers.replica());
            flow.awaitConfirmed(600);
            servers.master().kill();
            servers.awaitFailover();
            long promoted = System.nanoTime();
            flow.awaitConfirmed(4000);
            fleet.finish(flow);
            Set<String> lost = flow.confirmed();
            lost.removeAll(Set.copyOf(fleet.job().ids()));
            System.out.println(flow + ", " + lost.size() + " lost, "
                    + twice(fleet.job().ids()).size() + " run twice");
            assertThat(lost).isNotEmpty().isSubsetOf(flow.confirmed(nanos -> nanos - cut >= 0 && nanos - promoted < 0));
            assertThat(twice(fleet.job().ids())).isNotEmpty().doesNotContainAnyElementsOf(fleet.completedBefore(cut));
            flow.assertNoneEarly(fleet.job());
        }
    }

    private static Set<String> twice(List<String> ids) {
        Set<String> once = new HashSet<>();
        return ids.stream().filter(id -> !once.add(id)).collect(Collectors.toSet());
    }

    private FlowFleet fleet(Duration lease) {
        Config config = new Config();
        config.useSentinelServers()
                .setMasterName(servers.masterName())
                .addSentinelAddress(servers.sentinels().stream()
                        .map(address -> "redis://" + address)
                        .toArray(String[]::new))
                .setMasterConnectionMinimumIdleSize(4)
                .setSlaveConnectionMinimumIdleSize(4);
        return new FlowFleet(config, queue, 1, lease);
    }
}
