package io.delayjob.engine.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.Dedupe;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JobContentTest {

    private static final String BODY = "\"job\":\"x\",\"param\":{}}";

    @Test
    void getsTheFieldsOfTheLedgerAndLosesThem() {
        JobContent submitted = new JobContent(BODY, 5L, Dedupe.untilStarted("k"));
        JobContent stored = new JobContent("{\"v\":1,\"at\":17," + BODY, 5L, Dedupe.untilStarted("k"));
        assertThat(submitted.storedAt(17)).isEqualTo(stored);
        assertThat(stored.asSubmitted()).isEqualTo(submitted);
        assertThat(stored.submittedAt(-1)).isEqualTo(17);
    }

    @Test
    void tellsTheTimeOfARecordOfANewerRelease() {
        assertThat(JobContent.of("{\"v\":2,\"at\":17,\"job\":\"x\"}").submittedAt(-1))
                .isEqualTo(17);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"v\":1,\"at\":17,\"job\":\"x\",\"param\":{}}",
                "{\"v\":2,\"at\":17,\"job\":\"x\",\"param\":{}}",
                "garbage",
                ""
            })
    void givesBackTheRecordAsItWasStored(String record) {
        assertThat(JobContent.of(record).asSubmitted().storedAt(17).record()).isEqualTo(record);
    }
}
