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

    @Test
    void hasThePriorityThatItsRecordStates() {
        String stored = "{\"v\":1,\"at\":17,\"job\":\"x\",\"max\":3,\"backoff\":[5,5],\"priority\":7,\"param\":{}}";
        assertThat(JobContent.of(stored).withStatedPriority().priority()).isEqualTo(7);
        String ofItsParam =
                "{\"v\":1,\"at\":17,\"job\":\"a,\\\"priority\\\":2\",\"headers\":{},\"param\":{\"a\":1,\"priority\":9}}";
        assertThat(JobContent.of(ofItsParam).withStatedPriority().priority()).isEqualTo(4);
        assertThat(JobContent.of("garbage").withStatedPriority().priority()).isEqualTo(4);
    }

    @Test
    void hasTheMarksThatItsRecordStatesLast() {
        String head = "{\"v\":1,\"at\":17,\"job\":\"x\",\"param\":";
        assertThat(JobContent.of(head + "{},\"index\":\"0123456789_abcdefghi-k\"}")
                        .marks())
                .containsExactly("0123456789_", "abcdefghi-k");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}}",
                "\"a\"}",
                "{\"a\":1,\"index\":\"0123456789_\"}}",
                "\",\\\"index\\\":\\\"0123456789_\"}",
                "[1,\"index\",\"0123456789_\"]}",
                "1,\"index\":\"0123456789\"}",
                "1,\"index\":\"\"}",
                "1,\"other\":\"0123456789_\"}"
            })
    void hasNoMarksWhateverItsParamIs(String rest) {
        assertThat(JobContent.of("{\"v\":1,\"at\":17,\"job\":\"x\",\"param\":" + rest)
                        .marks())
                .isEmpty();
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
