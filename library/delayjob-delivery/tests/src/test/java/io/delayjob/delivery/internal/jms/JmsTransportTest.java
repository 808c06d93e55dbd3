package io.delayjob.delivery.internal.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyBoolean;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.delayjob.ClaimedJob;
import io.delayjob.JobOptions;
import io.delayjob.delivery.Binding;
import io.delayjob.delivery.spi.DeliveryOutcome;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JmsTransportTest {

    @Test
    void aJobWithAHeaderThatNoMessageCanHaveFailsByItself() throws Exception {
        ConnectionFactory connections = mock(ConnectionFactory.class);
        Connection connection = mock(Connection.class);
        Session session = mock(Session.class);
        TextMessage message = mock(TextMessage.class);
        when(connections.createConnection()).thenReturn(connection);
        when(connection.createSession(anyBoolean(), anyInt())).thenReturn(session);
        when(session.createQueue("orders")).thenReturn(mock(Queue.class));
        when(session.createProducer(any())).thenReturn(mock(MessageProducer.class));
        when(session.createTextMessage(anyString())).thenReturn(message);
        doThrow(new MessageFormatException("JMSXDeliveryCount cannot be set from a String"))
                .when(message)
                .setStringProperty(eq("JMSXDeliveryCount"), any());
        ClaimedJob job = new ClaimedJob(
                "q",
                "1",
                "t",
                "{}",
                Map.of("JMSXDeliveryCount", "many"),
                1,
                Instant.EPOCH,
                Instant.EPOCH,
                Instant.EPOCH,
                JobOptions.NONE,
                "h");

        try (JmsTransport transport = new JmsTransport(connections)) {
            Binding binding = Binding.of("t", "jms:orders").withTimeout(Duration.ofMinutes(2));
            assertThat(transport.deliver(binding, job).toCompletableFuture().join())
                    .isInstanceOfSatisfying(
                            DeliveryOutcome.Undeliverable.class,
                            never -> assertThat(never.reason()).contains("header 'JMSXDeliveryCount'"));
        }
    }
}
