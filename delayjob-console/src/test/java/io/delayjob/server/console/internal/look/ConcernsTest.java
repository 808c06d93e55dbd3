package io.delayjob.server.console.internal.look;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.QueueCounts;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConcernsTest {

    private static List<Concern> of(QueueCounts counts, long overdueMillis) {
        return Concerns.of(List.of(new QueueLook("q", counts, overdueMillis, List.of(), Past.NOTHING)), List.of());
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
}
