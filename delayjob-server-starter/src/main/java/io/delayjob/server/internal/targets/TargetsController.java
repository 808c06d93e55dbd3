package io.delayjob.server.internal.targets;

import io.delayjob.delivery.DelayJobTargets;
import io.delayjob.server.Role;
import io.delayjob.server.internal.access.Access;
import io.delayjob.server.internal.web.ApiController;
import io.delayjob.server.internal.web.Blocking;
import io.delayjob.server.internal.web.Problem;
import io.delayjob.server.internal.web.View;
import io.delayjob.support.Checks;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
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
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import reactor.core.publisher.Mono;

/** Binds topics to targets, and shows how they are doing. What waits for Redis or a name server does so on threads that may. */
@ApiController
@RequestMapping("/targets")
public final class TargetsController {

    private final DelayJobTargets targets;
    private final Makers makers;

    /** The topics that are bound, of the queues that the caller may know of. */
    public record TargetsView(List<TargetView> targets) implements View {}

    /** How many topics were unbound. */
    public record UnboundView(int unbound) implements View {}

    /** Routes over the bindings. */
    public TargetsController(DelayJobTargets targets, Makers makers) {
        this.targets = targets;
        this.makers = makers;
    }

    @GetMapping(name = "listTargets")
    public Mono<TargetsView> listTargets(
            @RequestAttribute(Access.ATTRIBUTE) Access access, @RequestParam(required = false) @Nullable String maker) {
        access.require(Role.READ);
        return Mono.fromSupplier(() -> new TargetsView(as(access).list().stream()
                .filter(status -> maker == null || maker.equals(status.maker()))
                .map(status -> TargetView.of(status, access))
                .toList()));
    }

    @GetMapping(name = "findTarget", path = "/{topic}")
    public Mono<TargetView> findTarget(@RequestAttribute(Access.ATTRIBUTE) Access access, @PathVariable String topic) {
        access.require(Role.READ);
        return Mono.fromSupplier(() -> view(access, topic));
    }

    @PutMapping(name = "bindTopic", path = "/{topic}")
    public Mono<TargetView> bindTopic(
            @RequestAttribute(Access.ATTRIBUTE) Access access,
            @PathVariable String topic,
            @RequestBody TargetBody body) {
        access.require(Role.ADMIN);
        access.require(body.binding(topic, Optional.empty()).queue(), Role.ADMIN);
        return Makers.refusing(Blocking.call(() -> {
            as(access).bind(topic, now -> body.binding(topic, now));
            return view(access, topic);
        }));
    }

    @DeleteMapping(name = "unbindTopic", path = "/{topic}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    public Mono<Void> unbindTopic(@RequestAttribute(Access.ATTRIBUTE) Access access, @PathVariable String topic) {
        access.require(Role.ADMIN);
        return changed(topic, () -> as(access).unbind(topic)).then();
    }

    @DeleteMapping(name = "unbindTopics")
    public Mono<UnboundView> unbindTopics(
            @RequestAttribute(Access.ATTRIBUTE) Access access, @RequestParam(required = false) @Nullable String maker) {
        access.require(Role.ADMIN);
        String name = Checks.notNull(maker, "maker");
        return Blocking.call(() -> new UnboundView(as(access).unbindAll(name)));
    }

    @PostMapping(name = "pauseTopic", path = "/{topic}/pause")
    public Mono<TargetView> pauseTopic(@RequestAttribute(Access.ATTRIBUTE) Access access, @PathVariable String topic) {
        access.require(Role.OPERATE);
        return changed(topic, () -> as(access).pause(topic)).map(done -> view(access, topic));
    }

    @PostMapping(name = "resumeTopic", path = "/{topic}/resume")
    public Mono<TargetView> resumeTopic(@RequestAttribute(Access.ATTRIBUTE) Access access, @PathVariable String topic) {
        access.require(Role.OPERATE);
        return changed(topic, () -> as(access).resume(topic)).map(done -> view(access, topic));
    }

    /** Only through these a caller sees or changes bindings, so that it does so with those of its own queues alone. */
    private DelayJobTargets as(Access access) {
        return targets.as(makers.of(access));
    }

    private static Mono<Boolean> changed(String topic, Callable<Boolean> change) {
        return Blocking.<Boolean>call(change).filter(done -> done).switchIfEmpty(Mono.error(() -> missing(topic)));
    }

    private TargetView view(Access access, String topic) {
        return as(access)
                .find(topic)
                .map(status -> TargetView.of(status, access))
                .orElseThrow(() -> missing(topic));
    }

    private static ErrorResponseException missing(String topic) {
        return Problem.NO_SUCH_TARGET.with("topic %s is not bound to a target".formatted(Checks.shown(topic)));
    }
}
