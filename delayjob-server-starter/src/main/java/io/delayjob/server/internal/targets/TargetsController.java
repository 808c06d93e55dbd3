package io.delayjob.server.internal.targets;

import io.delayjob.delivery.Binding;
import io.delayjob.delivery.BindingStatus;
import io.delayjob.delivery.DelayJobTargets;
import io.delayjob.server.Role;
import io.delayjob.server.internal.access.Access;
import io.delayjob.server.internal.web.ApiController;
import io.delayjob.server.internal.web.Blocking;
import io.delayjob.server.internal.web.Problem;
import io.delayjob.server.internal.web.View;
import io.delayjob.support.Checks;
import java.util.List;
import java.util.concurrent.Executors;
import org.springframework.http.HttpStatus;
import org.springframework.web.ErrorResponseException;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import reactor.core.publisher.Mono;

/** Binds topics to targets, and shows how they are doing. What waits for Redis or a name server does so on threads that may. */
@ApiController
@RequestMapping("/targets")
public final class TargetsController {

    private final DelayJobTargets targets;

    /** The topics that are bound, of the queues that the caller may know of. */
    public record TargetsView(List<TargetView> targets) implements View {}

    /** Routes over the bindings. */
    public TargetsController(DelayJobTargets targets) {
        this.targets = targets;
    }

    @GetMapping(name = "listTargets")
    public Mono<TargetsView> listTargets(@RequestAttribute(Access.ATTRIBUTE) Access access) {
        access.require(Role.READ);
        return Mono.fromSupplier(() -> new TargetsView(targets.list().stream()
                .filter(status -> access.isFor(status.binding().queue()))
                .map(status -> TargetView.of(status, access))
                .toList()));
    }

    @GetMapping(name = "findTarget", path = "/{topic}")
    public Mono<TargetView> findTarget(@RequestAttribute(Access.ATTRIBUTE) Access access, @PathVariable String topic) {
        access.require(Role.READ);
        return Mono.fromSupplier(() -> TargetView.of(known(access, topic), access));
    }

    @PutMapping(name = "bindTopic", path = "/{topic}")
    public Mono<TargetView> bindTopic(
            @RequestAttribute(Access.ATTRIBUTE) Access access,
            @PathVariable String topic,
            @RequestBody TargetBody body) {
        access.require(Role.ADMIN);
        Binding binding = body.binding(topic);
        access.require(binding.queue(), Role.ADMIN);
        return waiting(() -> targets.bind(binding))
                .then(Mono.fromSupplier(() -> TargetView.of(known(access, topic), access)));
    }

    @DeleteMapping(name = "unbindTopic", path = "/{topic}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    public Mono<Void> unbindTopic(@RequestAttribute(Access.ATTRIBUTE) Access access, @PathVariable String topic) {
        access.require(Role.ADMIN);
        BindingStatus unused = known(access, topic);
        return waiting(() -> targets.unbind(topic));
    }

    @PostMapping(name = "pauseTopic", path = "/{topic}/pause")
    public Mono<TargetView> pauseTopic(@RequestAttribute(Access.ATTRIBUTE) Access access, @PathVariable String topic) {
        access.require(Role.OPERATE);
        BindingStatus unused = known(access, topic);
        return waiting(() -> targets.pause(topic))
                .then(Mono.fromSupplier(() -> TargetView.of(known(access, topic), access)));
    }

    @PostMapping(name = "resumeTopic", path = "/{topic}/resume")
    public Mono<TargetView> resumeTopic(@RequestAttribute(Access.ATTRIBUTE) Access access, @PathVariable String topic) {
        access.require(Role.OPERATE);
        BindingStatus unused = known(access, topic);
        return waiting(() -> targets.resume(topic))
                .then(Mono.fromSupplier(() -> TargetView.of(known(access, topic), access)));
    }

    private static Mono<Void> waiting(Runnable call) {
        return Blocking.call(Executors.callable(call, null));
    }

    private BindingStatus known(Access access, String topic) {
        return targets.find(topic)
                .filter(status -> access.isFor(status.binding().queue()))
                .orElseThrow(() -> missing(topic));
    }

    private static ErrorResponseException missing(String topic) {
        return Problem.NO_SUCH_TARGET.with("topic %s is not bound to a target".formatted(Checks.shown(topic)));
    }
}
