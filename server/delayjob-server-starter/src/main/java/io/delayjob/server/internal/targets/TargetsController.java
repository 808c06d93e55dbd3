package io.delayjob.server.internal.targets;

import io.delayjob.server.Access;
import io.delayjob.server.internal.web.ApiController;
import io.delayjob.server.targets.TargetBody;
import io.delayjob.server.targets.TargetView;
import io.delayjob.server.targets.Targets;
import io.delayjob.server.web.View;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
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

/** Binds topics to targets, and shows how they are doing. */
@ApiController
@RequestMapping("/targets")
public final class TargetsController {

    private final Targets targets;

    /** The topics that are bound, of the queues that the caller may know of. */
    public record TargetsView(List<TargetView> targets) implements View {}

    /** How many topics were unbound. */
    public record UnboundView(int unbound) implements View {}

    /** Routes over the bindings. */
    public TargetsController(Targets targets) {
        this.targets = targets;
    }

    @GetMapping(name = "listTargets")
    public Mono<TargetsView> listTargets(
            @RequestAttribute(Access.ATTRIBUTE) Access access, @RequestParam(required = false) @Nullable String maker) {
        return targets.list(access, maker).map(TargetsView::new);
    }

    @GetMapping(name = "findTarget", path = "/{topic}")
    public Mono<TargetView> findTarget(@RequestAttribute(Access.ATTRIBUTE) Access access, @PathVariable String topic) {
        return targets.find(access, topic);
    }

    @PutMapping(name = "bindTopic", path = "/{topic}")
    public Mono<TargetView> bindTopic(
            @RequestAttribute(Access.ATTRIBUTE) Access access,
            @PathVariable String topic,
            @RequestBody TargetBody body) {
        return targets.bind(access, topic, body);
    }

    @DeleteMapping(name = "unbindTopic", path = "/{topic}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    public Mono<Void> unbindTopic(@RequestAttribute(Access.ATTRIBUTE) Access access, @PathVariable String topic) {
        return targets.unbind(access, topic);
    }

    @DeleteMapping(name = "unbindTopics")
    public Mono<UnboundView> unbindTopics(
            @RequestAttribute(Access.ATTRIBUTE) Access access, @RequestParam(required = false) @Nullable String maker) {
        return targets.unbindAll(access, maker).map(UnboundView::new);
    }

    @PostMapping(name = "pauseTopic", path = "/{topic}/pause")
    public Mono<TargetView> pauseTopic(@RequestAttribute(Access.ATTRIBUTE) Access access, @PathVariable String topic) {
        return targets.pause(access, topic);
    }

    @PostMapping(name = "resumeTopic", path = "/{topic}/resume")
    public Mono<TargetView> resumeTopic(@RequestAttribute(Access.ATTRIBUTE) Access access, @PathVariable String topic) {
        return targets.resume(access, topic);
    }
}
