package io.delayjob.server.console.internal.jobs;

import io.delayjob.ActionResult;
import io.delayjob.Explanation;
import io.delayjob.JobOptions;
import io.delayjob.JobSnapshot;
import io.delayjob.JobState;
import io.delayjob.JobStep;
import io.delayjob.server.Access;
import io.delayjob.server.Role;
import io.delayjob.server.console.internal.audit.Audit;
import io.delayjob.server.console.internal.audit.Change;
import io.delayjob.server.console.internal.pages.BadInput;
import io.delayjob.server.console.internal.pages.Page;
import io.delayjob.server.console.internal.pages.Pages;
import io.delayjob.server.jobs.JobAction;
import io.delayjob.server.jobs.JobActions;
import io.delayjob.server.jobs.JobBody;
import io.delayjob.server.jobs.Jobs;
import io.delayjob.server.journal.Journals;
import io.delayjob.server.web.ServerJson;
import io.delayjob.support.Checks;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/** A job: what it is, why it does or does not run, what happened to it, and what can be done with it. */
@RestController
@RequestMapping(Pages.PATH)
public final class JobController {

    /** The header of a job that was submitted as an edited copy: the id of the one that it was made from. */
    private static final String COPY_HEADER = "delayjob-copy-of";

    private static final int MOST_STEPS = 200;
    private static final Duration SOON = Duration.ofMinutes(1);

    private final Pages pages;
    private final Jobs jobs;
    private final JobActions actions;
    private final Journals journals;
    private final Redaction redaction;
    private final Audit audit;

    /** Pages over the services of the server. */
    public JobController(
            Pages pages, Jobs jobs, JobActions actions, Journals journals, Redaction redaction, Audit audit) {
        this.pages = pages;
        this.jobs = jobs;
        this.actions = actions;
        this.journals = journals;
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
    private Mono<List<JobStep>> history(Access access, String queue, String id) {
        return journals.history(access, queue, id, MOST_STEPS).onErrorReturn(List.of());
    }

    /** The time that a reason is about; null if it is about none. */
    private static @Nullable Instant since(Explanation why) {
        JobSnapshot job = why.job();
        return job == null
                ? null
                : switch (why.reason()) {
                    case COMPLETED, CANCELLED -> job.finishedAt();
                    case DEAD -> job.diedAt();
                    case RUNNING -> job.startedAt();
                    case LEASE_EXPIRED -> job.leaseExpiresAt();
                    default -> job.dueAt();
                };
    }

    private Page page(String queue, String id, Explanation why, List<JobStep> steps) {
        JobSnapshot job = why.job();
        Page page = Page.of("job")
                .with("queue", queue)
                .with("id", id)
                .with("why", why)
                .with("since", since(why))
                .with("job", job)
                .with("steps", steps)
                .with("attempts", Attempts.of(steps, Instant.now()));
        return job == null
                ? page
                : page.with("param", redaction.shown(param(job)))
                        .with("result", redaction.shown(job.result()))
                        .with("headers", redaction.shown(job.headers()))
                        .with("error", JobRow.firstLine(job.lastError()))
                        .with("group", group(job))
                        .with("running", job.state() == JobState.RESERVED)
                        .with("soon", isSoon(job))
                        .with("waits", job.state() == JobState.DELAYED || job.state() == JobState.READY)
                        .with("ended", job.state() == JobState.COMPLETED || job.state() == JobState.CANCELLED);
    }

    /** Whether it runs, or may run within a minute: its page is asked for again and again. */
    private static boolean isSoon(JobSnapshot job) {
        return switch (job.state()) {
            case READY, RESERVED -> true;
            case DELAYED ->
                job.dueAt() != null && job.dueAt().isBefore(Instant.now().plus(SOON));
            case COMPLETED, CANCELLED, DEAD -> false;
        };
    }

    /** Where the group of jobs is that failed for the same reason; null if this one has not failed, or failed and ended. */
    private static @Nullable String group(JobSnapshot job) {
        return job.lastError() == null || job.finishedAt() != null
                ? null
                : Faults.link(job.queue(), Fault.of(job.lastError()));
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

    private Mono<ActionResult> act(
            Access access, String label, String queue, String id, MultiValueMap<String, String> form) {
        JobAction action = JobAction.of(label);
        return Mono.defer(() -> actions.act(
                access, queue, id, action, action == JobAction.RESCHEDULE ? Inputs.duration(form, "delay") : null));
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
                    .flatMap(body -> jobs.submit(
                            access, queue, body, null, exchange.getRequest().getHeaders()))
                    .map(result -> result.id());
            return audit.noting(access, "submit-copy", queue, id, copied, made -> "new: " + made)
                    .map(made -> pages.done(exchange, "/job?queue=" + queue + "&id=" + Pages.encoded(made), "copied"));
        });
    }

    /** The job as it was edited; what was hidden is as it was. */
    private JobBody body(MultiValueMap<String, String> form, JobSnapshot job) {
        String delay = Inputs.given(form.getFirst("delay"));
        return JobBody.of(
                Inputs.given(form.getFirst("newId")),
                Inputs.exact(form, "topic"),
                param(Inputs.given(form.getFirst("param")), param(job)),
                delay == null ? Duration.ZERO : Inputs.duration(form, "delay"),
                options(form, job.options()),
                headers(job));
    }

    /** The headers of the original, and its id where they have room for it. */
    private static Map<String, String> headers(JobSnapshot original) {
        Map<String, String> headers = new HashMap<>(original.headers());
        headers.remove(COPY_HEADER);
        if (Checks.fitsHeader(headers, COPY_HEADER, original.id())) {
            headers.put(COPY_HEADER, original.id());
        }
        return headers;
    }

    /** The options of the original, with the priority of the form: an empty one is the usual one. */
    private static JobOptions options(MultiValueMap<String, String> form, JobOptions original) {
        Integer priority = Inputs.numberIfGiven(form, "priority", 0, 9);
        return form.containsKey("priority")
                ? original.withPriority(Objects.requireNonNullElse(priority, JobOptions.USUAL_PRIORITY))
                : original;
    }

    /** The param as JSON, also if the record cannot be read. */
    private static String param(JobSnapshot job) {
        return ServerJson.embedded(job.param(), job.job() != null);
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
            throw BadInput.in("param", "json", Checks.shown(String.valueOf(e.getOriginalMessage())));
        }
    }
}
