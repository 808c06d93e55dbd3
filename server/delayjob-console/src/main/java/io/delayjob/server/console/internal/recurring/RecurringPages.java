package io.delayjob.server.console.internal.recurring;

import io.delayjob.ScheduleBackfill;
import io.delayjob.server.Access;
import io.delayjob.server.Role;
import io.delayjob.server.console.internal.audit.Audit;
import io.delayjob.server.console.internal.audit.Change;
import io.delayjob.server.console.internal.jobs.Inputs;
import io.delayjob.server.console.internal.pages.BadInput;
import io.delayjob.server.console.internal.pages.Page;
import io.delayjob.server.console.internal.pages.Pages;
import io.delayjob.server.schedules.BackfillBody;
import io.delayjob.server.schedules.ScheduleView;
import io.delayjob.server.schedules.Schedules;
import java.time.Instant;
import java.util.List;
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

/** The schedules of recurring jobs: when they fire, what became of their last instants, and actions on them. */
@RestController
@RequestMapping(Pages.PATH)
public final class RecurringPages {

    /** How many schedules a page shows. */
    private static final int SHOWN = 100;

    /** How many of its next instants the page of a schedule shows. */
    private static final int INSTANTS = 20;

    private static final int MOST_PER_SECOND = 1_000_000;

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
        return page(access, name).map(page -> pages.show(exchange, page));
    }

    private Mono<Page> page(Access access, String name) {
        return Mono.zip(
                        schedules.find(access, name),
                        schedules.preview(access, name, INSTANTS),
                        schedules.explain(access, name))
                .map(found -> Page.of("recurring-one")
                        .with("row", ScheduleRow.of(found.getT1(), Instant.now()))
                        .with("instants", found.getT2())
                        .with("why", found.getT3()));
    }

    /** Asks whether the instants of a time are to be made up for, with how many there are. */
    @GetMapping("/recurring/backfilling")
    Mono<ResponseEntity<String>> ask(
            @RequestAttribute(Access.ATTRIBUTE) Access access, @RequestParam String name, ServerWebExchange exchange) {
        access.require(Role.OPERATE);
        BackfillBody time = time(exchange.getRequest().getQueryParams(), true);
        return Mono.zip(
                page(access, name),
                schedules.backfill(access, name, time),
                (page, counted) ->
                        pages.show(exchange, page.with("backfill", time).with("counted", counted)));
    }

    /** Makes up for the instants of a time, if there are as many as somebody was told of. */
    @PostMapping("/recurring/backfill")
    Mono<ResponseEntity<String>> backfill(
            @RequestAttribute(Access.ATTRIBUTE) Access access, ServerWebExchange exchange) {
        access.require(Role.OPERATE);
        return exchange.getFormData().flatMap(form -> {
            String name = Inputs.exact(form, "name");
            int told = Inputs.number(form, "instants", 1, ScheduleBackfill.MOST);
            Mono<ScheduleBackfill> made = schedules
                    .backfill(access, name, time(form, true))
                    .filter(counted -> counted.instants() == told)
                    .switchIfEmpty(Mono.error(() -> BadInput.of("instants", name, String.valueOf(told))))
                    .flatMap(counted -> schedules.backfill(access, name, time(form, false)));
            return audit.noting(
                            access,
                            "backfill-schedule",
                            "",
                            name,
                            made,
                            done -> "instants: %d, stored: %d, %s to %s"
                                    .formatted(done.instants(), done.stored(), done.first(), done.last()))
                    .map(done -> pages.done(exchange, link(name), "schedule-backfill"));
        });
    }

    private static BackfillBody time(MultiValueMap<String, String> form, boolean dryRun) {
        return new BackfillBody(
                Inputs.neededTime(form, "from"),
                Inputs.neededTime(form, "to"),
                Inputs.number(form, "perSecond", 1, MOST_PER_SECOND),
                dryRun);
    }

    @PostMapping("/recurring/{action:pause|resume|trigger|remove}")
    Mono<ResponseEntity<String>> act(
            @RequestAttribute(Access.ATTRIBUTE) Access access,
            @PathVariable String action,
            ServerWebExchange exchange) {
        access.require(Role.OPERATE);
        return exchange.getFormData().flatMap(form -> {
            String name = Inputs.exact(form, "name");
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
