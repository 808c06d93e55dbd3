package io.delayjob.delivery.internal.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.delayjob.ClaimedJob;
import io.delayjob.JobOptions;
import io.delayjob.delivery.Binding;
import io.delayjob.delivery.spi.DeliveryOutcome;
import io.netty.util.NetUtil;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Closed targets are not called, however they are written, named or reached. A server on the loopback address counts the calls. */
class ClosedTargetsTest {

    private final Deque<String[]> dns = new ArrayDeque<>();
    private final AtomicInteger visits = new AtomicInteger();
    private HttpServer server;

    @BeforeEach
    void serve() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            visits.incrementAndGet();
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private int port() {
        return server.getAddress().getPort();
    }

    /** Each look-up answers the next addresses, and the last ones again and again. */
    private InetAddress[] lookUp(String host) throws UnknownHostException {
        String[] texts = dns.size() > 1 ? dns.remove() : dns.peek();
        if (texts == null) {
            throw new UnknownHostException(host);
        }
        InetAddress[] found = new InetAddress[texts.length];
        for (int i = 0; i < texts.length; i++) {
            found[i] = InetAddress.getByAddress(host, NetUtil.createByteArrayFromIpAddressString(texts[i]));
        }
        return found;
    }

    private HttpCalls calls(List<String> hosts, List<String> open) {
        return new HttpCalls(new AddressRules(hosts, open), this::lookUp, Duration.ofHours(1));
    }

    private static ClaimedJob job() {
        return new ClaimedJob(
                "q", "1", "t", "{}", Map.of(), 1, Instant.EPOCH, Instant.EPOCH, Instant.EPOCH, JobOptions.NONE, "h");
    }

    private DeliveryOutcome call(HttpCalls calls, String target) {
        return calls.call(Binding.of("t", target).withTimeout(Duration.ofMinutes(2)), URI.create(target), job())
                .toCompletableFuture()
                .join();
    }

    /** The port is that of the server that counts. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                // written as an address
                "http://127.0.0.1:%d/",
                "http://127.255.255.254:%d/",
                "http://0.0.0.0:%d/",
                "http://0.1.2.3:%d/",
                "http://10.0.0.1:%d/",
                "http://172.16.0.1:%d/",
                "http://172.31.255.255:%d/",
                "http://192.168.1.1:%d/",
                "http://100.64.0.1:%d/",
                "http://169.254.169.254:%d/latest/meta-data/",
                "http://100.100.100.200:%d/latest/meta-data/",
                "http://168.63.129.16:%d/metadata",
                "http://192.0.0.192:%d/opc/v2/",
                "http://198.18.0.1:%d/",
                "http://224.0.0.1:%d/",
                "http://255.255.255.255:%d/",
                // in the other ways to write an address of IPv4
                "http://2130706433:%d/",
                "http://0x7f000001:%d/",
                "http://0x7f.0.0.1:%d/",
                "http://0177.0.0.1:%d/",
                "http://017700000001:%d/",
                "http://127.1:%d/",
                "http://127.0.1:%d/",
                "http://127.0.0.01:%d/",
                "http://127.0.0.1.:%d/",
                "http://00000127.0.0.1:%d/",
                "http://2852039166:%d/latest/meta-data/",
                // as IPv6
                "http://[::1]:%d/",
                "http://[::]:%d/",
                "http://[0:0:0:0:0:0:0:1]:%d/",
                "http://[::ffff:127.0.0.1]:%d/",
                "http://[::ffff:7f00:1]:%d/",
                "http://[::127.0.0.1]:%d/",
                "http://[::ffff:169.254.169.254]:%d/",
                "http://[64:ff9b::7f00:1]:%d/",
                "http://[64:ff9b::a9fe:a9fe]:%d/",
                "http://[64:ff9b:1::7f00:1]:%d/",
                "http://[2002:7f00:1::]:%d/",
                "http://[2002:c0a8:101::1]:%d/",
                "http://[2001:0:7f00:1::1]:%d/",
                "http://[fe80::1]:%d/",
                "http://[fe80::1%%25lo]:%d/",
                "http://[fec0::1]:%d/",
                "http://[fc00::1]:%d/",
                "http://[fd00:ec2::254]:%d/latest/meta-data/",
                "http://[ff02::1]:%d/",
                "http://[2001:db8::1]:%d/",
                "http://[100::1]:%d/",
                // so that two readers see different hosts
                "http://example.com@127.0.0.1:%d/",
                "http://127.0.0.1:80@example.com:%d/",
                "http://user:password@example.com:%d/",
                "http://example.com:80:%d/",
                "http://localhost.:%d/",
                "http://example_com:%d/",
                "http:127.0.0.1:%d/",
                "http:///127.0.0.1:%d/",
                "http://127.0.0.1:%d/#fragment",
                "http://example.com:0/?%d",
                "http://①②⑦.⓪.⓪.①:%d/",
                "http://127。0。0。1:%d/",
            })
    void isRefusedWhenBoundHoweverItIsWritten(String written) {
        dns.add(new String[] {"127.0.0.1"});
        String target = written.formatted(port());
        try (HttpCalls calls = calls(List.of(), List.of())) {
            assertThatThrownBy(() -> calls.check(URI.create(target))).isInstanceOf(IllegalArgumentException.class);
            assertThat(visits).hasValue(0);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1",
                "10.1.2.3",
                "169.254.169.254",
                "::1",
                "::ffff:127.0.0.1",
                "64:ff9b::7f00:1",
                "fd00:ec2::254",
                "93.184.216.34,127.0.0.1",
                "127.0.0.1,93.184.216.34"
            })
    void isRefusedWhenBoundAndWhenCalledByTheAddressesOfItsName(String addresses) {
        dns.add(addresses.split(","));
        String target = "http://hook.example.com:" + port() + "/";
        try (HttpCalls calls = calls(List.of(), List.of())) {
            assertThatThrownBy(() -> calls.check(URI.create(target))).hasMessageContaining("is not public");
            assertThat(call(calls, target))
                    .isInstanceOfSatisfying(
                            DeliveryOutcome.Refused.class,
                            refused -> assertThat(refused.reason()).contains("is not public"));
            assertThat(visits).hasValue(0);
        }
    }

    /** DNS rebinding: the owner of the name changes its address after the check. */
    @Test
    void isRefusedWhenItsNameGetsAnotherAddressBetweenCheckAndCall() {
        dns.add(new String[] {"93.184.216.34"});
        dns.add(new String[] {"127.0.0.1"});
        String target = "http://rebound.example.com:" + port() + "/";
        try (HttpCalls calls = calls(List.of(), List.of())) {
            assertThatCode(() -> calls.check(URI.create(target))).doesNotThrowAnyException();
            assertThat(call(calls, target)).isInstanceOf(DeliveryOutcome.Refused.class);
            assertThat(visits).hasValue(0);
        }
    }

    /** The address that was checked is the one connected to: there is one look-up, and a second one would answer otherwise. */
    @Test
    void isNotLookedUpAgainAfterTheCheckOfACall() {
        dns.add(new String[] {"127.0.0.1"});
        dns.add(new String[] {"10.255.255.1"});
        try (HttpCalls calls = calls(List.of(), List.of("127.0.0.1"))) {
            assertThat(call(calls, "http://once.example.com:" + port() + "/"))
                    .isInstanceOf(DeliveryOutcome.Delivered.class);
            assertThat(visits).hasValue(1);
            assertThat(dns).hasSize(1);
        }
    }

    /** Written as an address, there is no name to look up; it is checked all the same. */
    @ParameterizedTest
    @ValueSource(strings = {"http://127.0.0.1:%d/", "http://[::ffff:127.0.0.1]:%d/", "http://2130706433:%d/"})
    void isRefusedWhenCalledThoughNobodyCheckedItWhenItWasBound(String written) {
        dns.add(new String[] {"127.0.0.1"});
        try (HttpCalls calls = calls(List.of(), List.of())) {
            assertThat(call(calls, written.formatted(port()))).isInstanceOf(DeliveryOutcome.Refused.class);
            assertThat(visits).hasValue(0);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 302, 303, 307, 308})
    void isNotReachedByARedirect(int status) {
        server.createContext("/redirect", exchange -> {
            exchange.getResponseHeaders().set("Location", "http://127.0.0.1:" + port() + "/inner");
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
        });
        try (HttpCalls calls = calls(List.of(), List.of("127.0.0.0/8"))) {
            assertThat(call(calls, "http://127.0.0.1:" + port() + "/redirect"))
                    .isInstanceOfSatisfying(
                            DeliveryOutcome.Refused.class,
                            refused -> assertThat(refused.reason()).contains("redirects are not followed"));
            assertThat(visits).hasValue(0);
        }
    }

    @Test
    void isWhatIsNotInTheListOfHosts() {
        dns.add(new String[] {"93.184.216.34"});
        try (HttpCalls calls = calls(List.of("hooks.example.com", "*.partner.example"), List.of())) {
            assertThatCode(() -> calls.check(URI.create("https://HOOKS.example.com/x")))
                    .doesNotThrowAnyException();
            assertThatCode(() -> calls.check(URI.create("https://a.partner.example/x")))
                    .doesNotThrowAnyException();
            for (String other : List.of(
                    "https://example.com/",
                    "https://hooks.example.com.evil.example/",
                    "https://xhooks.example.com/",
                    "https://partner.example/",
                    "https://evilpartner.example/",
                    "https://93.184.216.34/")) {
                assertThatThrownBy(() -> calls.check(URI.create(other)))
                        .hasMessageContaining("is not among those that may be called");
            }
        }
    }

    @Test
    void opensOnlyTheNetworksItIsTold() {
        try (HttpCalls calls = calls(List.of(), List.of("10.1.0.0/16", "fd12::/16"))) {
            assertThatCode(() -> calls.check(URI.create("http://10.1.2.3/"))).doesNotThrowAnyException();
            assertThatCode(() -> calls.check(URI.create("http://[fd12::1]/"))).doesNotThrowAnyException();
            assertThatThrownBy(() -> calls.check(URI.create("http://10.2.0.1/")))
                    .hasMessageContaining("10.2.0.1");
        }
        assertThatThrownBy(() -> new AddressRules(List.of(), List.of("10.1.0.0/33")))
                .hasMessageContaining("10.1.0.0/33");
        assertThatThrownBy(() -> new AddressRules(List.of("http://x"), List.of()))
                .hasMessageContaining("http://x");
    }
}
