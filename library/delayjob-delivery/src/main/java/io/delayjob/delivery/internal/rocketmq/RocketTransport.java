package io.delayjob.delivery.internal.rocketmq;

import io.delayjob.ClaimedJob;
import io.delayjob.delivery.Binding;
import io.delayjob.delivery.internal.broker.Address;
import io.delayjob.delivery.internal.broker.JobMessage;
import io.delayjob.delivery.spi.BlockingTransport;
import io.delayjob.delivery.spi.DeliveryOutcome;
import java.util.Map;
import java.util.Set;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.producer.SendResult;
import org.apache.rocketmq.client.producer.SendStatus;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageConst;
import org.apache.rocketmq.remoting.exception.RemotingException;
import org.apache.rocketmq.remoting.protocol.ResponseCode;
import org.apache.rocketmq.spring.core.RocketMQTemplate;

/**
 * Sends jobs to {@code rocketmq:orders} or {@code rocketmq:orders:tag}, and waits until the broker has stored them as it is configured to. The
 * tag and the keys of a message may be those of headers: {@code rocketmq:orders?tag-header=kind&keys-header=orderId}; without, the job's
 * id is its key.
 */
public final class RocketTransport extends BlockingTransport {

    private static final String TAG_HEADER = "tag-header";
    private static final String KEYS_HEADER = "keys-header";

    private final RocketMQTemplate template;

    /** Sends by the producer of the application's template. */
    public RocketTransport(RocketMQTemplate template) {
        super("rocketmq");
        this.template = template;
    }

    @Override
    public Set<String> schemes() {
        return Set.of("rocketmq");
    }

    @Override
    public void check(Binding binding) {
        Address address = address(binding);
        if (!address.place().matches("[%A-Za-z0-9_-]{1,127}(:.+)?")) {
            throw address.malformed(
                    "does not name a topic of 1 to 127 of A-Z a-z 0-9 _ - %; write it as in rocketmq:orders"
                            + " or rocketmq:orders:tag");
        }
    }

    private static Address address(Binding binding) {
        return Address.of(binding, Set.of(TAG_HEADER, KEYS_HEADER));
    }

    @Override
    protected DeliveryOutcome send(Binding binding, ClaimedJob job) throws InterruptedException {
        Message message;
        try {
            message = message(address(binding), job);
        } catch (RuntimeException e) {
            return new DeliveryOutcome.Undeliverable(
                    binding.target() + ": the job cannot be written as a message: " + e.getMessage());
        }
        try {
            return sent(binding, message);
        } catch (MQClientException e) {
            return refused(binding, e.getResponseCode(), e.getErrorMessage(), e);
        } catch (MQBrokerException e) {
            return refused(binding, e.getResponseCode(), e.getErrorMessage(), e);
        } catch (RemotingException e) {
            return new DeliveryOutcome.Failed(binding.target() + ": " + e.getMessage());
        }
    }

    private DeliveryOutcome sent(Binding binding, Message message)
            throws MQClientException, MQBrokerException, RemotingException, InterruptedException {
        SendResult result =
                template.getProducer().send(message, binding.timeout().toMillis());
        // The other states say that the broker has it, but not yet on its disk or replica as it is configured to.
        return result.getSendStatus() == SendStatus.SEND_OK
                ? new DeliveryOutcome.Delivered(null)
                : new DeliveryOutcome.Failed(binding.target() + ": " + result.getSendStatus());
    }

    private static DeliveryOutcome refused(Binding binding, int code, String text, Exception failure) {
        String reason = binding.target() + ": " + (text == null ? failure.getMessage() : text);
        return switch (code) {
            case ResponseCode.MESSAGE_ILLEGAL -> new DeliveryOutcome.Undeliverable(reason);
            case ResponseCode.TOPIC_NOT_EXIST, ResponseCode.NO_PERMISSION -> new DeliveryOutcome.Refused(reason);
            default -> new DeliveryOutcome.Failed(reason);
        };
    }

    private static Message message(Address address, ClaimedJob job) {
        JobMessage content = JobMessage.of(job);
        int colon = address.place().indexOf(':');
        String topic = colon < 0 ? address.place() : address.place().substring(0, colon);
        String stated = colon < 0 ? "" : address.place().substring(colon + 1);
        Map<String, String> headers = content.headers();
        Message message = new Message(
                topic,
                address.header(TAG_HEADER, headers, stated),
                address.header(KEYS_HEADER, headers, job.id()),
                content.body());
        headers.forEach((name, value) -> {
            if (!MessageConst.STRING_HASH_SET.contains(name) && !value.isBlank()) {
                message.putUserProperty(name, value);
            }
        });
        return message;
    }
}
