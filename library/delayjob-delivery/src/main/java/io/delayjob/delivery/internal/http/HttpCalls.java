package io.delayjob.delivery.internal.http;

import io.delayjob.ClaimedJob;
import io.delayjob.delivery.Binding;
import io.delayjob.delivery.spi.DeliveryOutcome;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelOption;
import io.netty.handler.codec.http.HttpHeaders;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.ByteBufFlux;
import reactor.netty.NettyPipeline;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.client.HttpClientResponse;
import reactor.netty.resources.ConnectionProvider;
import reactor.netty.resources.LoopResources;

/** Calls targets: a POST, to an address that was checked. No call takes a thread while it waits. */
public final class HttpCalls implements AutoCloseable {

    /** How long the rest of an answer may take whose status is there. */
    private static final Duration BODY = Duration.ofSeconds(3);

    private static final int CONNECT_MILLIS = 5000;
    private static final int MOST_CONNECTIONS = 1000;

    private final AddressRules rules;
    private final Names names;
    private final Duration mostRetryAfter;
    private final CheckedNames checked;
    private final LoopResources threads;
    private final ConnectionProvider connections;
    private final HttpClient client;

    /**
     * Makes calls.
     *
     * @param rules which hosts and addresses may be called
     * @param mostRetryAfter the longest wait that a target is granted
     */
    public HttpCalls(AddressRules rules, Names names, Duration mostRetryAfter) {
        this.rules = rules;
        this.names = names;
        this.mostRetryAfter = mostRetryAfter;
        this.checked = new CheckedNames(rules, names);
        this.threads = LoopResources.create("delayjob-delivery-http", 1, 2, true);
        this.connections = ConnectionProvider.builder("delayjob-delivery")
                .maxConnections(MOST_CONNECTIONS)
                .pendingAcquireMaxCount(-1)
                .maxIdleTime(Duration.ofSeconds(30))
                .maxLifeTime(Duration.ofMinutes(10))
                .build();
        this.client = HttpClient.create(connections)
                .runOn(threads)
                .resolver(checked)
                .noProxy()
                .followRedirect(false)
                .disableRetry(true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS)
                .doOnChannelInit((observer, channel, address) -> channel.pipeline()
                        .replace(NettyPipeline.HttpCodec, NettyPipeline.HttpCodec, new AnswerCodec()));
    }

    /**
     * Checks the host of a target, by the addresses that it has now; one that has none now is let pass.
     *
     * @return its addresses
     * @throws IllegalArgumentException if it may not be called
     */
    List<InetAddress> check(URI target) {
        HttpAddress address = HttpAddress.of(target);
        rules.checkHost(address.host());
        List<InetAddress> found = address.literal().map(List::of).orElseGet(() -> lookUp(address.host()));
        found.forEach(one -> rules.check(address.host(), one));
        return found;
    }

    private List<InetAddress> lookUp(String host) {
        try {
            return List.of(names.lookUp(host));
        } catch (UnknownHostException e) {
            // It is looked up at each connection, and the call says then that it has no address.
            return List.of();
        }
    }

    /** Checks the same where the addresses do not matter. */
    public void checkPlace(URI target) {
        var unused = check(target);
    }

    /** Calls a target once with the param of a job. Its host was checked when the topic was bound; its address is checked now. */
    public CompletionStage<DeliveryOutcome> call(Binding binding, URI target, ClaimedJob job) {
        return call(binding, target, job, job.param().getBytes(StandardCharsets.UTF_8));
    }

    /** Calls a target once for a job, with a body of the caller's. */
    public CompletionStage<DeliveryOutcome> call(Binding binding, URI target, ClaimedJob job, byte[] body) {
        return call(binding, target, body, headers -> JobHeaders.set(headers, binding, job, body));
    }

    private CompletionStage<DeliveryOutcome> call(
            Binding binding, URI target, byte[] body, Consumer<HttpHeaders> headers) {
        return client.headers(headers)
                .doOnRequest((request, connection) ->
                        checkPeer(target.getHost(), connection.channel().remoteAddress()))
                .post()
                .uri(target)
                .send(Mono.fromSupplier(() -> Unpooled.wrappedBuffer(body)))
                .response((response, content) -> asItComes(target, response, content))
                .timeout(Mono.delay(binding.timeout()), answered -> Mono.never())
                .last()
                .map(answer -> answer.outcome(mostRetryAfter))
                .toFuture()
                .exceptionally(failure -> HttpAnswer.failed(target, failure, binding.timeout()));
    }

    /** The connection is to an address that was checked already; this would notice if it were not. */
    private void checkPeer(String host, SocketAddress peer) {
        if (!(peer instanceof InetSocketAddress address) || address.getAddress() == null) {
            throw new ClosedAddressException("host '" + host + "' is connected to no address that can be checked");
        }
        rules.check(host, address.getAddress());
    }

    /** The answer twice: once its status is there, which is what is waited for, and with what comes of its body. */
    private static Flux<HttpAnswer> asItComes(URI target, HttpClientResponse response, ByteBufFlux content) {
        return start(content)
                .startWith(new byte[0])
                .map(start -> new HttpAnswer(target, response.status().code(), response.responseHeaders(), start));
    }

    /** The first bytes of a body; what of it does not come soon is left. */
    private static Flux<byte[]> start(ByteBufFlux content) {
        ByteArrayOutputStream start = new ByteArrayOutputStream();
        AtomicInteger length = new AtomicInteger();
        return content.asByteArray()
                .takeUntil(part -> length.addAndGet(part.length) >= HttpAnswer.MOST_BYTES)
                .doOnNext(start::writeBytes)
                .then()
                .timeout(BODY)
                .onErrorComplete()
                .thenMany(Mono.fromSupplier(start::toByteArray));
    }

    @Override
    public void close() {
        connections.disposeLater().block(Duration.ofSeconds(5));
        checked.close();
        threads.disposeLater(Duration.ZERO, Duration.ofSeconds(2)).block(Duration.ofSeconds(5));
    }
}
