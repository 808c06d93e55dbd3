package io.delayjob.server.internal.protocols;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.support.Checks;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TopicQueuesTest {

    private final TopicQueues queues = new TopicQueues("mykit.");

    @Test
    void aTopicThatCanBePartOfANameIs() {
        assertThat(queues.of("order.close-1")).isEqualTo("mykit.order.close-1");
        assertThat(queues.of("t".repeat(58))).isEqualTo("mykit." + "t".repeat(58));
    }

    @Test
    void anyOtherTopicHasAQueueOfItsOwn() {
        List<String> topics = List.of("t".repeat(59), "订单", "a b", "a/b", "_a", "{x}", "a b ", "é");
        Set<String> named = new HashSet<>();
        for (String topic : topics) {
            String queue = queues.of(topic);
            assertThat(Checks.isQueue(queue)).as(queue).isTrue();
            assertThat(queues.has(queue)).isTrue();
            named.add(queue);
        }
        assertThat(named).hasSameSizeAs(topics);
        // A topic that looks like the digest of another one is not that one.
        assertThat(queues.of(queues.of("订单").substring("mykit.".length()))).isNotEqualTo(queues.of("订单"));
    }

    @Test
    void aTopicOverTheLimitsIsNamed() {
        assertThatThrownBy(() -> queues.of("t".repeat(257)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("topic must have 1 to 256 characters");
        assertThatThrownBy(() -> queues.of(" ")).hasMessageContaining("topic must have");
    }
}
