package io.delayjob.delivery.internal.rocketmq;

import io.delayjob.delivery.internal.broker.DelayedSends;
import java.time.Duration;
import java.util.Collection;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.client.producer.SendCallback;
import org.apache.rocketmq.client.producer.SendResult;
import org.apache.rocketmq.client.producer.SendStatus;
import org.apache.rocketmq.common.message.Message;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.ProxyFactory;

/** Lets messages with a delay wait, whichever way they are sent by a producer. */
public final class DelayingProducer implements MethodInterceptor {

    private static final Set<String> METHODS = Set.of("send", "sendOneway");

    private final Supplier<DelayedSends> sends;

    private DelayingProducer(Supplier<DelayedSends> sends) {
        this.sends = sends;
    }

    /** The producer that lets messages with a delay wait, and leaves all else to another. */
    public static DefaultMQProducer of(DefaultMQProducer producer, Supplier<DelayedSends> sends) {
        ProxyFactory proxy = new ProxyFactory(producer);
        proxy.setProxyTargetClass(true);
        proxy.addAdvice(new DelayingProducer(sends));
        return (DefaultMQProducer) proxy.getProxy();
    }

    @Override
    public @Nullable Object invoke(MethodInvocation call) throws Throwable {
        Object first = call.getArguments().length == 0 ? null : call.getArguments()[0];
        if (first instanceof Collection<?> batch) {
            for (Object message : batch) {
                if (delay(message) != null) {
                    throw refused("a batch");
                }
            }
        }
        Duration delay = delay(first);
        if (delay == null) {
            return call.proceed();
        }
        if (!METHODS.contains(call.getMethod().getName())) {
            throw refused(call.getMethod().getName());
        }
        return submitted(call, (Message) Objects.requireNonNull(first), delay);
    }

    private @Nullable Duration delay(@Nullable Object message) {
        DelayedSends delayed = sends.get();
        return message instanceof Message sent ? delayed.delay(sent.getProperty(delayed.header())) : null;
    }

    private IllegalArgumentException refused(String what) {
        return new IllegalArgumentException(what + " cannot have a message with the header '"
                + sends.get().header() + "': send it alone, outside a transaction, or without a delay");
    }

    private @Nullable Object submitted(MethodInvocation call, Message message, Duration delay) {
        SendResult result = new SendResult();
        result.setSendStatus(SendStatus.SEND_OK);
        result.setMsgId(
                sends.get().submit(RocketMessages.of(message, sends.get().header()), delay));
        for (Object argument : call.getArguments()) {
            if (argument instanceof SendCallback callback) {
                callback.onSuccess(result);
            }
        }
        return call.getMethod().getReturnType() == SendResult.class ? result : null;
    }
}
