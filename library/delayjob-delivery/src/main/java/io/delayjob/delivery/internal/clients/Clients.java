package io.delayjob.delivery.internal.clients;

import io.delayjob.delivery.ClientType;
import io.delayjob.delivery.DelayJobClients;
import io.delayjob.delivery.DelayJobTargets;
import io.delayjob.delivery.DeliveryClient;
import io.delayjob.delivery.Maker;
import io.delayjob.delivery.RefusedBindingException;
import io.delayjob.delivery.RefusedBindingException.Reason;
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
    private static final int MOST_TYPES_OF_REGISTRY = 100;

    private final ClientStore store;
    private final DelayJobTargets targets;
    private final HttpCalls calls;
    private final Maker maker;

    /** The clients as the application itself sees them. */
    public Clients(ClientStore store, DelayJobTargets targets, HttpCalls calls) {
        this(store, targets, calls, Maker.APPLICATION);
    }

    private Clients(ClientStore store, DelayJobTargets targets, HttpCalls calls, Maker maker) {
        this.store = store;
        this.targets = targets.as(maker);
        this.calls = calls;
        this.maker = maker;
    }

    @Override
    public DelayJobClients as(Maker other) {
        return new Clients(store, targets, calls, Checks.notNull(other, "maker"));
    }

    @Override
    public void register(DeliveryClient client) {
        if (!isOwn(client)) {
            throw new RefusedBindingException(
                    Reason.NOT_ITS_OWN, maker.name() + " knows nothing of the queue of one of the types; leave it out");
        }
        checkPlace(client.url());
        targets.bindNew(
                client.clientTypes().stream().map(ClientTransport::binding).toList());
        store.put(client, maker);
    }

    private boolean isOwn(DeliveryClient client) {
        return client.clientTypes().stream().map(ClientType::queue).allMatch(maker::isFor);
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

    /** Binds a type of an application of the registry that nobody has bound. */
    void bindOfRegistry(ClientType type) {
        Maker application = new Maker(
                "application '" + type.application() + "' of the registry", queue -> true, MOST_TYPES_OF_REGISTRY, 0);
        if (targets.find(type.topic()).isEmpty()) {
            targets.as(application).bindNew(List.of(ClientTransport.binding(type)));
        }
    }

    @Override
    public boolean remove(String application, String url) {
        Checks.notNull(application, "application");
        Checks.notNull(url, "url");
        return store.remove(stored ->
                stored.application().equals(application) && stored.url().equals(url) && isOwn(stored.client()));
    }

    @Override
    public List<DeliveryClient> list() {
        return store.all().stream().filter(this::isOwn).toList();
    }
}
