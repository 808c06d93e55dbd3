package io.delayjob.server.console.internal.work;

import io.delayjob.AsyncDelayJobAdmin;
import io.delayjob.JobSnapshot;
import io.delayjob.JobState;
import io.delayjob.server.Access;
import io.delayjob.server.Role;
import io.delayjob.server.console.internal.jobs.Scan;
import io.delayjob.server.console.internal.jobs.Scan.Found;
import io.delayjob.server.console.internal.jobs.Scan.Place;
import io.delayjob.server.console.internal.look.Look;
import io.delayjob.server.console.internal.look.Looker;
import io.delayjob.server.console.internal.look.NodeLook;
import io.delayjob.server.console.internal.look.QueueLook;
import io.delayjob.server.console.internal.pages.Page;
import io.delayjob.server.console.internal.pages.Pages;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** The nodes and workers, what each runs now, since when, and until when its leases last. */
@RestController("delayJobConsoleNodes")
@RequestMapping(Pages.PATH)
public final class NodesController {

    private static final Scan.Bound BOUND = new Scan.Bound(2000, 2000, Duration.ofSeconds(2));
    private static final int SHOWN = 50;

    private final Pages pages;
    private final Looker looker;
    private final AsyncDelayJobAdmin admin;

    /** Looks at the jobs of an engine. */
    public NodesController(Pages pages, Looker looker, AsyncDelayJobAdmin admin) {
        this.pages = pages;
        this.looker = looker;
        this.admin = admin;
    }

    /**
     * A node or worker that has jobs, or could have some.
     *
     * @param name its name
     * @param node the node as it reported itself; null for a worker elsewhere, which does not report
     * @param leases how many jobs it has
     * @param jobs the first of them, the longest running first
     */
    public record Holder(String name, @Nullable NodeLook node, int leases, List<Held> jobs) {}

    /**
     * A job that a node or worker has.
     *
     * @param queue its queue
     * @param id its id
     * @param topic its topic, or the name of its handler; null if its record cannot be read
     * @param attempt the attempt
     * @param since when it began
     * @param leaseEndsAt when its lease ends unless it is renewed
     */
    public record Held(
            String queue,
            String id,
            @Nullable String topic,
            int attempt,
            @Nullable Instant since,
            @Nullable Instant leaseEndsAt) {

        static Held of(JobSnapshot job) {
            return new Held(job.queue(), job.id(), job.job(), job.attempt(), job.startedAt(), job.leaseExpiresAt());
        }

        /** Where its page is. */
        public String link() {
            return "/job?queue=" + queue + "&id=" + Pages.encoded(id);
        }
    }

    @GetMapping("/nodes")
    Mono<ResponseEntity<String>> show(@RequestAttribute(Access.ATTRIBUTE) Access access, ServerWebExchange exchange) {
        access.require(Role.READ);
        return looker.now(access, null)
                .flatMap(look -> Mono.fromFuture(() -> Scan.of(
                                admin,
                                running(look),
                                List.of(JobState.RESERVED),
                                null,
                                job -> true,
                                BOUND,
                                Place.BEGIN))
                        .map(found -> pages.show(exchange, page(look, found))));
    }

    private static List<String> running(Look look) {
        return look.queues().stream()
                .filter(queue -> queue.counts().reserved() > 0)
                .map(QueueLook::name)
                .toList();
    }

    private static Page page(Look look, Found found) {
        return Page.of("nodes")
                .with("holders", holders(look, found.jobs()))
                .with("examined", found.examined())
                .with("reserved", look.reserved())
                .with("unseen", look.unseen())
                .with("partial", found.next() != null);
    }

    private static List<Holder> holders(Look look, List<JobSnapshot> jobs) {
        Map<String, List<JobSnapshot>> held = jobs.stream()
                .collect(Collectors.groupingBy(
                        job -> Objects.requireNonNullElse(job.node(), "?"), TreeMap::new, Collectors.toList()));
        Map<String, Holder> holders = new TreeMap<>();
        look.nodes()
                .forEach(node ->
                        holders.put(node.name(), holder(node.name(), node, held.getOrDefault(node.name(), List.of()))));
        held.forEach((name, its) -> holders.computeIfAbsent(name, unknown -> holder(unknown, null, its)));
        return List.copyOf(holders.values());
    }

    private static Holder holder(String name, @Nullable NodeLook node, List<JobSnapshot> jobs) {
        List<Held> first = jobs.stream()
                .map(Held::of)
                .sorted(Comparator.comparing(Held::since, Comparator.nullsLast(Comparator.naturalOrder())))
                .limit(SHOWN)
                .toList();
        return new Holder(name, node, jobs.size(), first);
    }
}
