package io.delayjob.server.console.internal.jobs;

import io.delayjob.AsyncDelayJobAdmin;
import io.delayjob.JobSnapshot;
import io.delayjob.JobState;
import io.delayjob.TimeRange;
import io.delayjob.server.Access;
import io.delayjob.server.Role;
import io.delayjob.server.console.internal.jobs.FaultMarks.Mark;
import io.delayjob.server.console.internal.jobs.Faults.Group;
import io.delayjob.server.console.internal.jobs.Turns.Looked;
import io.delayjob.server.console.internal.look.Plot;
import io.delayjob.server.console.internal.pages.Page;
import io.delayjob.server.console.internal.pages.Pages;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** The page of a group of jobs that failed for the same reason: when they died, of which topics they are, and the latest of them. */
@RestController
@RequestMapping(Pages.PATH)
public final class GroupController {

    private static final List<JobState> FAILED = List.of(JobState.DEAD, JobState.DELAYED, JobState.READY);
    private static final int MOST = 50_000;
    private static final Duration TIME = Duration.ofSeconds(3);
    private static final int LISTED = 50;

    /** Nodes that a page names, those with the most jobs. */
    private static final int NODES = 10;

    private final Pages pages;
    private final AsyncDelayJobAdmin admin;
    private final FaultMarks marks;

    /** Looks at the jobs of an engine. */
    public GroupController(Pages pages, AsyncDelayJobAdmin admin, FaultMarks marks) {
        this.pages = pages;
        this.admin = admin;
        this.marks = marks;
    }

    @GetMapping("/errors/group")
    Mono<ResponseEntity<String>> show(
            @RequestAttribute(Access.ATTRIBUTE) Access access,
            @RequestParam String queue,
            @RequestParam String fault,
            ServerWebExchange exchange) {
        access.require(queue, Role.READ);
        Members members = new Members(Fault.checked(fault));
        return Mono.fromFuture(() -> Turns.of(admin, List.of(queue), FAILED, TimeRange.ANY, members::add, MOST, TIME)
                        .thenCombine(marks.all(), (looked, known) -> members.page(queue, looked, known)))
                .map(page -> pages.show(exchange, page));
    }

    /** The jobs of a group, as they are found. Used by one thread at a time. */
    private static final class Members {

        private static final Comparator<JobSnapshot> LATEST_LAST =
                Comparator.comparing(Members::failedAt, Comparator.nullsFirst(Comparator.naturalOrder()));

        private final String key;
        private final Faults faults = new Faults();
        private final Map<String, Long> topics = new TreeMap<>();
        private final Map<String, Long> nodes = new TreeMap<>();
        private final PriorityQueue<JobSnapshot> latest = new PriorityQueue<>(LATEST_LAST);

        Members(String key) {
            this.key = key;
        }

        void add(JobSnapshot job) {
            if (!Fault.isOf(job.lastError(), key)) {
                return;
            }
            faults.add(job);
            topics.merge(Objects.requireNonNullElse(job.job(), "–"), 1L, Long::sum);
            if (job.node() != null) {
                nodes.merge(job.node(), 1L, Long::sum);
            }
            latest.add(job);
            if (latest.size() > LISTED) {
                latest.remove();
            }
        }

        private static @Nullable Instant failedAt(JobSnapshot job) {
            return job.diedAt() == null ? job.dueAt() : job.diedAt();
        }

        Page page(String queue, Map<String, Looked> looked, Map<String, Mark> known) {
            Page page = Page.of("group")
                    .with("queue", queue)
                    .with(
                            "rest",
                            looked.values().stream()
                                    .filter(its -> !its.all())
                                    .findFirst()
                                    .orElse(null));
            List<Group> found = faults.groups();
            if (found.isEmpty()) {
                return page.with("one", null);
            }
            Group group = found.get(0);
            List<JobSnapshot> jobs =
                    latest.stream().sorted(LATEST_LAST.reversed()).toList();
            return page.with("one", group.marked(known.get(group.name())))
                    .with("deaths", Plot.past("died", Instant.now(), faults.deaths(group)))
                    .with("topics", topics)
                    .with(
                            "nodes",
                            nodes.entrySet().stream()
                                    .sorted(Map.Entry.<String, Long>comparingByValue()
                                            .reversed())
                                    .limit(NODES)
                                    .toList())
                    .with("moreNodes", Math.max(0, nodes.size() - NODES))
                    .with("error", jobs.get(0).lastError())
                    .with("jobs", jobs.stream().map(JobRow::of).toList())
                    .with("listed", LISTED);
        }
    }
}
