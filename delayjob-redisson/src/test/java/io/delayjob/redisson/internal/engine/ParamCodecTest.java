package io.delayjob.redisson.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.delayjob.AckMode;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** What may be the param of a job. */
class ParamCodecTest {

    private final ParamCodec params = new ParamCodec(JsonMapper.builder().build(), 100);

    private RegisteredJob job(Type paramType) {
        return new RegisteredJob(
                "receipt",
                "listener 'receipt' (Listeners.receipt)",
                null,
                params.type(paramType),
                (execution, acknowledgment) -> {},
                AckMode.ON_SUCCESS,
                JobOptions.NONE,
                null);
    }

    private record Receipt(int total) {}

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
                        + ", the param is a java.util.LinkedHashMap");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> params.write(job(new TypeReference<List<Receipt>>() {}.getType()), new Receipt(3)))
                .withMessageContaining("takes java.util.List<" + Receipt.class.getName() + ">, the param is a ");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> params.write(job(long.class), 3))
                .withMessageEndingWith(" takes long, the param is a java.lang.Integer");
    }

    @Test
    void refusesAParamThatIsTooLong() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> params.write(job(String.class), "x".repeat(99)))
                .withMessageStartingWith("param of job 'receipt' takes 101 bytes as JSON, more than");
    }
}
