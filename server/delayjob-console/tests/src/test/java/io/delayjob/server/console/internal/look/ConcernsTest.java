package io.delayjob.server.console.internal.look;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.NodeSnapshot;
import io.delayjob.QueueCounts;
import io.delayjob.engine.ledger.Tally;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ConcernsTest {

    private static List<Concern> of(QueueCounts counts, long overdueMillis) {
        return Concerns.of(
                List.of(new QueueLook("q", new Tally(counts, overdueMillis), List.of(), Past.NOTHING)), List.of());
    }

    @Test
    void aLeaseThatEndedIsNotAJobThatWaits() {
        assertThat(of(new QueueCounts(0, 0, 2, 0, 0, false), 15_000))
                .singleElement()
                .satisfies(concern -> {
                    assertThat(concern.kind()).isEqualTo("expired");
                    assertThat(concern.count()).isEqualTo(2);
                    assertThat(concern.link()).isEqualTo("/queues/q?state=RESERVED");
                });
        assertThat(of(new QueueCounts(0, 3, 2, 0, 0, false), 15_000))
                .singleElement()
                .satisfies(concern -> {
                    assertThat(concern.kind()).isEqualTo("nobody");
                    assertThat(concern.link()).isEqualTo("/queues/q?state=READY");
                });
        assertThat(of(new QueueCounts(0, 0, 2, 0, 0, false), 0)).isEmpty();
    }

    @Test
    void countsTheDueJobsOfAQueueThatNoNodeRuns() {
        assertThat(of(new QueueCounts(67_000, 43, 0, 0, 0, false), 2_160_000))
                .singleElement()
                .returns("nobody", Concern::kind)
                .returns(43L, Concern::count);
    }

    @Test
    void aJobThatNoNodeCanRunIsToldByTheNameOfItsHandler() {
        Tally tally =
                new Tally(new QueueCounts(3, 0, 0, 0, 0, false), 2000, 0, 0, 0, Map.of("misspelt", 2L, "gone", 1L));
        QueueLook look = new QueueLook("q", tally, List.of(node("a", "y")), Past.NOTHING);
        assertThat(Concerns.of(List.of(look), List.of())).singleElement().satisfies(concern -> {
            assertThat(concern.kind()).isEqualTo("unhandled");
            assertThat(concern.count()).isEqualTo(3);
            assertThat(concern.names().split(", ")).containsExactlyInAnyOrder("misspelt", "gone");
            assertThat(concern.link()).isEqualTo("/queues/q?state=DELAYED");
        });
    }

    @Test
    void aJobThatWaitsForTheBusyNodeWithItsHandlerIsNotOneWhoseLeaseEnded() {
        Tally tally = new Tally(new QueueCounts(1, 0, 4, 0, 0, false), 20_000);
        QueueLook look = new QueueLook("q", tally, List.of(node("a", "x"), node("b", "y")), Past.NOTHING);
        assertThat(Concerns.of(List.of(look), List.of())).singleElement().returns("passed-on", Concern::kind);
    }

    @Test
    void tellsOfAScheduleThatNobodyServes() {
        Tally tally = new Tally(new QueueCounts(0, 0, 0, 0, 0, false), 0, 60_001, 0, 0, Map.of());
        QueueLook look = new QueueLook("q", tally, List.of(), Past.NOTHING);
        assertThat(Concerns.of(List.of(look), List.of())).singleElement().satisfies(concern -> {
            assertThat(concern.kind()).isEqualTo("unserved");
            assertThat(concern.millis()).isEqualTo(60_001);
            assertThat(concern.link()).isEqualTo("/recurring");
        });
        assertThat(of(new QueueCounts(0, 0, 0, 0, 0, false), 0)).isEmpty();
    }

    private static NodeSnapshot node(String name, String handler) {
        return new NodeSnapshot(name, 4, 4, Set.of(handler));
    }
}
