package io.delayjob.delivery.internal.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.resolver.AddressResolver;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.ImmediateEventExecutor;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CheckedNamesTest {

    private static final Duration LONG = Duration.ofMinutes(2);

    private final CountDownLatch answered = new CountDownLatch(1);
    private final AtomicInteger lookUpsOfSlow = new AtomicInteger();

    private InetAddress[] lookUp(String host) throws UnknownHostException {
        if (host.startsWith("slow")) {
            lookUpsOfSlow.incrementAndGet();
            awaitAnswer();
        }
        return new InetAddress[] {InetAddress.getByAddress(host, new byte[] {93, (byte) 184, (byte) 216, 34})};
    }

    private void awaitAnswer() {
        try {
            assertThat(answered.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void oneNameThatIsNotAnsweredKeepsNoOtherHoweverOftenItIsAskedFor() throws Exception {
        try (CheckedNames names = new CheckedNames(new AddressRules(List.of(), List.of()), this::lookUp);
                AddressResolver<InetSocketAddress> resolver = names.getResolver(ImmediateEventExecutor.INSTANCE)) {
            List<Future<InetSocketAddress>> slow = IntStream.range(0, 1000)
                    .mapToObj(port -> resolver.resolve(InetSocketAddress.createUnresolved("slow.example.com", port)))
                    .toList();

            assertThat(found(resolver.resolve(InetSocketAddress.createUnresolved("other.example.com", 80))))
                    .extracting(InetSocketAddress::getPort)
                    .isEqualTo(80);

            answered.countDown();
            for (int port = 0; port < slow.size(); port++) {
                assertThat(found(slow.get(port)))
                        .extracting(InetSocketAddress::getPort)
                        .isEqualTo(port);
            }
            assertThat(lookUpsOfSlow).hasValue(1);
        }
    }

    private static InetSocketAddress found(Future<InetSocketAddress> future) throws Exception {
        return future.get(LONG.toSeconds(), TimeUnit.SECONDS);
    }
}
