package io.delayjob.delivery.jms;

import io.delayjob.delivery.internal.broker.DelayedMessage;
import io.delayjob.delivery.internal.broker.DelayedSends;
import io.delayjob.delivery.internal.jms.JmsMessages;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import java.time.Duration;
import java.util.function.Supplier;
import org.springframework.jms.core.JmsTemplate;

/**
 * A {@link JmsTemplate} whose messages wait in delayjob if they have the property that {@code delayjob.delivery.delay-header} names, and
 * then go to the same queue or topic. Everything else goes as with a {@code JmsTemplate}, and so does what a method sends that waits for
 * a reply. With that property set, it is the application's template unless there is another bean.
 */
public class DelayingJmsTemplate extends JmsTemplate {

    private final Supplier<DelayedSends> sends;

    /**
     * A template; it has no connection factory yet.
     *
     * @param sends lets messages wait
     */
    public DelayingJmsTemplate(Supplier<DelayedSends> sends) {
        this.sends = sends;
    }

    @Override
    protected void doSend(MessageProducer producer, Message message) throws JMSException {
        DelayedSends delayed = sends.get();
        Duration delay = delayed.delay(message.getObjectProperty(delayed.header()));
        if (delay == null) {
            super.doSend(producer, message);
        } else {
            JmsMessages.Quality quality = quality();
            DelayedMessage waiting = JmsMessages.of(producer.getDestination(), message, quality, delayed.header());
            delayed.submit(waiting, delay, quality.priority());
        }
    }

    private JmsMessages.Quality quality() {
        return isExplicitQosEnabled()
                ? new JmsMessages.Quality(getDeliveryMode(), getPriority(), getTimeToLive())
                : new JmsMessages.Quality(
                        DeliveryMode.PERSISTENT, Message.DEFAULT_PRIORITY, Message.DEFAULT_TIME_TO_LIVE);
    }
}
