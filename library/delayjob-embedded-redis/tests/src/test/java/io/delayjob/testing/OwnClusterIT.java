package io.delayjob.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.UncheckedIOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class OwnClusterIT {
    // CLUSTER KEYSLOT a
    private static final int SLOT_OF_A = 15_495;

    @Test
    void aSlotMovesWithItsKeysAndAReplicaTakesOver() {
        try (OwnCluster cluster = OwnCluster.start(3)) {
            // No replica takes over from a master that stands still with the machine.
            cluster.configure("cluster-node-timeout", "60000");
            OwnRedis first = cluster.masterOf(SLOT_OF_A);
            OwnRedis second = cluster.masterOf(0);
            first.call("SET", "a", "1");
            cluster.moveSlots(List.of(SLOT_OF_A), second);
            assertThat(cluster.masterOf(SLOT_OF_A)).isSameAs(second);
            assertThat(second.call("GET", "a")).isEqualTo("1");
            assertThatThrownBy(() -> first.call("GET", "a"))
                    .isInstanceOf(UncheckedIOException.class)
                    .hasRootCauseMessage("MOVED %d 127.0.0.1:%d".formatted(SLOT_OF_A, second.port()));
            OwnRedis heir = cluster.replicaOf(second);
            Replication.holdWrites(second, heir);
            cluster.configure("cluster-node-timeout", "1000");
            second.kill();
            assertThat(cluster.masterOf(0)).isSameAs(heir);
            cluster.awaitWhole();
            assertThat(heir.call("GET", "a")).isEqualTo("1");
        }
    }
}
