package io.delayjob.delivery.internal.amqp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyBoolean;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.impl.ContentHeaderPropertyWriter;
import io.delayjob.ClaimedJob;
import io.delayjob.JobOptions;
import io.delayjob.delivery.Binding;
import io.delayjob.delivery.spi.DeliveryOutcome;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.rabbit.connection.ChannelProxy;
import org.springframework.amqp.rabbit.connection.Connection;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;

/** Jobs that no message can have, as the client of the broker says. */
class AmqpTransportTest {

    private static final int FRAME = 131_072;

    private final ConnectionFactory connections = mock(ConnectionFactory.class);
    private final AmqpTransport transport = transport();

    private AmqpTransport transport() {
        when(connections.isSimplePublisherConfirms()).thenReturn(true);
        return new AmqpTransport(connections);
    }

    @BeforeEach
    void connect() throws Exception {
        Connection connection = mock(Connection.class);
        ChannelProxy channel = mock(ChannelProxy.class);
        when(connections.createConnection()).thenReturn(connection);
        when(connection.isOpen()).thenReturn(true);
        when(connection.createChannel(anyBoolean())).thenReturn(channel);
        when(channel.isOpen()).thenReturn(true);
        when(channel.waitForConfirms(anyLong())).thenReturn(true);
        doAnswer(call -> {
                    write(call.getArgument(3));
                    return null;
                })
                .when(channel)
                .basicPublish(anyString(), anyString(), anyBoolean(), any(), any());
    }

    /** Writes properties as the client does, which has one frame for all of them. */
    private static void write(BasicProperties properties) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        properties.writePropertiesTo(new ContentHeaderPropertyWriter(new DataOutputStream(bytes)));
        if (bytes.size() > FRAME) {
            throw new IllegalArgumentException(
                    "Content headers exceeded max frame size: " + bytes.size() + " > " + FRAME);
        }
    }

    @AfterEach
    void close() {
        transport.close();
    }

    private DeliveryOutcome sent(String target, String id, Map<String, String> headers) {
        ClaimedJob job = new ClaimedJob(
                "q", id, "t", "{}", headers, 1, Instant.EPOCH, Instant.EPOCH, Instant.EPOCH, JobOptions.NONE, "h");
        return transport
                .deliver(Binding.of("t", target).withTimeout(Duration.ofMinutes(2)), job)
                .toCompletableFuture()
                .join();
    }

    private static void assertNever(DeliveryOutcome outcome, String why) {
        assertThat(outcome)
                .isInstanceOfSatisfying(
                        DeliveryOutcome.Undeliverable.class,
                        never -> assertThat(never.reason()).contains(why));
    }

    @Test
    void areSaidToBeTooLongByWhatIsAndBySize() {
        String text = "ä".repeat(128);
        assertThat(sent("amqp:orders", "1", Map.of())).isInstanceOf(DeliveryOutcome.Delivered.class);
        assertNever(
                sent("amqp:orders", text, Map.of()),
                "the id of the job has 256 bytes, of which AMQP takes at most 255");
        assertNever(
                sent("amqp:shop/?routing-key-header=region", "1", Map.of("region", text)),
                "the routing key has 256 bytes");
        assertNever(sent("amqp:orders", "1", Map.of(text, "x")), "the name of a header has 256 bytes");
    }

    @Test
    void areRefusedByTheClientIfTheirHeadersFitIntoNoFrame() {
        assertNever(
                sent("amqp:orders", "1", Map.of("a", "好".repeat(FRAME / 2))),
                "Content headers exceeded max frame size");
    }

    /** Others can be sent once the connection is right. What a transport throws is a failed attempt. */
    @Test
    void areNotGivenUpBecauseOfAConnectionThatCannotBeMade() {
        when(connections.createConnection()).thenThrow(new IllegalArgumentException("no such virtual host"));
        assertThatThrownBy(() -> sent("amqp:orders", "1", Map.of())).hasMessageContaining("no such virtual host");
    }
}
