package io.delayjob.server.console.internal.jobs;

import io.delayjob.DelayJobLimits;
import io.delayjob.Limits;
import io.delayjob.Limits.Order;
import io.delayjob.Limits.Rate;
import io.delayjob.server.Access;
import io.delayjob.server.Role;
import io.delayjob.server.console.internal.audit.Audit;
import io.delayjob.server.console.internal.audit.Change;
import io.delayjob.server.console.internal.pages.Pages;
import io.delayjob.server.queues.QueueLimits;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Changes the limits of queues and keys. The page of the queue shows them. */
@RestController
@RequestMapping(Pages.PATH)
public final class LimitsController {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final Pages pages;
    private final QueueLimits limits;
    private final Audit audit;

    /** Pages over the services of the server. */
    public LimitsController(Pages pages, QueueLimits limits, Audit audit) {
        this.pages = pages;
        this.limits = limits;
        this.audit = audit;
    }

    @PostMapping("/queues/{queue}/limits/{action:set|clear}")
    Mono<ResponseEntity<String>> ofQueue(
            @RequestAttribute(Access.ATTRIBUTE) Access access,
            @PathVariable String queue,
            @PathVariable String action,
            ServerWebExchange exchange) {
        return changed(
                exchange,
                access,
                queue,
                action + "-limits",
                "",
                form -> action.equals("set") ? limits.set(access, queue, ofQueue(form)) : limits.clear(access, queue));
    }

    @PostMapping("/queues/{queue}/keys/{action:limit|clear|pause|resume}")
    Mono<ResponseEntity<String>> ofKey(
            @RequestAttribute(Access.ATTRIBUTE) Access access,
            @PathVariable String queue,
            @PathVariable String action,
            ServerWebExchange exchange) {
        access.require(queue, Role.OPERATE);
        return exchange.getFormData()
                .flatMap(form -> changed(
                        exchange,
                        access,
                        queue,
                        action + "-key",
                        Inputs.exact(form, "key"),
                        fields -> ofKey(access, queue, action, fields)));
    }

    private Mono<DelayJobLimits> ofKey(Access access, String queue, String action, MultiValueMap<String, String> form) {
        String key = Inputs.exact(form, "key");
        return switch (action) {
            case "limit" -> limits.set(access, queue, key, ofKey(form, ""));
            case "clear" -> limits.clear(access, queue, key);
            case "pause" -> limits.pause(access, queue, key);
            default -> limits.resume(access, queue, key);
        };
    }

    /** Changes limits. */
    private interface Changing {

        Mono<DelayJobLimits> by(MultiValueMap<String, String> form);
    }

    private Mono<ResponseEntity<String>> changed(
            ServerWebExchange exchange, Access access, String queue, String action, String key, Changing changing) {
        access.require(queue, Role.OPERATE);
        return before(access, queue, key)
                .flatMap(before -> exchange.getFormData()
                        .flatMap(form -> audit.changing(
                                access,
                                action,
                                queue,
                                key,
                                Mono.defer(() -> changing.by(form)),
                                after -> new Change(before.orElse(null), LimitsPathState.shown(after, key), null))))
                .map(done -> pages.done(exchange, "/queues/" + queue, action));
    }

    /** The limits before a change, for the audit; empty if the caller may not look at them, or they cannot be read: that hinders no change. */
    private Mono<Optional<String>> before(Access access, String queue, String key) {
        return LimitsPathState.state(limits, access, queue, key)
                .map(Optional::of)
                .onErrorReturn(Optional.empty());
    }

    private static Limits ofQueue(MultiValueMap<String, String> form) {
        Limits each = ofKey(form, "key-");
        return new Limits(
                positive(form, "concurrency"), rate(form, ""), null, null, each.equals(Limits.NONE) ? null : each);
    }

    private static Limits ofKey(MultiValueMap<String, String> form, String prefix) {
        return new Limits(
                positive(form, prefix + "concurrency"),
                rate(form, prefix),
                Inputs.choiceIfGiven(form, prefix + "order", Order.class),
                Inputs.numberIfGiven(form, prefix + "weight", 1, 1000),
                null);
    }

    private static @Nullable Rate rate(MultiValueMap<String, String> form, String prefix) {
        Duration per = Inputs.durationIfGiven(form, prefix + "per");
        Integer burst = Inputs.numberIfGiven(form, prefix + "burst", 0, Integer.MAX_VALUE);
        boolean isRate = per != null || burst != null || Inputs.given(form.getFirst(prefix + "permits")) != null;
        return isRate
                ? new Rate(
                        Inputs.number(form, prefix + "permits", 1, Integer.MAX_VALUE),
                        per == null ? SECOND : per,
                        burst == null ? 0 : burst)
                : null;
    }

    private static @Nullable Integer positive(MultiValueMap<String, String> form, String name) {
        return Inputs.numberIfGiven(form, name, 1, Integer.MAX_VALUE);
    }
}
