package io.delayjob.server.console.internal.jobs;

import io.delayjob.AsyncDelayJobAdmin;
import io.delayjob.JobState;
import io.delayjob.TimeRange;
import io.delayjob.server.Access;
import io.delayjob.server.Role;
import io.delayjob.server.console.internal.audit.Audit;
import io.delayjob.server.console.internal.audit.Change;
import io.delayjob.server.console.internal.jobs.FaultMarks.Decision;
import io.delayjob.server.console.internal.jobs.FaultMarks.Mark;
import io.delayjob.server.console.internal.jobs.Faults.Group;
import io.delayjob.server.console.internal.jobs.Turns.Looked;
import io.delayjob.server.console.internal.look.Look;
import io.delayjob.server.console.internal.look.Looker;
import io.delayjob.server.console.internal.look.QueueLook;
import io.delayjob.server.console.internal.pages.BadInput;
import io.delayjob.server.console.internal.pages.Page;
import io.delayjob.server.console.internal.pages.Pages;
import io.delayjob.support.Checks;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
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

/** Groups the jobs that failed by what failed and where. */
@RestController
@RequestMapping(Pages.PATH)
public final class ErrorsController {

    private static final int MOST_DEAD = 20_000;
    private static final Duration TIME_FOR_DEAD = Duration.ofSeconds(2);
    private static final int MOST_WAITING = 5_000;
    private static final Duration TIME_FOR_WAITING = Duration.ofSeconds(1);

    private final Pages pages;
    private final Looker looker;
    private final AsyncDelayJobAdmin admin;
    private final FaultMarks marks;
    private final Audit audit;

    /** Looks at the jobs of an engine. */
    public ErrorsController(Pages pages, Looker looker, AsyncDelayJobAdmin admin, FaultMarks marks, Audit audit) {
        this.pages = pages;
        this.looker = looker;
        this.admin = admin;
        this.marks = marks;
        this.audit = audit;
    }

    @GetMapping("/errors")
    Mono<ResponseEntity<String>> groups(
            @RequestAttribute(Access.ATTRIBUTE) Access access,
            @RequestParam(required = false) @Nullable String queue,
            @RequestParam(defaultValue = "open") String show,
            ServerWebExchange exchange) {
        access.require(Role.READ);
        String one = Inputs.given(queue);
        return looker.now(access, one)
                .flatMap(look -> Mono.fromFuture(() -> {
                    Faults faults = new Faults();
                    return dead(queues(look, one, ErrorsController::dead), faults)
                            .thenCompose(dead -> waiting(queues(look, one, ErrorsController::waiting), faults)
                                    .thenCombine(
                                            marks.all(),
                                            (waiting, known) ->
                                                    page(look, one, Show.of(show), faults, known, dead, waiting)));
                }))
                .map(page -> pages.show(exchange, page));
    }

    private CompletableFuture<Map<String, Looked>> dead(List<String> queues, Faults faults) {
        return Turns.of(admin, queues, List.of(JobState.DEAD), TimeRange.ANY, faults::add, MOST_DEAD, TIME_FOR_DEAD);
    }

    private CompletableFuture<Map<String, Looked>> waiting(List<String> queues, Faults faults) {
        return Turns.of(
                admin,
                queues,
                List.of(JobState.DELAYED, JobState.READY),
                TimeRange.ANY,
                faults::add,
                MOST_WAITING,
                TIME_FOR_WAITING);
    }

    private static long dead(QueueLook queue) {
        return queue.counts().dead();
    }

    private static long waiting(QueueLook queue) {
        return queue.counts().delayed() + queue.counts().ready();
    }

    /** The queue that was asked for, else those that have such jobs. */
    private static List<String> queues(Look look, @Nullable String one, ToLongFunction<QueueLook> count) {
        return one != null
                ? List.of(one)
                : look.queues().stream()
                        .filter(queue -> count.applyAsLong(queue) > 0)
                        .map(QueueLook::name)
                        .toList();
    }

    /**
     * A queue of which not all jobs were looked at.
     *
     * @param queue the queue
     * @param examined how many were
     * @param all how many there are
     */
    public record Rest(String queue, long examined, long all) {}

    private static List<Rest> rests(Look look, Map<String, Looked> looked, ToLongFunction<QueueLook> count) {
        return look.queues().stream()
                .flatMap(queue -> Stream.ofNullable(looked.get(queue.name()))
                        .filter(its -> !its.all())
                        .map(its -> new Rest(queue.name(), its.examined(), count.applyAsLong(queue))))
                .toList();
    }

    /** Which groups are shown. */
    enum Show {
        OPEN,
        RESOLVED,
        IGNORED;

        static Show of(String name) {
            return Stream.of(values())
                    .filter(show -> show.label().equals(name))
                    .findFirst()
                    .orElseThrow(() -> BadInput.in("show", "choice", "open, resolved, ignored", Checks.shown(name)));
        }

        String label() {
            return name().toLowerCase(Locale.ROOT);
        }

        boolean has(Group group) {
            return this == OPEN
                    ? group.standing().isOpen()
                    : group.standing().name().equals(name());
        }
    }

    /**
     * A choice of groups.
     *
     * @param name its name in addresses
     * @param count how many there are
     */
    public record Tab(String name, long count) {}

    private static Page page(
            Look look,
            @Nullable String queue,
            Show show,
            Faults faults,
            Map<String, Mark> marks,
            Map<String, Looked> dead,
            Map<String, Looked> waiting) {
        List<Group> all = faults.groups().stream()
                .map(group -> group.marked(marks.get(group.name())))
                .toList();
        List<Tab> tabs = Stream.of(Show.values())
                .map(one -> new Tab(one.label(), all.stream().filter(one::has).count()))
                .toList();
        return Page.of("errors")
                .with("groups", all.stream().filter(show::has).toList())
                .with("tabs", tabs)
                .with("show", show.label())
                .with("queue", queue)
                .with("unseen", look.unseen())
                .with("deadRests", rests(look, dead, ErrorsController::dead))
                .with("waitingRests", rests(look, waiting, ErrorsController::waiting))
                .with(
                        "partly",
                        waiting.values().stream()
                                .filter(its -> !its.all())
                                .map(Looked::queue)
                                .toList());
    }

    /** A group is resolved as it was seen: what failed after that brings it back, also if somebody else resolved it meanwhile. */
    @PostMapping("/errors/{decision:resolve|ignore|reopen}")
    Mono<ResponseEntity<String>> decide(
            @RequestAttribute(Access.ATTRIBUTE) Access access,
            @PathVariable String decision,
            ServerWebExchange exchange) {
        access.require(Role.OPERATE);
        return exchange.getFormData().flatMap(form -> {
            String queue = access.require(Inputs.text(form, "queue"), Role.OPERATE);
            String fault = Fault.checked(Inputs.text(form, "fault"));
            Instant died = Inputs.time(form, "died");
            Instant due = Inputs.time(form, "due");
            Mono<Change> decided = Mono.fromFuture(() -> decide(access, decision, queue + " " + fault, died, due));
            return audit.changing(access, decision + "-errors", queue, named(fault, form), decided, change -> change)
                    .map(done -> pages.done(exchange, "/errors?queue=" + queue, decision));
        });
    }

    /** The group as people name it, if the page said so; else by its key. */
    private static String named(String key, MultiValueMap<String, String> form) {
        Fault fault = new Fault(
                Objects.requireNonNullElse(form.getFirst("what"), ""),
                Objects.requireNonNullElse(form.getFirst("place"), ""));
        return fault.key().equals(key) ? fault.text() : key;
    }

    private CompletableFuture<Change> decide(
            Access access, String decision, String group, @Nullable Instant died, @Nullable Instant due) {
        if (decision.equals("reopen")) {
            return marks.remove(group).thenApply(old -> Change.of(shown(old), "OPEN"));
        }
        Decision made = decision.equals("resolve") ? Decision.RESOLVED : Decision.IGNORED;
        return marks.put(group, new Mark(made, access.shown(), Instant.now(), died, due))
                .thenApply(old -> Change.of(shown(old), made.name()));
    }

    private static String shown(Optional<Mark> mark) {
        return mark.map(old -> old.decision() + " by " + old.who()).orElse("OPEN");
    }
}
