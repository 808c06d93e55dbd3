package io.delayjob.delivery.internal.clients;

import io.delayjob.delivery.ClientType;
import io.delayjob.delivery.DelayJobClients;
import io.delayjob.delivery.DelayJobTargets;
import io.delayjob.delivery.DeliveryClient;
import io.delayjob.delivery.internal.http.ClosedAddressException;
import io.delayjob.delivery.internal.http.HttpCalls;
import io.delayjob.support.Checks;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Registers clients, and binds the types of their jobs. */
public final class Clients implements DelayJobClients {

    private static final Logger log = LoggerFactory.getLogger(Clients.class);
    private static final Set<String> SCHEMES = Set.of("http", "https");

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
        checkPlace(client.url());
        client.clientTypes().forEach(this::bind);
        store.put(client);
    }

    /** Which addresses the names of a network have is not for everybody who may register: the log says it. */
    private void checkPlace(String url) {
        URI place = URI.create(url);
        if (!SCHEMES.contains(String.valueOf(place.getScheme()).toLowerCase(Locale.ROOT))) {
            throw new IllegalArgumentException(
                    "url must begin with http:// or https://, as in https://worker-1.example.com: "
                            + Checks.shown(url));
        }
        try {
            calls.checkPlace(place);
        } catch (ClosedAddressException e) {
            log.warn("a client was refused: {}", e.getMessage());
            throw new IllegalArgumentException(
                    "url must name a host that may be called: " + Checks.shown(url)
                            + "; the log of this server says why it may not, and delayjob.delivery.http.* what may be",
                    e);
        }
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
