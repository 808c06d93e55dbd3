package io.delayjob.server.console.internal.jobs;

import io.delayjob.ActionResult;
import io.delayjob.server.Access;
import io.delayjob.server.console.internal.audit.Audit;
import io.delayjob.server.console.internal.pages.BadInput;
import io.delayjob.server.console.internal.pages.Pages;
import io.delayjob.server.jobs.JobAction;
import io.delayjob.server.jobs.JobActions;
import io.delayjob.support.Checks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Acts on the jobs that somebody has selected in a list. A job is skipped if the list showed it in a state that does not allow the action, or if it
 * is in such a state by now: no more is done than was asked about.
 */
@RestController
@RequestMapping(Pages.PATH)
public final class SelectedController {

    /** A list shows 50. */
    private static final int MOST = 100;

    private final Pages pages;
    private final JobActions actions;
    private final Audit audit;

    /** Acts by the service of the server. */
    public SelectedController(Pages pages, JobActions actions, Audit audit) {
        this.pages = pages;
        this.actions = actions;
        this.audit = audit;
    }

    /** A job as the list showed it. */
    private record Selected(String queue, String state, String id) {

        static Selected of(String text) {
            String[] parts = text.split("/", 3);
            if (parts.length < 3) {
                throw BadInput.of("job", Checks.shown(text));
            }
            return new Selected(Checks.queue(parts[0]), parts[1], Checks.id(parts[2]));
        }
    }

    /** How many jobs were acted on, and how many were skipped. */
    private record Counted(long done, long skipped) {

        Counted and(Counted more) {
            return new Counted(done + more.done, skipped + more.skipped);
        }
    }

    @PostMapping("/jobs")
    Mono<ResponseEntity<String>> act(@RequestAttribute(Access.ATTRIBUTE) Access access, ServerWebExchange exchange) {
        return exchange.getFormData().flatMap(form -> {
            JobAction action = JobAction.of(Inputs.text(form, "action"));
            Duration delay = action == JobAction.RESCHEDULE ? Inputs.duration(form, "delay") : null;
            List<Selected> jobs = selected(form);
            List<Selected> fit = jobs.stream()
                    .filter(job -> JobRow.allows(job.state, action))
                    .toList();
            Map<String, List<String>> ids = fit.stream()
                    .collect(Collectors.groupingBy(
                            Selected::queue, TreeMap::new, Collectors.mapping(Selected::id, Collectors.toList())));
            return act(access, ids, action, delay)
                    .map(counted -> counted.and(new Counted(0, jobs.size() - fit.size())))
                    .map(counted -> pages.done(
                            exchange,
                            pages.within(form.getFirst("to")),
                            counted.skipped == 0 ? "selected" : "selected-some",
                            counted.done,
                            counted.skipped));
        });
    }

    private static List<Selected> selected(MultiValueMap<String, String> form) {
        List<Selected> jobs = form.getOrDefault("job", List.of()).stream()
                .map(Selected::of)
                .distinct()
                .toList();
        if (jobs.isEmpty() || jobs.size() > MOST) {
            throw BadInput.of("selected", String.valueOf(MOST), String.valueOf(jobs.size()));
        }
        return jobs;
    }

    private Mono<Counted> act(
            Access access, Map<String, List<String>> ids, JobAction action, @Nullable Duration delay) {
        return Mono.fromCallable(() -> queueByQueue(access, ids, action, delay))
                .onErrorResume(refused -> audit.noting(
                        access,
                        action.label(),
                        String.join(", ", ids.keySet()),
                        ids.values().stream().flatMap(List::stream).collect(Collectors.joining(", ")),
                        Mono.error(refused),
                        none -> null))
                .flatMap(acts -> Flux.concat(acts).reduce(new Counted(0, 0), Counted::and));
    }

    /** Asks for the rights in all queues before anything is done in one. */
    private List<Mono<Counted>> queueByQueue(
            Access access, Map<String, List<String>> ids, JobAction action, @Nullable Duration delay) {
        List<Mono<Counted>> acts = new ArrayList<>();
        ids.forEach((queue, its) -> acts.add(audit.noting(
                access,
                action.label(),
                queue,
                String.join(", ", its),
                actions.actOnAll(access, queue, its, action, delay).map(SelectedController::counted),
                counted -> "done: " + counted.done + ", skipped: " + counted.skipped)));
        return acts;
    }

    private static Counted counted(List<ActionResult> results) {
        long done = results.stream().filter(ActionResult::done).count();
        return new Counted(done, results.size() - done);
    }
}
