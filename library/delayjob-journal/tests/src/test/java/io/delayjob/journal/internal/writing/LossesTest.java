package io.delayjob.journal.internal.writing;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.engine.ledger.ShardId;
import io.delayjob.journal.internal.tables.Loss;
import io.delayjob.journal.internal.tables.ShardRow;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LossesTest {

    @ParameterizedTest
    @EnumSource(Loss.class)
    void saysWhatToDo(Loss loss) {
        assertThat(Losses.message(new ShardId("orders", 0), new ShardRow.Lost(loss, 1)))
                .contains("orders", "bean DelayJobJournal", "GET /api/v1/journal/diff", "restore")
                .doesNotContain("DelayJobAdmin");
    }
}
