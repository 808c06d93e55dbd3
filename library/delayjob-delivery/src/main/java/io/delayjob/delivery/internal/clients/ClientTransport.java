package io.delayjob.delivery.internal.clients;

import io.delayjob.ClaimedJob;
import io.delayjob.delivery.Binding;
import io.delayjob.delivery.ClientType;
import io.delayjob.delivery.DeliveryClient;
import io.delayjob.delivery.internal.http.HttpCalls;
import io.delayjob.delivery.internal.services.FanOut;
import io.delayjob.delivery.internal.services.Found;
import io.delayjob.delivery.internal.services.Instance;
import io.delayjob.delivery.internal.services.KnownInstances;
import io.delayjob.delivery.internal.services.Registry;
import io.delayjob.delivery.internal.services.ServiceTransport;
import io.delayjob.delivery.spi.DeliveryOutcome;
import io.delayjob.delivery.spi.Transport;
import io.delayjob.support.Checks;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Delivers to {@code client://application/type}: calls a process back that registered the type, on retry another one, or every one. */
public final class ClientTransport implements Transport {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final KnownInstances known;
    private final HttpCalls calls;
    private final HttpCalls callsInside;
    private final FanOut fanOut;

    /**
     * A transport.
     *
     * @param registry where else clients may be registered
     * @param calls calls those that registered by a call, whose addresses must be open
     * @param callsInside calls those of the registry
     */
    public ClientTransport(
            ClientStore store, Registry registry, HttpCalls calls, HttpCalls callsInside, FanOut fanOut) {
        this.known = new KnownInstances(application ->
                byCall(store, application).thenCombine(registry.instances(application), ClientTransport::both));
        this.calls = calls;
        this.callsInside = callsInside;
        this.fanOut = fanOut;
    }

    /** All nodes see those that registered by a call: they are in Redis. */
    private static CompletionStage<Found> byCall(ClientStore store, String application) {
        return store.allAsync().thenCombine(store.hasRegistered(application), (all, complete) -> {
            Stream<DeliveryClient> its =
                    all.stream().filter(client -> client.application().equals(application));
            return new Found(its.map(ClientProcess::of).toList(), complete);
        });
    }

    private static Found both(Found byCall, Found inRegistry) {
        return new Found(
                Stream.concat(byCall.instances().stream(), inRegistry.instances().stream())
                        .toList(),
                byCall.complete() || inRegistry.complete());
    }

    static Binding binding(ClientType type) {
        String path = URLEncoder.encode(type.type(), StandardCharsets.UTF_8).replace("+", "%20");
        return Binding.of(type.topic(), type.queue(), "client://" + type.application() + "/" + path);
    }

    @Override
    public Set<String> schemes() {
        return Set.of("client");
    }

    @Override
    public void check(Binding binding) {
        if (application(binding).isEmpty()
                || type(binding).isEmpty()
                || binding.uri().getRawPath().indexOf('/', 1) >= 0) {
            throw new IllegalArgumentException("target " + Checks.shown(binding.target())
                    + " must have the name of an application and a type of its jobs, as in client://shop/mail");
        }
        var unused = known.of(application(binding));
    }

    private static String application(Binding binding) {
        String authority = binding.uri().getRawAuthority();
        return authority == null ? "" : authority;
    }

    private static String type(Binding binding) {
        String path = binding.uri().getPath();
        return path == null || path.isEmpty() ? "" : path.substring(1);
    }

    /** Each process once, though several may have registered it. */
    private List<Instance> instances(Binding binding) {
        String type = type(binding);
        Map<String, Instance> byId = new LinkedHashMap<>();
        known.of(application(binding)).stream()
                .filter(instance -> ClientProcess.types(instance.metadata()).contains(type))
                .forEach(instance -> byId.putIfAbsent(instance.id(), instance));
        return List.copyOf(byId.values());
    }

    @Override
    public Optional<String> obstacle(Binding binding) {
        return instances(binding).isEmpty()
                ? Optional.of("no process of application '" + application(binding) + "' has registered type '"
                        + type(binding) + "'")
                : Optional.empty();
    }

    @Override
    public boolean isAbsent(Binding binding) {
        return instances(binding).isEmpty() && known.isComplete(application(binding));
    }

    @Override
    public CompletionStage<DeliveryOutcome> deliver(Binding binding, ClaimedJob job) {
        byte[] body = body(application(binding), type(binding), job);
        return fanOut.deliver(binding, job, instances(binding), instance -> {
            URI place = ServiceTransport.at(instance.address(), URI.create(ClientProcess.path(instance)));
            return (ClientProcess.registeredByCall(instance) ? calls : callsInside).call(binding, place, job, body);
        });
    }

    /** The body that clients of the service mode expect: params are text, which is JSON as a rule. */
    private static byte[] body(String application, String type, ClaimedJob job) {
        JsonNode param = JSON.readTree(job.param());
        return JSON.createObjectNode()
                .put("appName", application)
                .put("taskId", job.id())
                .put("taskType", type)
                .put("delayTime", job.dueAt().toEpochMilli())
                .put("params", param.isString() ? param.stringValue() : job.param())
                .toString()
                .getBytes(StandardCharsets.UTF_8);
    }
}
