package io.delayjob.journal.internal.relaying;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.JobState;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.journal.internal.tables.Content;
import io.delayjob.journal.internal.tables.JobRow;
import io.delayjob.journal.internal.tables.Status;
import java.util.List;
import org.junit.jupiter.api.Test;

class RelayTest {

    private static JobRow row(int characters) {
        Status status = new Status(true, JobState.DELAYED, 0, 1, false, 1L, null, null, null, 1, null);
        return new JobRow(1, new ShardId("orders", 0), "a", new Content("x".repeat(characters), null, null), 1, status);
    }

    @Test
    void bringsOnlySoManyCharactersAtOnceButAtLeastOneJob() {
        JobRow small = row(10);
        JobRow half = row(256 * 1024);
        JobRow large = row(1024 * 1024);
        assertThat(Relay.first(List.of())).isEmpty();
        assertThat(Relay.first(List.of(small, small))).hasSize(2);
        assertThat(Relay.first(List.of(half, half, small))).hasSize(2);
        assertThat(Relay.first(List.of(large, small))).containsExactly(large);
        assertThat(Relay.first(List.of(small, large, small))).containsExactly(small);
    }
}
