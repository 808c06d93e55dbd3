package io.delayjob.engine.handler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.delayjob.AckMode;
import io.delayjob.DelayJobRequest;
import io.delayjob.engine.Note;
import io.delayjob.engine.internal.records.RecordCodec;
import io.delayjob.engine.settings.AttemptPolicy;
import java.lang.reflect.Type;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.NullNode;

/** Params and results that a job may have, and those that are refused. */
class ParamCodecTest {

    private final ParamCodec params = new ParamCodec(JsonMapper.builder().build(), 100);

    private Handler job(Type paramType) {
        return new Handler(
                "receipt",
                "listener 'receipt' (Listeners.receipt)",
                null,
                params.type(paramType),
                (execution, acknowledgment) -> {},
                AckMode.ON_SUCCESS,
                AttemptPolicy.NONE,
                null,
                null);
    }

    private record Receipt(int total) {}

    @Test
    void takesAResultThatIsJsonAlready() {
        assertThat(params.checkedResult("receipt", "{\"total\": 3}")).isEqualTo("{\"total\": 3}");
        assertThat(params.checkedResult("receipt", "null")).isEqualTo("null");
        for (String invalid : List.of("", "{\"total\"", "1 2", "cash")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> params.checkedResult("receipt", invalid))
                    .withMessageStartingWith("result of job 'receipt' is not JSON: ");
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> params.checkedResult("receipt", "\"" + "x".repeat(8191) + "\""))
                .withMessage("result of job 'receipt' takes 8193 bytes as JSON, more than 8192; store it elsewhere");
    }

    @Test
    void takesJsonThatTheHandlersTypeCanBeReadFrom() {
        JsonNode json = JsonMapper.shared().readTree("{\"total\": 3}");
        assertThat(params.write(job(Receipt.class), json)).isEqualTo("{\"total\":3}");
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        params.write(job(Receipt.class), JsonMapper.shared().readTree("[3]")))
                .withMessageStartingWith("param of job 'receipt' cannot be read back as " + Receipt.class.getName());
    }

    @Test
    void noHandlerStandsForAnyJob() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Handler(
                        "*",
                        "listener '*' (Listeners.any)",
                        null,
                        params.type(int.class),
                        (execution, acknowledgment) -> {},
                        AckMode.ON_SUCCESS,
                        AttemptPolicy.NONE,
                        null,
                        null))
                .withMessage("listener '*' (Listeners.any) must not be named '*', which stands for any job");
    }

    @Test
    void writesWhatTheJobTakes() {
        assertThat(params.write(job(Receipt.class), new Receipt(3))).isEqualTo("{\"total\":3}");
        assertThat(params.write(job(Object.class), List.of(1))).isEqualTo("[1]");
        assertThat(params.write(job(List.class), new ArrayList<>(List.of(1)))).isEqualTo("[1]");
        assertThat(params.write(job(int.class), 3)).isEqualTo("3");
        assertThat(params.write(job(Integer.class), 3)).isEqualTo("3");
    }

    @Test
    void refusesAParamOfAnotherClassNamingBoth() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> params.write(job(Receipt.class), new LinkedHashMap<>()))
                .withMessage("listener 'receipt' (Listeners.receipt) takes " + Receipt.class.getName()
                        + ", but the param is a java.util.LinkedHashMap");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> params.write(job(new TypeReference<List<Receipt>>() {}.getType()), new Receipt(3)))
                .withMessageContaining("takes java.util.List<" + Receipt.class.getName() + ">, but the param is a ");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> params.write(job(long.class), 3))
                .withMessageEndingWith(" takes long, but the param is a java.lang.Integer");
    }

    @Test
    void writesAndReadsTheJobThatTakesNone() {
        assertThat(params.write(job(Void.class), null)).isEqualTo("null");
        assertThat(params.write(job(Object.class), null)).isEqualTo("null");
        assertThat(params.write("receipt", null)).isEqualTo("null");
        assertThat(params.read(job(Void.class), "null")).isNull();
        assertThat(params.read(job(Void.class), "{\"left\":\"over\"}")).isNull();
        assertThat(params.read(job(Object.class), "null")).isNull();
        assertThat(params.read(job(JsonNode.class), "null")).isEqualTo(NullNode.getInstance());
    }

    @Test
    void refusesToBeGivenNoneWhereTheJobTakesOneAndOneWhereItTakesNone() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> params.write(job(Receipt.class), null))
                .withMessage("listener 'receipt' (Listeners.receipt) takes " + Receipt.class.getName()
                        + ": the param must not be null");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> params.write(job(Void.class), new Receipt(3)))
                .withMessageContaining(" takes java.lang.Void, but the param is a ");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> params.read(job(Receipt.class), "null"))
                .withMessage("its JSON is null, which stands for a job without a param");
    }

    @Test
    void refusesAParamThatIsTooLong() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> params.write(job(String.class), "x".repeat(99)))
                .withMessageStartingWith("param of job 'receipt' takes 101 bytes as JSON, more than");
    }

    private record Note(String title, List<String> lines) {}

    @Test
    void refusesHalfACharacterNamingItsPlace() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> params.write(job(Note.class), new Note("a", List.of("b", "c\uD83D"))))
                .withMessage(
                        "param of job 'receipt' must not contain half a character (a lone surrogate): in /lines/1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> params.write("receipt", Map.of("deep", Map.of("name\uDE00", 1))))
                .withMessageEndingWith("(a lone surrogate): in a property name in /deep");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> params.writeResult("receipt", "\uD83D"))
                .withMessageStartingWith("result of job 'receipt' must not contain half a character");
        assertThat(params.write(job(String.class), "\uD83D\uDE00")).isEqualTo("\"\uD83D\uDE00\"");
    }

    @Test
    void refusesWhatIsTooLongOrTooDeepToBeReadBack() {
        ParamCodec large = new ParamCodec(JsonMapper.builder().build(), 100_000);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> large.write(job(BigInteger.class), BigInteger.TEN.pow(1000)))
                .withMessageStartingWith("param of job 'receipt' cannot be read back as java.math.BigInteger: ");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> large.write("receipt", Map.of("total", BigInteger.TEN.pow(1000))))
                .withMessageStartingWith("payload for topic 'receipt' cannot be read back: ");
    }

    @Test
    void readsTheDeepestParamThatCanBeWritten() {
        Object deep = 1;
        for (int i = 0; i < 500; i++) {
            deep = List.of(deep);
        }
        String param = new ParamCodec(JsonMapper.builder().build(), 100_000).write("receipt", deep);
        String record = "{\"v\":1,\"at\":1766000000000,"
                + new RecordCodec().body("receipt", DelayJobRequest.toTopic("receipt", deep), param, "");
        assertThat(new RecordCodec().read(record).param()).isEqualTo(param);
    }

    /** Of a type that says nothing of what it may be. */
    private interface Payment {}

    private record Transfer(String iban) implements Payment {}

    private record Invoice(Payment payment) {}

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
    private sealed interface Animal {}

    private record Dog(String name) implements Animal {}

    @Test
    void refusesAParamThatCannotBeReadBackNamingItsPlace() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> params.write(job(Invoice.class), new Invoice(new Transfer("secret"))))
                .withMessageStartingWith(
                        "param of job 'receipt' cannot be read back as " + Invoice.class.getName() + ": ")
                .withMessageContaining("[\"payment\"]")
                .satisfies(refused -> assertThat(refused.getMessage()).doesNotContain("secret"));
        assertThat(params.write(job(Animal.class), new Dog("Rex"))).contains("Rex");
    }

    @Test
    void refusesATypeThatNoJsonCanBecome() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> params.refuseUnreadable(params.type(Payment.class)))
                .withMessageStartingWith("a param of type " + Payment.class.getName() + " cannot be read from JSON (")
                .withMessageEndingWith(
                        "; use a concrete type, or name its subtypes with @JsonTypeInfo, and with @JsonSubTypes"
                                + " unless it is sealed");
        for (Type readable : List.of(
                Receipt.class,
                Animal.class,
                List.class,
                Map.class,
                Object.class,
                Void.class,
                int.class,
                Number.class,
                CharSequence.class,
                JsonNode.class,
                Thread.State.class,
                Instant.class,
                Optional.class)) {
            params.refuseUnreadable(params.type(readable));
        }
    }
}
