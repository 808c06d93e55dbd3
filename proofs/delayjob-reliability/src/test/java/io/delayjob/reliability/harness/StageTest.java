package io.delayjob.reliability.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The lease by which an account tells a lease that ended from a job that ran twice is that of the nodes. */
@SuppressWarnings("NullAway.Init")
class StageTest {

    @TempDir
    Path folder;

    @Test
    void leasesOfAnAccountAreThoseOfTheNodes() {
        assertThat(new Stage(folder, 1).lease()).isEqualTo(Stage.LEASE);

        Stage lasting = new Stage(folder, 1);
        lasting.leasesThatLast();
        assertThat(lasting.lease()).isEqualTo(Duration.ofSeconds(20));

        Stage other = new Stage(folder, 1);
        other.everywhere("delayjob.lease=9s");
        assertThat(other.lease()).isEqualTo(Duration.ofSeconds(9));
    }
}
