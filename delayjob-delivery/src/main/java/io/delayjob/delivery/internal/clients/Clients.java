package io.delayjob.delivery.internal.clients;

import io.delayjob.delivery.ClientType;
import io.delayjob.delivery.DelayJobClients;
import io.delayjob.delivery.DelayJobTargets;
import io.delayjob.delivery.DeliveryClient;
import io.delayjob.delivery.internal.http.HttpCalls;
import io.delayjob.support.Checks;
import java.net.URI;
import java.util.List;

/** Registers clients, and binds the types of their jobs. */
public final class Clients implements DelayJobClients {

    private final ClientStore store;
    private final DelayJobTargets targets;
    private final HttpCalls calls;

    public Clients(ClientStore store, DelayJobTargets targets, HttpCalls calls) {
        this.store = store;
        this.targets = targets;
        this.calls = calls;
    }

    @Override
    public void register(DeliveryClient client) {
        calls.checkPlace(URI.create(client.url()));
        client.clientTypes().forEach(this::bind);
        store.put(client);
    }

    /** Binds a type that nobody has bound; one that was bound otherwise, paused or closed stays so. */
    void bind(ClientType type) {
        if (targets.find(type.topic()).isEmpty()) {
            targets.bind(ClientTransport.binding(type));
        }
    }

    @Override
    public boolean remove(String application, String url) {
        return store.remove(Checks.notNull(application, "application"), Checks.notNull(url, "url"));
    }

    @Override
    public List<DeliveryClient> list() {
        return store.all();
    }
}
