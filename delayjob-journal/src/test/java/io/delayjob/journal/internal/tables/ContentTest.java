package io.delayjob.journal.internal.tables;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.engine.ledger.Flow;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ContentTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"v\":1,\"at\":17,\"job\":\"x\",\"param\":{}}",
                "{\"v\":2,\"at\":17,\"job\":\"x\",\"param\":{}}",
                "garbage",
                ""
            })
    void givesBackTheRecordAsItWasStored(String record) {
        Content content = Content.of(new Flow.Stored(record, null, null));
        assertThat(content.record(17)).isEqualTo(record);
    }
}
