package io.delayjob.server.console.internal.jobs;

import io.delayjob.JobQuery;
import io.delayjob.JobState;
import io.delayjob.QueueCounts;
import io.delayjob.TimeRange;
import io.delayjob.server.Access;
import io.delayjob.server.Role;
import io.delayjob.server.console.internal.audit.Audit;
import io.delayjob.server.console.internal.audit.Change;
import io.delayjob.server.console.internal.pages.Page;
import io.delayjob.server.console.internal.pages.Pages;
import io.delayjob.server.jobs.Jobs;
import io.delayjob.server.queues.QueueLimits;
import io.delayjob.server.queues.Queues;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
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

/** A queue and its jobs, state by state and page by page. */
@RestController
@RequestMapping(Pages.PATH)
public final class QueueController {

    private static final int PAGE = 50;
    private static final int MOST_PURGED = 100_000;

    private final Pages pages;
    private final Queues queues;
    private final QueueLimits limits;
    private final Jobs jobs;
    private final Audit audit;

    /** Pages over the services of the server. */
    public QueueController(Pages pages, Queues queues, QueueLimits limits, Jobs jobs, Audit audit) {
        this.pages = pages;
        this.queues = queues;
        this.limits = limits;
        this.jobs = jobs;
        this.audit = audit;
    }

    @GetMapping("/queues/{queue}")
    Mono<ResponseEntity<String>> show(
            @RequestAttribute(Access.ATTRIBUTE) Access access,
            @PathVariable String queue,
            @RequestParam(required = false) @Nullable JobState state,
            @RequestParam(required = false) @Nullable String topic,
            @RequestParam(required = false) @Nullable String id,
            @RequestParam(required = false) @Nullable String cursor,
            ServerWebExchange exchange) {
        return queues.counts(access, queue).flatMap(counts -> {
            JobState shown = state == null ? mostTelling(counts) : state;
            JobQuery query = new JobQuery(
                    queue, shown, Inputs.given(topic), Inputs.given(id), TimeRange.ANY, PAGE, Inputs.given(cursor));
            return jobs.list(access, query)
                    .zipWith(limits.find(access, queue))
                    .map(both -> pages.show(
                            exchange,
                            Page.of("queue")
                                    .with("queue", queue)
                                    .with("limits", both.getT2())
                                    .with("counts", counts)
                                    .with("tabs", tabs(counts))
                                    .with("state", shown.name())
                                    .with("topic", Inputs.given(topic))
                                    .with("prefix", Inputs.given(id))
                                    .with("search", Filter.textOf(queue, shown, query.job(), query.idPrefix()))
                                    .with("cursor", Inputs.given(cursor))
                                    .with("next", both.getT1().next())
                                    .with(
                                            "jobs",
                                            both.getT1().jobs().stream()
                                                    .map(JobRow::of)
                                                    .toList())));
        });
    }

    /**
     * A state of the queue's jobs.
     *
     * @param state its name
     * @param count how many; null for those that the queue keeps together as finished
     */
    public record Tab(String state, @Nullable Long count) {}

    private static List<Tab> tabs(QueueCounts counts) {
        return List.of(
                new Tab("READY", counts.ready()),
                new Tab("RESERVED", counts.reserved()),
                new Tab("DELAYED", counts.delayed()),
                new Tab("DEAD", counts.dead()),
                new Tab("COMPLETED", null),
                new Tab("CANCELLED", null));
    }

    private static JobState mostTelling(QueueCounts counts) {
        if (counts.dead() > 0) {
            return JobState.DEAD;
        } else if (counts.ready() > 0) {
            return JobState.READY;
        }
        return counts.reserved() > 0 ? JobState.RESERVED : JobState.DELAYED;
    }

    @PostMapping("/queues/{queue}/pause")
    Mono<ResponseEntity<String>> pause(
            @RequestAttribute(Access.ATTRIBUTE) Access access, @PathVariable String queue, ServerWebExchange exchange) {
        return audit.changing(
                        access,
                        "pause",
                        queue,
                        "",
                        queues.pause(access, queue),
                        counts -> new Change("running", "paused", "ready: " + counts.ready()))
                .map(done -> pages.done(exchange, "/queues/" + queue, "paused"));
    }

    @PostMapping("/queues/{queue}/resume")
    Mono<ResponseEntity<String>> resume(
            @RequestAttribute(Access.ATTRIBUTE) Access access, @PathVariable String queue, ServerWebExchange exchange) {
        return audit.changing(
                        access,
                        "resume",
                        queue,
                        "",
                        queues.resume(access, queue),
                        counts -> new Change("paused", "running", "ready: " + counts.ready()))
                .map(done -> pages.done(exchange, "/queues/" + queue, "resumed"));
    }

    @PostMapping("/queues/{queue}/purge")
    Mono<ResponseEntity<String>> purge(
            @RequestAttribute(Access.ATTRIBUTE) Access access, @PathVariable String queue, ServerWebExchange exchange) {
        access.require(queue, Role.OPERATE);
        return exchange.getFormData().flatMap(form -> {
            Duration olderThan = Inputs.duration(form, "olderThan");
            int most = Math.min(MOST_PURGED, Inputs.number(form, "most", 1, Integer.MAX_VALUE));
            return audit.noting(
                            access,
                            "purge",
                            queue,
                            "dead for " + olderThan,
                            queues.purgeDead(access, queue, olderThan, most),
                            String::valueOf)
                    .map(done -> pages.done(exchange, "/queues/" + queue + "?state=DEAD", "purged"));
        });
    }
}
