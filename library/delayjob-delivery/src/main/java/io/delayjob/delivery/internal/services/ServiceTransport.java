package io.delayjob.delivery.internal.services;

import io.delayjob.ClaimedJob;
import io.delayjob.delivery.Binding;
import io.delayjob.delivery.internal.http.HttpCalls;
import io.delayjob.delivery.spi.DeliveryOutcome;
import io.delayjob.delivery.spi.Transport;
import io.delayjob.support.Checks;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.regex.Pattern;

/** Delivers to {@code lb://service/path}: to an instance of a service of the registry, on retry to another one, or to every one. */
public final class ServiceTransport implements Transport {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9._-]{0,126}[A-Za-z0-9])?");

    private final KnownInstances known;
    private final HttpCalls calls;
    private final FanOut fanOut;
    private final String ownName;

    /**
     * A transport.
     *
     * @param ownName the name of this application in the registry
     */
    public ServiceTransport(Registry registry, HttpCalls calls, FanOut fanOut, String ownName) {
        this.known = new KnownInstances(registry);
        this.calls = calls;
        this.fanOut = fanOut;
        this.ownName = ownName;
    }

    @Override
    public Set<String> schemes() {
        return Set.of("lb");
    }

    @Override
    public void check(Binding binding) {
        URI target = binding.uri();
        String service = target.getRawAuthority();
        if (target.isOpaque() || service == null || !NAME.matcher(service).matches()) {
            throw new IllegalArgumentException("target " + Checks.shown(binding.target())
                    + " must have the name of a service and a path, as in lb://billing/hook");
        }
        if (target.getRawFragment() != null) {
            throw new IllegalArgumentException(
                    "target " + Checks.shown(binding.target()) + " must not have a fragment");
        }
        if (service.equalsIgnoreCase(ownName)
                && String.valueOf(target.getPath()).contains("/api/v1/")) {
            throw new IllegalArgumentException("topic '" + binding.topic() + "' must not be bound to "
                    + Checks.shown(binding.target())
                    + ", which is the API of this application: a job would go round in a circle");
        }
        var unused = known.of(service);
    }

    private static String service(Binding binding) {
        return String.valueOf(binding.uri().getRawAuthority());
    }

    @Override
    public Optional<String> obstacle(Binding binding) {
        return known.missing(service(binding));
    }

    @Override
    public boolean isAbsent(Binding binding) {
        return known.of(service(binding)).isEmpty() && known.isComplete(service(binding));
    }

    @Override
    public CompletionStage<DeliveryOutcome> deliver(Binding binding, ClaimedJob job) {
        List<Instance> instances = known.of(service(binding));
        return fanOut.deliver(
                binding, job, instances, instance -> calls.call(binding, at(instance.address(), binding.uri()), job));
    }

    /** A path at an instance, whose own address may have a path, too. */
    public static URI at(URI address, URI target) {
        String base = address.toString();
        String path = target.getRawPath() == null ? "" : target.getRawPath();
        String query = target.getRawQuery() == null ? "" : "?" + target.getRawQuery();
        return URI.create((base.endsWith("/") ? base.substring(0, base.length() - 1) : base)
                + (path.isEmpty() || path.startsWith("/") ? path : "/" + path)
                + query);
    }
}
