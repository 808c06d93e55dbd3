package io.delayjob.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.support.Checks;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClientTypeTest {

    @ParameterizedTest
    @CsvSource({
        "shop, mail, shop-mail, shop-mail",
        "order-service, mail, order-service-mail, order-service-mail",
        "shop, close-order, shop-close--order, shop-close--order",
        "shop, close_order, shop-close_order, shop-close_order",
        "shop, 订单, shop-订单, shop-_3d5436ea",
        "shop, _x, shop-_x, shop-_"
    })
    void namesTopicAndQueueOfAType(String application, String type, String topic, String queue) {
        ClientType named = new ClientType(application, type);
        assertThat(named.topic()).isEqualTo(topic);
        assertThat(named.queue()).startsWith(queue);
        assertThat(Checks.isQueue(named.queue())).isTrue();
    }

    /** All applications and types of up to four of these characters. */
    @Test
    void noTwoTypesHaveATopicOrAQueueInCommon() {
        List<String> texts = texts("a-_.订", 4);
        Map<String, ClientType> topics = new HashMap<>();
        Map<String, ClientType> queues = new HashMap<>();
        texts.stream()
                .filter(text -> text.matches("a([a._-]*a)?"))
                .forEach(application -> texts.forEach(text -> {
                    ClientType type = new ClientType(application, text);
                    assertThat(topics.put(type.topic(), type)).as(type.topic()).isNull();
                    assertThat(queues.put(type.queue(), type)).as(type.queue()).isNull();
                }));
        assertThat(topics).hasSizeGreaterThan(10_000);
    }

    private static List<String> texts(String characters, int longest) {
        List<String> all = new ArrayList<>();
        List<String> last = List.of("");
        for (int length = 1; length <= longest; length++) {
            last = last.stream()
                    .flatMap(text -> characters.chars().mapToObj(character -> text + (char) character))
                    .toList();
            all.addAll(last);
        }
        return all;
    }

    @Test
    void refusesTextThatMetadataCannotHoldAndSaysWhy() {
        assertThatThrownBy(() -> new ClientType("shop", "a,b")).hasMessageContaining("without commas");
        assertThatThrownBy(() -> new ClientType("shop", " a")).hasMessageContaining("' a'");
        assertThatThrownBy(() -> new ClientType("shop", "a\nb")).hasMessageContaining("control characters");
        assertThatThrownBy(() -> new ClientType("shop", "x".repeat(129))).hasMessageContaining("1 to 128");
        assertThatThrownBy(() -> new ClientType("a b", "mail")).hasMessageContaining("application must be");
        assertThatThrownBy(() -> new ClientType("s".repeat(31), "订单"))
                .hasMessageContaining("at most 30 characters for type '订单'");
    }
}
