package io.delayjob.delivery.internal.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.delivery.Binding;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AddressTest {

    private static final Set<String> KNOWN = Set.of("key-header");

    private static Address of(String target) {
        return Address.of(Binding.of("topic", target), KNOWN);
    }

    @Test
    void decodesPlaceAndOptions() {
        Address address = of("kafka:a%20b?key-header=order+id%26");
        assertThat(address.place()).isEqualTo("a b");
        assertThat(address.options()).containsExactly(Map.entry("key-header", "order+id&"));
    }

    @Test
    void takesTheHeaderThatAnOptionNames() {
        Address address = of("kafka:orders?key-header=customer");
        assertThat(address.header("key-header", Map.of("customer", "c1"), "id")).isEqualTo("c1");
        assertThat(address.header("key-header", Map.of(), "id")).isEqualTo("id");
        assertThat(of("kafka:orders").header("key-header", Map.of("customer", "c1"), "id"))
                .isEqualTo("id");
    }

    @ParameterizedTest
    @CsvSource({
        "kafka://localhost:9092/orders, must not begin with //",
        "kafka:orders?colour=red, option 'colour=red' is unknown; known are [key-header]",
        "kafka:orders?key-header, option 'key-header' has no value",
    })
    void namesWhatIsWrong(String target, String what) {
        assertThatThrownBy(() -> of(target))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(target)
                .hasMessageContaining(what);
    }
}
