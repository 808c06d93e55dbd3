package io.delayjob.testing;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OwnSentinelIT {
    @Test
    void theReplicaOfAKilledMasterTakesOverWithWhatItWasTold() {
        try (OwnSentinel servers = OwnSentinel.start()) {
            servers.master().call("SET", "told", "1");
            Replication.cut(servers.master(), servers.replica());
            servers.master().call("SET", "untold", "1");
            servers.master().kill();
            servers.awaitFailover();
            assertThat(servers.replica().call("EXISTS", "told")).isEqualTo("1");
            assertThat(servers.replica().call("EXISTS", "untold")).isEqualTo("0");
        }
    }
}
