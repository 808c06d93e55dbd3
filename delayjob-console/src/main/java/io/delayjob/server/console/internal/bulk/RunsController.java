package io.delayjob.server.console.internal.bulk;

import io.delayjob.AsyncDelayJobAdmin;
import io.delayjob.JobSnapshot;
import io.delayjob.server.Role;
import io.delayjob.server.console.internal.audit.Audit;
import io.delayjob.server.console.internal.bulk.RunStore.Wish;
import io.delayjob.server.console.internal.jobs.Fault;
import io.delayjob.server.console.internal.jobs.Inputs;
import io.delayjob.server.console.internal.jobs.JobRow;
import io.delayjob.server.console.internal.jobs.Redaction;
import io.delayjob.server.console.internal.jobs.Scan;
import io.delayjob.server.console.internal.jobs.Scan.Place;
import io.delayjob.server.console.internal.pages.Page;
import io.delayjob.server.console.internal.pages.Pages;
import io.delayjob.server.internal.access.Access;
import io.delayjob.server.internal.jobs.ActionsController.Action;
import io.delayjob.server.internal.web.Problem;
import io.delayjob.support.Checks;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
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

/** Acts on many jobs: what they are, how many, a sample; then in the background, with progress, pause and abort. */
@RestController
@RequestMapping(Pages.PATH)
public final class RunsController {

    private static final Scan.Bound COUNT = new Scan.Bound(Integer.MAX_VALUE, 100_000, Duration.ofSeconds(5));
    private static final int SAMPLE = 20;
    private static final int MOST_PER_SECOND = 5000;

    private final Pages pages;
    private final AsyncDelayJobAdmin admin;
    private final RunStore store;
    private final Runner runner;
    private final Redaction redaction;
    private final Audit audit;

    /** Pages over runs. */
    public RunsController(
            Pages pages, AsyncDelayJobAdmin admin, RunStore store, Runner runner, Redaction redaction, Audit audit) {
        this.pages = pages;
        this.admin = admin;
        this.store = store;
        this.runner = runner;
        this.redaction = redaction;
        this.audit = audit;
    }

    @GetMapping("/runs")
    Mono<ResponseEntity<String>> list(@RequestAttribute(Access.ATTRIBUTE) Access access, ServerWebExchange exchange) {
        access.require(Role.READ);
        return Mono.fromFuture(store::all)
                .map(runs -> pages.show(
                        exchange,
                        Page.of("runs")
                                .with(
                                        "runs",
                                        runs.stream()
                                                .filter(run -> access.isFor(run.queue()))
                                                .toList())));
    }

    @GetMapping("/runs/new")
    Mono<ResponseEntity<String>> preview(
            @RequestAttribute(Access.ATTRIBUTE) Access access,
            @RequestParam String q,
            @RequestParam(required = false) @Nullable String fault,
            ServerWebExchange exchange) {
        Selection selection = Selection.of(q, Inputs.given(fault), redaction, access);
        return Mono.fromFuture(() -> count(selection))
                .map(counted -> pages.show(
                        exchange,
                        Page.of("run-new")
                                .with("q", q)
                                .with("fault", selection.fault())
                                .with("what", counted.what)
                                .with("queue", selection.queue())
                                .with("state", selection.state().name())
                                .with("count", counted.count)
                                .with("exact", counted.exact)
                                .with("examined", counted.examined)
                                .with(
                                        "actions",
                                        selection.actions().stream()
                                                .map(Selection::label)
                                                .toList())
                                .with(
                                        "jobs",
                                        counted.sample.stream().map(JobRow::of).toList())));
    }

    /** What a selection comes to, without keeping the jobs. */
    private static final class Counted {

        private final List<JobSnapshot> sample = new ArrayList<>();
        private @Nullable Fault what;
        private long count;
        private long examined;
        private boolean exact;

        void add(JobSnapshot job, boolean faulty) {
            count++;
            if (sample.size() < SAMPLE) {
                sample.add(job);
            }
            if (faulty && what == null && job.lastError() != null) {
                what = Fault.of(job.lastError());
            }
        }
    }

    private CompletableFuture<Counted> count(Selection selection) {
        Counted counted = new Counted();
        return Scan.of(
                        admin,
                        List.of(selection.queue()),
                        List.of(selection.state()),
                        selection.filter().id(),
                        job -> {
                            if (selection.matches(job)) {
                                counted.add(job, selection.fault() != null);
                            }
                            return false;
                        },
                        COUNT,
                        Place.BEGIN)
                .thenApply(found -> {
                    counted.examined = found.examined();
                    counted.exact = found.next() == null;
                    return counted;
                });
    }

    @PostMapping("/runs")
    Mono<ResponseEntity<String>> begin(@RequestAttribute(Access.ATTRIBUTE) Access access, ServerWebExchange exchange) {
        return exchange.getFormData().flatMap(form -> {
            Selection selection =
                    Selection.of(Inputs.text(form, "q"), Inputs.given(form.getFirst("fault")), redaction, access);
            Action action = selection.action(Inputs.text(form, "action"));
            access.require(selection.queue(), Role.OPERATE);
            Run run = run(access, selection, action, form);
            Mono<Run> begun = Mono.fromFuture(() -> store.write(run)).then(Mono.fromCallable(() -> {
                runner.begin(run, selection, action, access);
                return run;
            }));
            return audit.noting(
                            access,
                            "begin-" + Selection.label(action),
                            selection.queue(),
                            run.filter(),
                            begun,
                            made -> made.expected() + " at " + made.perSecond() + "/s")
                    .map(made -> pages.redirect(exchange, "/runs/" + made.id()));
        });
    }

    private static Run run(Access access, Selection selection, Action action, MultiValueMap<String, String> form) {
        Instant now = Instant.now();
        return new Run(
                UUID.randomUUID().toString(),
                access.shown(),
                Selection.label(action),
                selection.filter().text(),
                selection.fault(),
                selection.queue(),
                number(form, "perSecond", 1, MOST_PER_SECOND),
                number(form, "expected", 0, Integer.MAX_VALUE),
                Run.State.RUNNING,
                0,
                0,
                0,
                now,
                now,
                null);
    }

    private static int number(MultiValueMap<String, String> form, String name, int least, int most) {
        String text = Inputs.text(form, name);
        try {
            int number = Integer.parseInt(text);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Said below.
        }
        throw new IllegalArgumentException("%s must be %d to %d: %s".formatted(name, least, most, Checks.shown(text)));
    }

    @GetMapping("/runs/{id}")
    Mono<ResponseEntity<String>> show(
            @RequestAttribute(Access.ATTRIBUTE) Access access, @PathVariable String id, ServerWebExchange exchange) {
        return find(access, id, Role.READ)
                .map(run -> pages.show(exchange, Page.of("run").with("run", run)));
    }

    @GetMapping("/runs/{id}/progress")
    Mono<ResponseEntity<String>> progress(
            @RequestAttribute(Access.ATTRIBUTE) Access access, @PathVariable String id, ServerWebExchange exchange) {
        return find(access, id, Role.READ)
                .map(run -> ResponseEntity.ok()
                        .header("Content-Type", "text/html;charset=UTF-8")
                        .body(pages.render(exchange, Page.of("run").with("run", run), "progress")));
    }

    private Mono<Run> find(Access access, String id, Role... roles) {
        return Mono.fromFuture(() -> store.find(id)).map(found -> {
            Run run = found.orElseThrow(() -> Problem.NO_SUCH_JOB.with("there is no run " + Checks.shown(id)));
            access.require(run.queue(), roles);
            return run;
        });
    }

    @PostMapping("/runs/{id}/{wish:go|pause|abort}")
    Mono<ResponseEntity<String>> wish(
            @RequestAttribute(Access.ATTRIBUTE) Access access,
            @PathVariable String id,
            @PathVariable String wish,
            ServerWebExchange exchange) {
        return find(access, id, Role.OPERATE)
                .flatMap(run -> audit.noting(
                        access,
                        wish + "-run",
                        run.queue(),
                        run.filter(),
                        Mono.fromFuture(() -> store.wish(id, Wish.valueOf(wish.toUpperCase(Locale.ROOT))))
                                .thenReturn(run),
                        same -> "done: " + same.done()))
                .map(done -> pages.redirect(exchange, "/runs/" + id));
    }
}
