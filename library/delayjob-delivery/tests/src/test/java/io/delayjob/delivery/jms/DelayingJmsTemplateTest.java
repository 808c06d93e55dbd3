package io.delayjob.delivery.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoInteractions;
import static org.mockito.Mockito.when;

import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobRequest;
import io.delayjob.delivery.internal.broker.DelayedSends;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.TextMessage;
import java.time.Duration;
import java.util.Collections;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentCaptor;

class DelayingJmsTemplateTest {

    private final DelayJobProducer producer = mock(DelayJobProducer.class);
    private final DelayingJmsTemplate template =
            new DelayingJmsTemplate(() -> new DelayedSends("delay", () -> producer));
    private final MessageProducer sender = mock(MessageProducer.class);
    private final TextMessage message = mock(TextMessage.class);

    @BeforeEach
    void writeAMessageWithADelay() throws JMSException {
        Queue queue = mock(Queue.class);
        when(queue.getQueueName()).thenReturn("orders");
        when(sender.getDestination()).thenReturn(queue);
        when(message.getObjectProperty("delay")).thenReturn(1000);
        when(message.getPropertyNames()).thenReturn(Collections.emptyEnumeration());
    }

    private @Nullable Integer sent() throws JMSException {
        template.doSend(sender, message);
        ArgumentCaptor<DelayJobRequest<?>> request = ArgumentCaptor.captor();
        verify(producer).submitDelayJob(request.capture(), eq(Duration.ofSeconds(1)));
        return request.getValue().options().priority();
    }

    @Test
    void givesAWaitingMessageThePriorityOfTheTemplate() throws JMSException {
        template.setExplicitQosEnabled(true);
        template.setPriority(9);

        assertThat(sent()).isEqualTo(9);
    }

    @Test
    void leavesOutThePriorityOfATemplateThatStatesNone() throws JMSException {
        template.setPriority(9);

        assertThat(sent()).isNull();
    }

    @Test
    void refusesAPriorityOutOfItsRange() {
        template.setExplicitQosEnabled(true);
        template.setPriority(10);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> template.doSend(sender, message))
                .withMessageContaining("priority must be 0 to 9");
        verifyNoInteractions(producer);
    }
}
