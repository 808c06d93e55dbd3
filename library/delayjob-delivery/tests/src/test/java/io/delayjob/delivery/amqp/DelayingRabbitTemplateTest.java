package io.delayjob.delivery.amqp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;

import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobRequest;
import io.delayjob.delivery.internal.broker.DelayedSends;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mockito.ArgumentCaptor;
import org.springframework.amqp.core.MessageBuilder;

class DelayingRabbitTemplateTest {

    private final DelayJobProducer producer = mock(DelayJobProducer.class);
    private final DelayingRabbitTemplate template =
            new DelayingRabbitTemplate(() -> new DelayedSends("delay", () -> producer));

    /** The usual priority of AMQP is 0. */
    @ParameterizedTest
    @CsvSource({",", "0,", "1, 5", "5, 9", "6, 9", "255, 9"})
    void letsAMessageOfAHigherPriorityGoFirst(@Nullable Integer priority, @Nullable Integer expected) {
        template.send(
                "exchange",
                "key",
                MessageBuilder.withBody("text".getBytes(StandardCharsets.UTF_8))
                        .setHeader("delay", 1000)
                        .setPriority(priority)
                        .build());

        ArgumentCaptor<DelayJobRequest<?>> request = ArgumentCaptor.captor();
        verify(producer).submitDelayJob(request.capture(), eq(Duration.ofSeconds(1)));
        assertThat(request.getValue().options().priority()).isEqualTo(expected);
    }
}
