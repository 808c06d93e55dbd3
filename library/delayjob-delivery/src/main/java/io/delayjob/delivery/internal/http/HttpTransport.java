package io.delayjob.delivery.internal.http;

import io.delayjob.ClaimedJob;
import io.delayjob.delivery.Binding;
import io.delayjob.delivery.spi.DeliveryOutcome;
import io.delayjob.delivery.spi.Transport;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Delivers to {@code https://…} and {@code http://…}. */
public final class HttpTransport implements Transport {

    private static final String API = "/api/v1/";

    private final HttpCalls calls;
    private final Supplier<@Nullable Integer> ownPort;

    /**
     * A transport.
     *
     * @param ownPort the port at which this application serves; null if it serves none
     */
    public HttpTransport(HttpCalls calls, Supplier<@Nullable Integer> ownPort) {
        this.calls = calls;
        this.ownPort = ownPort;
    }

    @Override
    public Set<String> schemes() {
        return Set.of("https", "http");
    }

    @Override
    public void check(Binding binding) {
        URI target = binding.uri();
        boolean own = calls.check(target).stream().anyMatch(HttpTransport::isOwn);
        Integer port = ownPort.get();
        if (own
                && port != null
                && port == port(target)
                && String.valueOf(target.getPath()).contains(API)) {
            throw new IllegalArgumentException("topic '" + binding.topic() + "' must not be bound to "
                    + HttpAnswer.place(target)
                    + ", which is the API of this application: a job would go round in a circle");
        }
        if (binding.everyInstance()) {
            throw new IllegalArgumentException("topic '" + binding.topic() + "': only a service has instances, not "
                    + HttpAnswer.place(target) + "; bind the topic to lb:// or leave everyInstance out");
        }
    }

    private static int port(URI target) {
        return target.getPort() >= 0 ? target.getPort() : target.getScheme().equalsIgnoreCase("https") ? 443 : 80;
    }

    private static boolean isOwn(InetAddress address) {
        try {
            return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
        } catch (SocketException e) {
            return false;
        }
    }

    @Override
    public CompletionStage<DeliveryOutcome> deliver(Binding binding, ClaimedJob job) {
        return calls.call(binding, binding.uri(), job);
    }
}
