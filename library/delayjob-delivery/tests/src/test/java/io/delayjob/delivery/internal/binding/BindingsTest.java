package io.delayjob.delivery.internal.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.ArgumentMatchers.anyMap;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.delayjob.delivery.Binding;
import io.delayjob.delivery.BindingStatus.Origin;
import io.delayjob.delivery.Maker;
import io.delayjob.delivery.RefusedBindingException;
import io.delayjob.delivery.RefusedBindingException.Reason;
import io.delayjob.delivery.internal.binding.Bindings.Configured;
import io.delayjob.delivery.spi.Transport;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Room for bindings, where much is bound already. */
class BindingsTest {

    private final BindingStore store = mock(BindingStore.class);
    private final Transport transport = mock(Transport.class);

    private Bindings bound(int count) {
        when(transport.schemes()).thenReturn(Set.of("fake"));
        when(store.put(anyLong(), anyMap())).thenReturn(true);
        return new Bindings(
                IntStream.range(0, count)
                        .mapToObj(i -> "t-" + i)
                        .collect(Collectors.toMap(Function.identity(), BindingsTest::configured)),
                store,
                new Transports(List.of(transport)),
                Set::of);
    }

    private static Configured configured(String topic) {
        return new Configured(Binding.of(topic, "fake:x"), Origin.PROPERTY);
    }

    private void bind(Bindings bindings, Maker maker) {
        bindings.bind("more", now -> Binding.of("more", "fake:x"), maker);
    }

    @Test
    void theLastHundredBindingsAreLeftToThoseWithoutAShare() {
        Maker worker = new Maker("token 'worker'", queue -> true, 100, 100);
        bind(bound(899), worker);
        assertThatExceptionOfType(RefusedBindingException.class)
                .isThrownBy(() -> bind(bound(900), worker))
                .withMessageContaining(
                        "900 topics are bound, and token 'worker' may bind one only while there are fewer than 900")
                .satisfies(refused -> assertThat(refused.reason()).isEqualTo(Reason.TOO_MANY));
        bind(bound(900), Maker.APPLICATION);
        bind(bound(999), Maker.APPLICATION);
        assertThatExceptionOfType(RefusedBindingException.class)
                .isThrownBy(() -> bind(bound(1000), Maker.APPLICATION))
                .withMessageContaining("fewer than 1000");
    }
}
