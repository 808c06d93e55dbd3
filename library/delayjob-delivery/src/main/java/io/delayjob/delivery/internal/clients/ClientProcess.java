package io.delayjob.delivery.internal.clients;

import io.delayjob.delivery.DeliveryClient;
import io.delayjob.delivery.internal.services.Instance;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Metadata of an instance, for its callers: the types of its jobs, the path, and whether it registered by a call. */
final class ClientProcess {

    static final String TYPES = "delay-queue:task";
    static final String PATH = "delay-queue:path";
    private static final String BY_CALL = "delayjob:by-call";

    private ClientProcess() {}

    static Instance of(DeliveryClient client) {
        return new Instance(
                client.url(),
                URI.create(client.url()),
                Map.of(TYPES, String.join(",", client.types()), PATH, client.path(), BY_CALL, "true"));
    }

    static List<String> types(@Nullable Map<String, String> metadata) {
        String types = metadata == null ? null : metadata.get(TYPES);
        return types == null
                ? List.of()
                : Arrays.stream(types.split(","))
                        .map(String::strip)
                        .filter(type -> !type.isEmpty())
                        .toList();
    }

    static String path(Instance instance) {
        return instance.metadata().getOrDefault(PATH, DeliveryClient.DEFAULT_PATH);
    }

    static boolean registeredByCall(Instance instance) {
        return instance.metadata().containsKey(BY_CALL);
    }
}
