package io.delayjob.server.console.internal.targets;

import io.delayjob.server.Access;
import io.delayjob.server.Role;
import io.delayjob.server.console.internal.audit.Audit;
import io.delayjob.server.console.internal.audit.Change;
import io.delayjob.server.console.internal.jobs.Inputs;
import io.delayjob.server.console.internal.pages.Page;
import io.delayjob.server.console.internal.pages.Pages;
import io.delayjob.server.targets.TargetBody;
import io.delayjob.server.targets.TargetView;
import io.delayjob.server.targets.Targets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** The topics that are bound to targets, and how these are doing. */
@RestController
@RequestMapping(Pages.PATH)
public final class TargetsPages {

    private static final int MOST_CALLS = 1000;
    private static final int MOST_PER_SECOND = 1_000_000;

    private final Pages pages;
    private final Targets targets;
    private final Audit audit;

    /** Pages over the services of the server. */
    public TargetsPages(Pages pages, Targets targets, Audit audit) {
        this.pages = pages;
        this.targets = targets;
        this.audit = audit;
    }

    /** All bindings, and the form of the one that is to be changed, or of a new one. */
    @GetMapping("/targets")
    Mono<ResponseEntity<String>> list(
            @RequestAttribute(Access.ATTRIBUTE) Access access,
            @RequestParam(required = false) @Nullable String change,
            ServerWebExchange exchange) {
        return targets.list(access, null)
                .map(all -> pages.show(
                        exchange, Page.of("targets").with("targets", all).with("changed", bindingOf(change, all))));
    }

    private static @Nullable TargetView bindingOf(@Nullable String topic, List<TargetView> all) {
        return all.stream()
                .filter(target -> target.topic().equals(topic))
                .findFirst()
                .orElse(null);
    }

    @PostMapping("/targets/{action:pause|resume|unbind}")
    Mono<ResponseEntity<String>> act(
            @RequestAttribute(Access.ATTRIBUTE) Access access,
            @PathVariable String action,
            ServerWebExchange exchange) {
        access.require(action.equals("unbind") ? Role.ADMIN : Role.OPERATE);
        return exchange.getFormData().flatMap(form -> {
            String topic = Inputs.exact(form, "topic");
            Mono<Change> changed = before(access, topic, "bound")
                    .flatMap(before -> act(access, action, topic)
                            .map(after -> Change.of(before, after))
                            .defaultIfEmpty(Change.of(before, "CLOSED")));
            return audit.changing(access, action + "-target", "", topic, changed, change -> change)
                    .map(done -> pages.done(exchange, "/targets", "target-" + action));
        });
    }

    /** How a topic is bound; a caller that may act and not look is not told. */
    private Mono<String> before(Access access, String topic, String otherwise) {
        return Mono.defer(() -> targets.find(access, topic))
                .map(TargetsPages::shown)
                .onErrorReturn(otherwise);
    }

    private Mono<String> act(Access access, String action, String topic) {
        return switch (action) {
            case "pause" -> targets.pause(access, topic).map(TargetsPages::shown);
            case "resume" -> targets.resume(access, topic).map(TargetsPages::shown);
            default -> targets.unbind(access, topic).then(Mono.empty());
        };
    }

    /** Binds a topic as the form says; its secrets, which are not shown, stay unless others are given or it is to have none. */
    @PostMapping("/targets/bind")
    Mono<ResponseEntity<String>> bind(@RequestAttribute(Access.ATTRIBUTE) Access access, ServerWebExchange exchange) {
        access.require(Role.ADMIN);
        return exchange.getFormData().flatMap(form -> {
            String topic = Inputs.exact(form, "topic");
            TargetBody body = body(form);
            Mono<Change> bound = before(access, topic, "not bound")
                    .flatMap(before -> targets.bind(access, topic, body).map(after -> Change.of(before, shown(after))));
            return audit.changing(access, "bind-target", "", topic, bound, change -> change)
                    .map(done -> pages.done(exchange, "/targets", "target-bind"));
        });
    }

    private static TargetBody body(MultiValueMap<String, String> form) {
        return new TargetBody(
                Inputs.text(form, "target"),
                Inputs.given(form.getFirst("queue")),
                Inputs.numberIfGiven(form, "calls", 1, MOST_CALLS),
                Inputs.numberIfGiven(form, "perSecond", 1, MOST_PER_SECOND),
                Inputs.durationIfGiven(form, "timeout"),
                form.getFirst("unsigned") != null ? List.of() : Inputs.words(form, "secrets"),
                form.getFirst("everyInstance") != null);
    }

    /** Without what of an address may be a secret. */
    static String shown(TargetView target) {
        return "%s, %d calls%s, %s"
                .formatted(
                        TargetView.withoutQuery(target.target()),
                        target.calls(),
                        target.perSecond() == null ? "" : ", " + target.perSecond() + "/s",
                        target.state());
    }
}
