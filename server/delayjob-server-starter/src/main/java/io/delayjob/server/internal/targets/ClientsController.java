package io.delayjob.server.internal.targets;

import io.delayjob.delivery.ClientType;
import io.delayjob.delivery.DelayJobClients;
import io.delayjob.delivery.DeliveryClient;
import io.delayjob.server.Access;
import io.delayjob.server.Role;
import io.delayjob.server.internal.limits.Makers;
import io.delayjob.server.internal.web.ApiController;
import io.delayjob.server.web.Blocking;
import io.delayjob.server.web.Body;
import io.delayjob.server.web.Everyday;
import io.delayjob.server.web.Required;
import io.delayjob.server.web.View;
import io.delayjob.support.Checks;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import reactor.core.publisher.Mono;

/** Registers applications that are called back. What waits for Redis or a name server does so on threads that may. */
@ApiController
@RequestMapping("/clients")
public final class ClientsController {

    private final DelayJobClients clients;
    private final Makers makers;

    /**
     * A process that is called back.
     *
     * @param application the name of the application
     * @param url where the process serves
     * @param types the types of the jobs that it runs
     * @param path the path that is called; {@code /hf/delay_queue/work} if left out
     */
    record ClientBody(
            @Required String application,
            @Required String url,
            @Required List<String> types,
            @Nullable String path) implements Body {}

    /**
     * A process that is called back.
     *
     * @param application the name of the application
     * @param url where the process serves
     * @param types the types of the jobs that it runs
     * @param path the path that is called
     * @param topics where its jobs are submitted to, in the order of its types
     */
    record ClientView(String application, String url, List<String> types, String path, List<TopicView> topics)
            implements View {

        static ClientView of(DeliveryClient client) {
            return new ClientView(
                    client.application(),
                    client.url(),
                    client.types(),
                    client.path(),
                    client.clientTypes().stream().map(TopicView::of).toList());
        }
    }

    /**
     * Where the jobs of a type are submitted to.
     *
     * @param type the type
     * @param topic the topic of its jobs
     * @param queue their queue
     */
    record TopicView(String type, String topic, String queue) implements View {

        static TopicView of(ClientType type) {
            return new TopicView(type.type(), type.topic(), type.queue());
        }
    }

    /** All registered clients. */
    record ClientsView(List<ClientView> clients) implements View {}

    /** Routes over the clients. */
    public ClientsController(DelayJobClients clients, Makers makers) {
        this.clients = clients;
        this.makers = makers;
    }

    private DelayJobClients as(Access access) {
        return clients.as(makers.of(access));
    }

    @Everyday
    @PutMapping(name = "registerClient")
    Mono<ClientView> registerClient(@RequestAttribute(Access.ATTRIBUTE) Access access, @RequestBody ClientBody body) {
        access.require(Role.WORK);
        DeliveryClient client = new DeliveryClient(body.application(), body.url(), body.types(), body.path());
        access.require(queues(client), Role.WORK);
        return Makers.refusing(Blocking.lookUp(() -> {
            as(access).register(client);
            return ClientView.of(client);
        }));
    }

    @GetMapping(name = "listClients")
    Mono<ClientsView> listClients(@RequestAttribute(Access.ATTRIBUTE) Access access) {
        access.require(Role.READ);
        return Blocking.call(() ->
                new ClientsView(as(access).list().stream().map(ClientView::of).toList()));
    }

    @DeleteMapping(name = "removeClient")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    Mono<Void> removeClient(
            @RequestAttribute(Access.ATTRIBUTE) Access access,
            @RequestParam(required = false) @Nullable String application,
            @RequestParam(required = false) @Nullable String url) {
        access.require(Role.WORK);
        String its = Checks.notNull(application, "application");
        String place = Checks.notNull(url, "url");
        return Blocking.call(() -> as(access).remove(its, place)).then();
    }

    private static List<String> queues(DeliveryClient client) {
        return client.clientTypes().stream().map(ClientType::queue).toList();
    }
}
