package io.delayjob;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

class NodeSnapshotTest {

    @Test
    void aNodeThatClaimsTakesAnyJob() {
        NodeSnapshot claims = new NodeSnapshot("n~claims", 0, 0, Set.of(NodeSnapshot.ANY_JOB));
        assertThat(claims.claims()).isTrue();
        assertThat(claims.canTake("resize")).isTrue();
        assertThat(claims.canTake(null)).isTrue();
        NodeSnapshot runs = new NodeSnapshot("n", 16, 16, Set.of("mail"));
        assertThat(runs.claims()).isFalse();
        assertThat(runs.canTake("mail")).isTrue();
        assertThat(runs.canTake("resize")).isFalse();
        assertThat(runs.canTake(null)).isFalse();
    }
}
