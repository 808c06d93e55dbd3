package io.delayjob.delivery.internal.rocketmq;

import io.delayjob.delivery.internal.broker.DelayedMessage;
import io.delayjob.delivery.internal.broker.DelayedMessage.Header;
import io.delayjob.delivery.internal.broker.MessageSender;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.client.producer.SendResult;
import org.apache.rocketmq.client.producer.SendStatus;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageAccessor;

/** Messages to RocketMQ that wait, and their way there when they are due. */
public final class RocketMessages implements MessageSender {

    private static final String TOPIC = "topic";
    private static final String FLAG = "flag";

    private final Supplier<DefaultMQProducer> producer;

    /** Sends by a producer. */
    public RocketMessages(Supplier<DefaultMQProducer> producer) {
        this.producer = producer;
    }

    @Override
    public String broker() {
        return "rocketmq";
    }

    /** Copies a message, without its delay property, for storage until its time; tags and keys are properties too. */
    static DelayedMessage of(Message message, String delayHeader) {
        List<Header> headers = new ArrayList<>();
        message.getProperties().forEach((name, value) -> {
            if (!name.equals(delayHeader)) {
                headers.add(Header.of(name, value));
            }
        });
        return DelayedMessage.of(
                "rocketmq",
                Map.of(TOPIC, message.getTopic(), FLAG, Integer.toString(message.getFlag())),
                headers,
                message.getBody());
    }

    @Override
    public void send(DelayedMessage waited) throws Exception {
        Message message = new Message(waited.field(TOPIC), waited.bytes());
        message.setFlag(Integer.parseInt(waited.field(FLAG)));
        waited.headers().forEach(header -> MessageAccessor.putProperty(message, header.name(), header.value()));
        SendResult result = producer.get().send(message);
        if (result.getSendStatus() != SendStatus.SEND_OK) {
            throw new IllegalStateException("topic " + message.getTopic() + ": " + result.getSendStatus());
        }
    }
}
