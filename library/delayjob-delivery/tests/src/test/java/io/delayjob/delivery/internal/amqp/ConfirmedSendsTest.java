package io.delayjob.delivery.internal.amqp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.rabbit.connection.ChannelProxy;
import org.springframework.amqp.rabbit.connection.Connection;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.connection.RabbitUtils;

/** A late word of a broker about one message is not taken for one about the next message on the same channel. */
class ConfirmedSendsTest {

    private final List<Boolean> closes = new ArrayList<>();
    private boolean isSilent;

    private ConfirmedSends sends() {
        Channel channel = fake(ChannelProxy.class, (proxy, method, arguments) -> switch (method.getName()) {
            case "waitForConfirms" -> {
                if (isSilent) {
                    throw new TimeoutException("silent");
                }
                yield true;
            }
            case "close" -> {
                closes.add(RabbitUtils.isPhysicalCloseRequired());
                RabbitUtils.clearPhysicalCloseRequired();
                yield null;
            }
            case "isOpen" -> true;
            default -> standard(method.getReturnType());
        });
        Connection connection = fake(
                Connection.class,
                (proxy, method, arguments) -> method.getName().equals("createChannel")
                        ? channel
                        : method.getName().equals("isOpen") ? Boolean.TRUE : standard(method.getReturnType()));
        return new ConfirmedSends(fake(
                ConnectionFactory.class,
                (proxy, method, arguments) -> method.getName().equals("createConnection")
                        ? connection
                        : method.getName().equals("isSimplePublisherConfirms")
                                ? Boolean.TRUE
                                : standard(method.getReturnType())));
    }

    private static Object standard(Class<?> type) {
        return type == boolean.class ? Boolean.FALSE : type == int.class ? Integer.valueOf(0) : null;
    }

    private static <T> T fake(Class<T> type, InvocationHandler calls) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, calls));
    }

    private static void send(ConfirmedSends sends) {
        sends.send("e", "k", new BasicProperties(), new byte[0], Duration.ofSeconds(1));
    }

    @Test
    void aChannelOnWhichAConfirmIsOutstandingIsNotUsedAgain() {
        isSilent = true;

        assertThatThrownBy(() -> send(sends())).hasRootCauseInstanceOf(TimeoutException.class);

        assertThat(closes).containsExactly(true);
    }

    @Test
    void aChannelWhoseMessageWasConfirmedIs() {
        send(sends());

        assertThat(closes).containsExactly(false);
    }
}
