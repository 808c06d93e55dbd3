package io.delayjob.delivery.internal.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.ArgumentMatchers.anyMap;
import static org.mockito.Mockito.doNothing;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.delayjob.delivery.Binding;
import io.delayjob.delivery.BindingStatus.Origin;
import io.delayjob.delivery.Maker;
import io.delayjob.delivery.RefusedBindingException;
import io.delayjob.delivery.RefusedBindingException.Reason;
import io.delayjob.delivery.internal.binding.Bindings.Configured;
import io.delayjob.delivery.spi.Transport;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Room for bindings, where much is bound already. */
class BindingsTest {

    private final BindingStore store = mock(BindingStore.class);
    private final Transport transport = mock(Transport.class);
    private final AtomicLong nanos = new AtomicLong();

    private Bindings bound(int count) {
        when(transport.schemes()).thenReturn(Set.of("fake"));
        when(store.put(anyLong(), anyMap())).thenReturn(true);
        return new Bindings(
                IntStream.range(0, count)
                        .mapToObj(i -> "t-" + i)
                        .collect(Collectors.toMap(Function.identity(), BindingsTest::configured)),
                store,
                new Transports(List.of(transport)),
                Set::of,
                nanos::get);
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

    @Test
    void aChangeOfOneBindingChecksNoOthers() {
        Bindings bindings = bound(2);
        bindings.useConfigured();
        var unused = bindings.refresh();
        verify(transport, times(2)).check(any());

        when(store.version()).thenReturn(1L);
        when(store.all()).thenReturn(Map.of("t-0", StoredBinding.of(Binding.of("t-0", "fake:y"), Maker.APPLICATION)));
        assertThat(bindings.refresh()).isTrue();

        verify(transport, times(3)).check(any());
        verify(transport).check(Binding.of("t-0", "fake:y"));
    }

    @Test
    void aTargetThatIsRefusedIsCheckedAgainByItself() {
        Bindings bindings = bound(1);
        doThrow(new IllegalArgumentException("its address is not public"))
                .when(transport)
                .check(any());
        bindings.useConfigured();
        var unused = bindings.refresh();
        assertThat(state(bindings).fault()).contains("not public");

        doNothing().when(transport).check(any());
        unused = bindings.refresh();
        assertThat(state(bindings).isOpen()).isFalse();
        nanos.addAndGet(Duration.ofSeconds(10).toNanos());
        unused = bindings.refresh();

        assertThat(state(bindings).isOpen()).isTrue();
        assertThat(state(bindings).fault()).isNull();
    }

    private static Bound state(Bindings bindings) {
        return Objects.requireNonNull(bindings.all().get("t-0"));
    }
}
