package io.delayjob.server.console.internal.jobs;

import io.delayjob.JobState;
import io.delayjob.server.Access;
import io.delayjob.server.Role;
import io.delayjob.server.console.internal.audit.Audit;
import io.delayjob.server.console.internal.audit.Change;
import io.delayjob.server.console.internal.pages.Page;
import io.delayjob.server.console.internal.pages.Pages;
import io.delayjob.server.internal.jobs.ActionsController;
import io.delayjob.server.internal.jobs.ActionsController.ActionView;
import io.delayjob.server.internal.jobs.ActionsController.RescheduleBody;
import io.delayjob.server.internal.jobs.JobBody;
import io.delayjob.server.internal.jobs.JobView;
import io.delayjob.server.internal.jobs.JobsController;
import io.delayjob.server.internal.jobs.JobsController.ExplanationView;
import io.delayjob.server.internal.journal.JournalController;
import io.delayjob.server.internal.journal.JournalViews.HistoryView;
import io.delayjob.server.web.ServerJson;
import io.delayjob.support.Checks;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
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
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/** A job: what it is, why it does or does not run, what happened to it, and what can be done with it, which the routes of the API do. */
@RestController
@RequestMapping(Pages.PATH)
public final class JobController {

    private static final int MOST_STEPS = 200;

    private final Pages pages;
    private final JobsController jobs;
    private final ActionsController actions;
    private final @Nullable JournalController journal;
    private final Redaction redaction;
    private final Audit audit;

    /** Pages over routes of the API. */
    public JobController(
            Pages pages,
            JobsController jobs,
            ActionsController actions,
            ObjectProvider<JournalController> journal,
            Redaction redaction,
            Audit audit) {
        this.pages = pages;
        this.jobs = jobs;
        this.actions = actions;
        this.journal = journal.getIfAvailable();
        this.redaction = redaction;
        this.audit = audit;
    }

    @GetMapping("/job")
    Mono<ResponseEntity<String>> show(
            @RequestAttribute(Access.ATTRIBUTE) Access access,
            @RequestParam String queue,
            @RequestParam String id,
            ServerWebExchange exchange) {
        return jobs.explain(access, queue, id)
                .zipWith(history(access, queue, id))
                .map(both -> pages.show(exchange, page(queue, id, both.getT1(), both.getT2())));
    }

    /** The job's history from the journal; empty if there is no journal or it does not answer: the job is shown all the same. */
    private Mono<HistoryView> history(Access access, String queue, String id) {
        HistoryView none = new HistoryView(List.of());
        return journal == null
                ? Mono.just(none)
                : journal.history(access, queue, id, MOST_STEPS).onErrorReturn(none);
    }

    private Page page(String queue, String id, ExplanationView why, HistoryView history) {
        JobView job = why.job();
        Page page = Page.of("job")
                .with("queue", queue)
                .with("id", id)
                .with("why", why)
                .with("job", job)
                .with("steps", history.steps());
        return job == null
                ? page
                : page.with("param", redaction.shown(job.param()))
                        .with("result", redaction.shown(job.result()))
                        .with("headers", redaction.shown(job.headers()))
                        .with("error", JobRow.firstLine(job.lastError()))
                        .with("waits", job.state() == JobState.DELAYED || job.state() == JobState.READY)
                        .with("ended", job.state() == JobState.COMPLETED || job.state() == JobState.CANCELLED);
    }

    @PostMapping("/job/{action:cancel|run-now|redrive|reschedule|purge}")
    Mono<ResponseEntity<String>> act(
            @RequestAttribute(Access.ATTRIBUTE) Access access,
            @PathVariable String action,
            ServerWebExchange exchange) {
        return exchange.getFormData().flatMap(form -> {
            String queue = Inputs.text(form, "queue");
            String id = Objects.requireNonNullElse(form.getFirst("id"), "");
            return audit.changing(
                            access, action, queue, id, changing(access, action, queue, id, form), change -> change)
                    .map(done -> pages.done(exchange, "/job?queue=" + queue + "&id=" + Pages.encoded(id), action));
        });
    }

    private Mono<ActionView> act(
            Access access, String action, String queue, String id, MultiValueMap<String, String> form) {
        return Mono.defer(() -> switch (action) {
            case "cancel" -> actions.cancel(access, queue, id);
            case "run-now" -> actions.runNow(access, queue, id);
            case "redrive" -> actions.redrive(access, queue, id);
            case "purge" -> actions.purge(access, queue, id);
            default -> actions.reschedule(access, queue, id, new RescheduleBody(Inputs.duration(form, "delay")));
        });
    }

    private Mono<Change> changing(
            Access access, String action, String queue, String id, MultiValueMap<String, String> form) {
        return before(access, queue, id)
                .flatMap(before -> act(access, action, queue, id, form)
                        .map(done -> Change.of(
                                Objects.requireNonNullElse(done.previous(), "no such job") + before,
                                after(action, form))));
    }

    /** When the job was due. A caller that may act and not look is told of its state only, as the route does. */
    private Mono<String> before(Access access, String queue, String id) {
        return Mono.defer(() -> jobs.find(access, queue, id))
                .map(job -> job.dueAt() == null ? "" : ", due " + job.dueAt())
                .onErrorReturn("");
    }

    private static String after(String action, MultiValueMap<String, String> form) {
        return switch (action) {
            case "cancel" -> JobState.CANCELLED.name();
            case "purge" -> "deleted";
            case "reschedule" ->
                "due " + Instant.now().plus(Inputs.duration(form, "delay")).truncatedTo(ChronoUnit.SECONDS);
            default -> JobState.READY.name();
        };
    }

    @PostMapping("/job/copy")
    Mono<ResponseEntity<String>> copy(@RequestAttribute(Access.ATTRIBUTE) Access access, ServerWebExchange exchange) {
        return exchange.getFormData().flatMap(form -> {
            String queue = access.require(Inputs.text(form, "queue"), Role.SUBMIT);
            String id = Objects.requireNonNullElse(form.getFirst("id"), "");
            Mono<String> copied = jobs.find(access, queue, id)
                    .map(job -> body(form, job))
                    .flatMap(body -> jobs.submit(access, null, queue, body, exchange.getRequest()))
                    .map(answer -> Objects.requireNonNull(answer.getBody()).id());
            return audit.noting(access, "submit-copy", queue, id, copied, made -> "new: " + made)
                    .map(made -> pages.done(exchange, "/job?queue=" + queue + "&id=" + Pages.encoded(made), "copied"));
        });
    }

    /** The job as it was edited; what was hidden is as it was. */
    private JobBody body(MultiValueMap<String, String> form, JobView job) {
        String delay = Inputs.given(form.getFirst("delay"));
        return JobBody.of(
                Inputs.given(form.getFirst("newId")),
                Inputs.text(form, "topic"),
                param(Inputs.given(form.getFirst("param")), job.param()),
                delay == null ? Duration.ZERO : Inputs.duration(form, "delay"),
                job.options(),
                job.headers());
    }

    private @Nullable JsonNode param(@Nullable String edited, String original) {
        if (edited == null) {
            return null;
        }
        try {
            return redaction.restored(
                    ServerJson.stored().readTree(edited),
                    original.isEmpty()
                            ? MissingNode.getInstance()
                            : ServerJson.stored().readTree(original));
        } catch (JacksonException e) {
            throw new IllegalArgumentException(
                    "the param is no JSON: " + Checks.shown(String.valueOf(e.getOriginalMessage())), e);
        }
    }
}
