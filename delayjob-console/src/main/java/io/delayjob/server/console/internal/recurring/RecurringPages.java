package io.delayjob.server.console.internal.recurring;

import io.delayjob.server.Access;
import io.delayjob.server.Role;
import io.delayjob.server.console.internal.audit.Audit;
import io.delayjob.server.console.internal.audit.Change;
import io.delayjob.server.console.internal.jobs.Inputs;
import io.delayjob.server.console.internal.pages.Page;
import io.delayjob.server.console.internal.pages.Pages;
import io.delayjob.server.schedules.ScheduleView;
import io.delayjob.server.schedules.Schedules;
import java.time.Instant;
import java.util.List;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** The schedules of recurring jobs: when they fire, what became of their last instants, and actions on them. */
@RestController
@RequestMapping(Pages.PATH)
public final class RecurringPages {

    /** How many schedules a page shows. */
    private static final int SHOWN = 100;

    /** How many of its next instants the page of a schedule shows. */
    private static final int INSTANTS = 20;

    private final Pages pages;
    private final Schedules schedules;
    private final Audit audit;

    /** Pages over the services of the server. */
    public RecurringPages(Pages pages, Schedules schedules, Audit audit) {
        this.pages = pages;
        this.schedules = schedules;
        this.audit = audit;
    }

    /**
     * Shows the schedules by name, a page at a time.
     *
     * @param part what their names contain
     * @param after the name after which the page begins
     */
    @GetMapping("/recurring")
    Mono<ResponseEntity<String>> list(
            @RequestAttribute(Access.ATTRIBUTE) Access access,
            @RequestParam(defaultValue = "") String part,
            @RequestParam(defaultValue = "") String after,
            ServerWebExchange exchange) {
        return schedules.list(access).map(all -> pages.show(exchange, page(all, part, after)));
    }

    private static Page page(List<ScheduleView> all, String part, String after) {
        Instant now = Instant.now();
        List<ScheduleRow> rows = all.stream()
                .filter(one -> one.name().contains(part) && one.name().compareTo(after) > 0)
                .limit(SHOWN + 1L)
                .map(one -> ScheduleRow.of(one, now))
                .toList();
        List<ScheduleRow> shown = rows.subList(0, Math.min(SHOWN, rows.size()));
        return Page.of("recurring")
                .with("part", part)
                .with("after", after)
                .with("rows", shown)
                .with(
                        "next",
                        rows.size() > SHOWN ? shown.get(SHOWN - 1).schedule().name() : null);
    }

    /** Shows one schedule: its definition, its next instants, and what became of the last ones. */
    @GetMapping("/recurring/schedule")
    Mono<ResponseEntity<String>> one(
            @RequestAttribute(Access.ATTRIBUTE) Access access, @RequestParam String name, ServerWebExchange exchange) {
        return Mono.zip(
                schedules.find(access, name),
                schedules.preview(access, name, INSTANTS),
                (found, instants) -> pages.show(
                        exchange,
                        Page.of("recurring-one")
                                .with("row", ScheduleRow.of(found, Instant.now()))
                                .with("instants", instants)));
    }

    @PostMapping("/recurring/{action:pause|resume|trigger|remove}")
    Mono<ResponseEntity<String>> act(
            @RequestAttribute(Access.ATTRIBUTE) Access access,
            @PathVariable String action,
            ServerWebExchange exchange) {
        access.require(Role.OPERATE);
        return exchange.getFormData().flatMap(form -> {
            String name = Inputs.text(form, "name");
            Mono<Change> changed = state(access, name)
                    .flatMap(before ->
                            act(access, action, name).then(state(access, name)).map(after -> Change.of(before, after)));
            return audit.changing(access, action + "-schedule", "", name, changed, change -> change)
                    .map(done -> pages.done(
                            exchange, action.equals("remove") ? "/recurring" : link(name), "schedule-" + action));
        });
    }

    private Mono<?> act(Access access, String action, String name) {
        return switch (action) {
            case "pause" -> schedules.pause(access, name);
            case "resume" -> schedules.resume(access, name);
            case "trigger" -> schedules.trigger(access, name);
            default -> schedules.remove(access, name);
        };
    }

    private Mono<String> state(Access access, String name) {
        return SchedulePathState.state(schedules, access, name);
    }

    /** The address of the page of a schedule, within the console. */
    static String link(String name) {
        return "/recurring/schedule?name=" + Pages.encoded(name);
    }
}
