package io.delayjob.server.console.internal.bulk;

import io.delayjob.AsyncDelayJobAdmin;
import io.delayjob.JobSnapshot;
import io.delayjob.JobState;
import io.delayjob.server.Access;
import io.delayjob.server.Role;
import io.delayjob.server.console.internal.audit.Audit;
import io.delayjob.server.console.internal.bulk.RunStore.Wish;
import io.delayjob.server.console.internal.jobs.Fault;
import io.delayjob.server.console.internal.jobs.Filter;
import io.delayjob.server.console.internal.jobs.Inputs;
import io.delayjob.server.console.internal.jobs.JobRow;
import io.delayjob.server.console.internal.jobs.Redaction;
import io.delayjob.server.console.internal.jobs.Scan;
import io.delayjob.server.console.internal.jobs.Scan.Place;
import io.delayjob.server.console.internal.pages.BadInput;
import io.delayjob.server.console.internal.pages.Page;
import io.delayjob.server.console.internal.pages.Pages;
import io.delayjob.server.jobs.JobAction;
import io.delayjob.server.web.Problem;
import io.delayjob.support.Checks;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
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
    private static final Scan.Bound FIRST = new Scan.Bound(1, 100_000, Duration.ofSeconds(5));
    private static final int SAMPLE = 20;
    private static final int MOST_PER_SECOND = 5000;
    private static final int LEAST_TO_UNDO = 500;

    private final Pages pages;
    private final AsyncDelayJobAdmin admin;
    private final RunStore store;
    private final Runner runner;
    private final Redaction redaction;
    private final Audit audit;
    private final UndoStore undo;

    /** Pages over runs. */
    public RunsController(
            Pages pages,
            AsyncDelayJobAdmin admin,
            RunStore store,
            Runner runner,
            UndoStore undo,
            Redaction redaction,
            Audit audit) {
        this.pages = pages;
        this.admin = admin;
        this.store = store;
        this.runner = runner;
        this.redaction = redaction;
        this.audit = audit;
        this.undo = undo;
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
                                                .filter(run ->
                                                        run.queues().stream().allMatch(access::isFor))
                                                .toList())));
    }

    @GetMapping("/runs/new")
    Mono<ResponseEntity<String>> preview(
            @RequestAttribute(Access.ATTRIBUTE) Access access,
            @RequestParam String q,
            @RequestParam(required = false) @Nullable String fault,
            ServerWebExchange exchange) {
        return selection(access, q, Inputs.given(fault))
                .flatMap(selection -> Mono.fromFuture(() -> count(selection))
                        .map(counted -> pages.show(
                                exchange,
                                Page.of("run-new")
                                        .with("q", q)
                                        .with("fault", selection.fault())
                                        .with("what", counted.what)
                                        .with("queues", selection.queues())
                                        .with("count", counted.count)
                                        .with("exact", counted.exact)
                                        .with("examined", counted.examined)
                                        .with("states", counted.states())
                                        .with(
                                                "actions",
                                                selection.actions().stream()
                                                        .map(action -> counted.offer(selection, action))
                                                        .filter(offer -> offer.count() > 0 || !counted.exact)
                                                        .toList())
                                        .with(
                                                "jobs",
                                                counted.sample.stream()
                                                        .map(JobRow::of)
                                                        .toList()))));
    }

    /** The jobs of a filter, in the queues that the caller may know of. */
    private Mono<Selection> selection(Access access, String text, @Nullable String fault) {
        access.require(Role.READ);
        Filter filter = Filter.parse(text, redaction);
        return filter.queuesFor(access, admin).map(queues -> new Selection(filter, queues, fault));
    }

    /**
     * An action offered for the selected jobs.
     *
     * @param action its name
     * @param count how many jobs it would act on
     * @param skipped how many it would skip, because they are in other states
     */
    public record Offer(String action, long count, long skipped) {}

    /**
     * How many are in a state.
     *
     * @param state the state
     * @param count how many
     */
    public record InState(String state, long count) {}

    /** The jobs of a selection, counted by state; only a sample of them is kept. */
    private static final class Counted {

        private final List<JobSnapshot> sample = new ArrayList<>();
        private final Map<JobState, Long> counts = new EnumMap<>(JobState.class);
        private @Nullable Fault what;
        private long count;
        private long examined;
        private boolean exact;

        void add(JobSnapshot job, boolean faulty) {
            count++;
            counts.merge(job.state(), 1L, Long::sum);
            if (sample.size() < SAMPLE) {
                sample.add(job);
            }
            if (faulty && what == null && job.lastError() != null) {
                what = Fault.of(job.lastError());
            }
        }

        List<InState> states() {
            return counts.entrySet().stream()
                    .map(entry -> new InState(entry.getKey().name(), entry.getValue()))
                    .toList();
        }

        Offer offer(Selection selection, JobAction action) {
            long touched = selection.touched(action).stream()
                    .mapToLong(state -> counts.getOrDefault(state, 0L))
                    .sum();
            return new Offer(action.label(), touched, count - touched);
        }
    }

    private CompletableFuture<Counted> count(Selection selection) {
        Counted counted = new Counted();
        Predicate<JobSnapshot> count = job -> {
            if (selection.matches(job)) {
                counted.add(job, selection.fault() != null);
            }
            return false;
        };
        return scan(selection, count, COUNT).thenApply(found -> {
            counted.examined = found.examined();
            counted.exact = found.next() == null;
            return counted;
        });
    }

    private CompletableFuture<Scan.Found> scan(Selection selection, Predicate<JobSnapshot> wanted, Scan.Bound bound) {
        return Scan.of(
                admin,
                selection.queues(),
                selection.states(),
                selection.filter().id(),
                wanted,
                bound,
                Place.BEGIN);
    }

    @PostMapping("/runs")
    Mono<ResponseEntity<String>> begin(@RequestAttribute(Access.ATTRIBUTE) Access access, ServerWebExchange exchange) {
        return exchange.getFormData()
                .flatMap(form -> selection(access, Inputs.text(form, "q"), Inputs.given(form.getFirst("fault")))
                        .flatMap(selection -> {
                            JobAction action = selection.action(Inputs.text(form, "action"));
                            access.require(selection.queues(), Role.OPERATE);
                            access.require(Role.OPERATE);
                            return Mono.fromFuture(() -> group(selection))
                                    .flatMap(group -> begin(
                                            access,
                                            run(access, selection, group.orElse(null), action, form),
                                            selection,
                                            action));
                        }))
                .map(made -> pages.redirect(exchange, "/runs/" + made.id()));
    }

    private Mono<Run> begin(Access access, Run run, Selection selection, JobAction action) {
        return begin(access, run, () -> runner.begin(run, selection, action, access));
    }

    private Mono<Run> begin(Access access, Run run, Runnable start) {
        Mono<Run> begun = Mono.fromFuture(() -> store.write(run))
                .then(Mono.fromCallable(() -> {
                            start.run();
                            return run;
                        })
                        .onErrorResume(refused ->
                                Mono.fromFuture(() -> store.forget(run.id())).then(Mono.error(refused))));
        return audit.noting(
                access,
                "begin-" + run.action(),
                run.queue(),
                run.jobs(),
                begun,
                made -> howMany(made) + " at " + made.perSecond() + "/s");
    }

    private static String howMany(Run run) {
        return run.most() == null && run.undoes() == null
                ? "all, at least " + run.expected()
                : String.valueOf(run.expected());
    }

    /** The fault of the selected jobs, read from the first of them; empty if the selection is not limited to a fault, or has no jobs. */
    private CompletableFuture<Optional<String>> group(Selection selection) {
        if (selection.fault() == null) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        return scan(selection, selection::matches, FIRST)
                .thenApply(found -> found.jobs().stream()
                        .findFirst()
                        .flatMap(job -> Optional.ofNullable(job.lastError()))
                        .map(error -> Fault.of(error).text()));
    }

    private static Run run(
            Access access,
            Selection selection,
            @Nullable String group,
            JobAction action,
            MultiValueMap<String, String> form) {
        Duration delay = action == JobAction.RESCHEDULE ? Inputs.duration(form, "delay") : null;
        int counted = Inputs.number(form, "expected-" + action.label(), 0, Integer.MAX_VALUE);
        return run(
                access,
                action.label(),
                selection.filter().text(),
                selection.fault(),
                group,
                selection.queues(),
                delay == null ? null : Checks.delay(delay).toMillis(),
                null,
                Inputs.number(form, "perSecond", 1, MOST_PER_SECOND),
                counted,
                Selection.isForAll(Inputs.text(form, "action")) ? null : Long.valueOf(counted));
    }

    private static Run run(
            Access access,
            String action,
            String filter,
            @Nullable String fault,
            @Nullable String group,
            List<String> queues,
            @Nullable Long delayMillis,
            @Nullable String undoes,
            int perSecond,
            int expected,
            @Nullable Long most) {
        Instant now = Instant.now();
        return new Run(
                UUID.randomUUID().toString(),
                access.shown(),
                action,
                filter,
                fault,
                group,
                queues,
                delayMillis,
                undoes,
                perSecond,
                expected,
                most,
                Run.State.RUNNING,
                0,
                0,
                0,
                now,
                now,
                null);
    }

    /** Gives the jobs of a run back the due times that they had, unless they have begun or ended meanwhile. */
    @PostMapping("/runs/{id}/undo")
    Mono<ResponseEntity<String>> undo(
            @RequestAttribute(Access.ATTRIBUTE) Access access, @PathVariable String id, ServerWebExchange exchange) {
        return find(access, id, Role.OPERATE)
                .flatMap(old -> {
                    if (!old.mayBeUndone()) {
                        throw BadInput.of("undo", old.action(), old.state().name());
                    }
                    return Mono.fromFuture(() -> undo.size(id)).flatMap(size -> undo(access, old, size));
                })
                .map(made -> pages.redirect(exchange, "/runs/" + made.id()));
    }

    private Mono<Run> undo(Access access, Run old, int size) {
        if (size == 0) {
            throw BadInput.of("undo.gone");
        }
        Run run = run(
                access,
                Run.UNDO,
                old.filter(),
                old.fault(),
                old.group(),
                old.queues(),
                null,
                old.id(),
                Math.max(old.perSecond(), LEAST_TO_UNDO),
                size,
                null);
        return begin(access, run, () -> runner.undo(run, access));
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
            access.require(run.queues(), roles);
            access.require(roles);
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
                        run.jobs(),
                        Mono.fromFuture(() -> store.wish(id, Wish.valueOf(wish.toUpperCase(Locale.ROOT))))
                                .thenReturn(run),
                        same -> "done: " + same.done()))
                .map(done -> pages.redirect(exchange, "/runs/" + id));
    }
}
