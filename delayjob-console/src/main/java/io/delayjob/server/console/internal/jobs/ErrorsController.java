package io.delayjob.server.console.internal.jobs;

import io.delayjob.AsyncDelayJobAdmin;
import io.delayjob.JobState;
import io.delayjob.server.Role;
import io.delayjob.server.console.internal.jobs.Scan.Place;
import io.delayjob.server.console.internal.look.Look;
import io.delayjob.server.console.internal.look.Looker;
import io.delayjob.server.console.internal.look.QueueLook;
import io.delayjob.server.console.internal.pages.Page;
import io.delayjob.server.console.internal.pages.Pages;
import io.delayjob.server.internal.access.Access;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
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

    private static final Scan.Bound DEAD = new Scan.Bound(1, 20_000, Duration.ofSeconds(2));
    private static final Scan.Bound WAITING = new Scan.Bound(1, 5_000, Duration.ofSeconds(1));

    private final Pages pages;
    private final Looker looker;
    private final AsyncDelayJobAdmin admin;

    /** Looks at the jobs of an engine. */
    public ErrorsController(Pages pages, Looker looker, AsyncDelayJobAdmin admin) {
        this.pages = pages;
        this.looker = looker;
        this.admin = admin;
    }

    @GetMapping("/errors")
    Mono<ResponseEntity<String>> groups(
            @RequestAttribute(Access.ATTRIBUTE) Access access,
            @RequestParam(required = false) @Nullable String queue,
            ServerWebExchange exchange) {
        access.require(Role.READ);
        String one = Inputs.given(queue);
        if (one != null) {
            access.require(one, Role.READ);
        }
        return looker.now()
                .map(look -> look.of(name -> access.isFor(name) && (one == null || one.equals(name))))
                .flatMap(look -> Mono.fromFuture(() -> {
                    Faults faults = new Faults();
                    return scan(
                                    queues(look, one, counts -> counts.counts().dead()),
                                    faults,
                                    List.of(JobState.DEAD),
                                    DEAD)
                            .thenCompose(dead -> scan(
                                            queues(
                                                    look,
                                                    one,
                                                    counts -> counts.counts().delayed()
                                                            + counts.counts().ready()),
                                            faults,
                                            List.of(JobState.DELAYED, JobState.READY),
                                            WAITING)
                                    .thenApply(waiting -> page(look, one, faults, dead.examined())));
                }))
                .map(page -> pages.show(exchange, page));
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

    private CompletableFuture<Scan.Found> scan(
            List<String> queues, Faults faults, List<JobState> states, Scan.Bound bound) {
        return Scan.of(
                admin,
                queues,
                states,
                null,
                job -> {
                    faults.add(job);
                    return false;
                },
                bound,
                Place.BEGIN);
    }

    private static Page page(Look look, @Nullable String queue, Faults faults, long examined) {
        return Page.of("errors")
                .with("groups", faults.groups())
                .with("queue", queue)
                .with("queues", look.queues().stream().map(QueueLook::name).toList())
                .with("examined", examined)
                .with("dead", look.dead());
    }
}
