package io.delayjob.server.internal.queues;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.NodeSnapshot;
import io.delayjob.QueueCounts;
import io.delayjob.engine.ledger.Tally;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LoadViewTest {

    private static final NodeSnapshot NODE = new NodeSnapshot("n", 10, 4, Set.of("topic"));
    private static final NodeSnapshot CLAIMS = new NodeSnapshot("n~claims", 3, 3, Set.of(NodeSnapshot.ANY_JOB));

    private static Tally tally(long ready, long reserved, long overdueMillis) {
        return new Tally(new QueueCounts(7, ready, reserved, 5, 3, false), overdueMillis);
    }

    @Test
    void theWorkersOfNodesCountWhetherTheyAreFree() {
        assertThat(LoadView.of("q", tally(24, 6, 2500), List.of(NODE))).isEqualTo(new LoadView("q", 30, 10, 3, 2.5));
    }

    @Test
    void whatANodeHasClaimedAheadNeedsNoWorkerElsewhere() {
        assertThat(LoadView.of("q", tally(0, 20, 0), List.of(NODE)).workers()).isEqualTo(10);
    }

    @Test
    void workersElsewhereCountWhileTheyWaitAndWhileTheyRunJobs() {
        assertThat(LoadView.of("q", tally(0, 8, 0), List.of(CLAIMS)).workers()).isEqualTo(11);
        assertThat(LoadView.of("q", tally(0, 8, 0), List.of(NODE, CLAIMS)).workers())
                .isEqualTo(15);
    }

    @Test
    void withoutAWorkerThereIsTheLoadOfOne() {
        assertThat(LoadView.of("q", tally(12, 0, 60_000), List.of())).isEqualTo(new LoadView("q", 12, 0, 12, 60));
    }
}
