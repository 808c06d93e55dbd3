package io.delayjob.engine.internal.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.delayjob.Backoff;
import io.delayjob.Dedupe;
import io.delayjob.DelayJobRequest;
import io.delayjob.engine.Note;
import io.delayjob.engine.NoteJob;
import io.delayjob.engine.ledger.JobContent;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordCodecTest {

    private static final DelayJobRequest<Note> REQUEST = DelayJobRequest.of(NoteJob.class, new Note("n", 1));

    private final RecordCodec codec = new RecordCodec();

    @Test
    void writesOnlyWhatTheRequestHas() {
        assertThat(codec.body("close-order", REQUEST, "{\"a\":1}", ""))
                .isEqualTo("\"job\":\"close-order\",\"param\":{\"a\":1}}");
    }

    @Test
    void readsWhatItWrote() {
        DelayJobRequest<Note> request = REQUEST.withMaxAttempts(7)
                .withBackoff(new Backoff(Duration.ofMillis(5), Duration.ofSeconds(9), 1.5, 0.25))
                .withTimeout(Duration.ofSeconds(3))
                .withTimeToLive(Duration.ofHours(2))
                .withLease(Duration.ofSeconds(40))
                .withPriority(9)
                .withKey("customer \"42\" | é")
                .withDedupe(Dedupe.within("k\"1", Duration.ofMinutes(9)).postponing())
                .withTags("customer:42", "ü")
                .withHeaders(Map.of("b", "ü\"\n", "a", ""));
        JobRecord record = codec.read("{\"v\":1,\"at\":1700000000000," + codec.body("j", request, "[1]", ""));
        assertThat(record.job()).isEqualTo("j");
        assertThat(record.submittedAtMillis()).isEqualTo(1_700_000_000_000L);
        assertThat(record.options()).isEqualTo(request.options()).hasNoNullFieldsOrProperties();
        assertThat(record.attempts().maxAttempts()).isEqualTo(7);
        assertThat(record.headers()).isEqualTo(request.headers());
        assertThat(record.param()).isEqualTo("[1]");
        assertThat(JobContent.of(codec.body("j", request, "[1]", "")).key())
                .isEqualTo(request.options().key());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"1.10", "12345678901234567890.123456789012345678901", "98765432109876543210", "\"\\u0000é\""})
    void passesEveryValueOfAParamOnAsItWasWritten(String value) {
        JobRecord record = codec.read("{\"v\":1,\"at\":1,\"job\":\"j\",\"param\":{\"x\":" + value + "}}");
        assertThat(record.param()).isEqualTo("{\"x\":" + value + "}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1",
                "-1.5e3",
                "true",
                "null",
                "\"\"",
                "\"a\\\"}\\u00e9,\"",
                "[]",
                "[1, {\"a\": [2]}]",
                "{ \"a\" : {} }"
            })
    void takesTheParamOutOfARecordWhereverItStands(String param) {
        for (String behind : new String[] {"", " ", ",\"max\":3", " , \"headers\":{\"a\":\"b\"} "}) {
            JobRecord record = codec.read("{\"v\":1,\"job\":\"j\",\"param\":" + param + behind + "}");
            assertThat(record.param()).isEqualTo(param);
        }
    }

    @Test
    void takesAParamThatIsLongerThanAnyBuffer() {
        String param = "\"" + "xyz ".repeat(100_000) + "\"";
        assertThat(codec.read("{\"v\":1,\"job\":\"j\",\"param\":" + param + ",\"at\":7}")
                        .param())
                .isEqualTo(param);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "not json",
                "[]",
                "1",
                "{}",
                "{\"v\":1}",
                "{\"v\":1,\"job\":\"j\"}",
                "{\"v\":0,\"job\":\"j\",\"param\":1}",
                "{\"v\":\"x\",\"job\":\"j\",\"param\":1}",
                "{\"v\":1,\"job\":7,\"param\":1}",
                "{\"v\":1,\"job\":\"j\",\"param\":1",
                "{\"v\":1,\"job\":\"j\",\"param\":1}{}",
                "{\"v\":1,\"job\":\"j\",\"param\":}",
                "{\"v\":1,\"job\":\"j\",\"param\":01}",
                "{\"v\":1,\"job\":\"j\",\"param\":1,\"max\":\"many\"}",
                "{\"v\":1,\"job\":\"j\",\"param\":1,\"backoff\":[1]}",
                "{\"v\":1,\"job\":\"j\",\"param\":1,\"headers\":{\"a\":1}}",
                "{\"v\":1,\"job\":\"j\",\"param\":1,\"tags\":[7]}",
                "{\"v\":1,\"job\":\"j\",\"param\":1,\"priority\":10}"
            })
    void saysOfAnythingElseThatItIsNoRecord(String text) {
        UnreadableRecordException failure = failure(text);
        assertThat(failure.newer()).isFalse();
        assertThat(failure.reason()).isNotBlank();
    }

    @Test
    void leavesANewerFormatToNewerCode() {
        UnreadableRecordException failure = failure("{\"v\":2,\"what\":\"ever\"}");
        assertThat(failure.newer()).isTrue();
        assertThat(failure.reason()).contains("format 2 is newer");
    }

    @Test
    void saysThatARecordIsMissing() {
        assertThat(failure(null).reason()).isEqualTo("the record is missing");
    }

    private UnreadableRecordException failure(@Nullable String text) {
        return catchThrowableOfType(UnreadableRecordException.class, () -> codec.read(text));
    }
}
