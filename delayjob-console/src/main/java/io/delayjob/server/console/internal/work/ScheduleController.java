package io.delayjob.server.console.internal.work;

import io.delayjob.AsyncDelayJobAdmin;
import io.delayjob.JobSnapshot;
import io.delayjob.JobState;
import io.delayjob.server.Access;
import io.delayjob.server.Role;
import io.delayjob.server.console.internal.jobs.Scan;
import io.delayjob.server.console.internal.jobs.Scan.Place;
import io.delayjob.server.console.internal.look.Chart;
import io.delayjob.server.console.internal.look.Look;
import io.delayjob.server.console.internal.look.Looker;
import io.delayjob.server.console.internal.look.QueueLook;
import io.delayjob.server.console.internal.pages.Page;
import io.delayjob.server.console.internal.pages.Pages;
import io.delayjob.support.Checks;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** How many jobs become due when, queue by queue, within the next hour, day or month. */
@RestController
@RequestMapping(Pages.PATH)
public final class ScheduleController {

    private static final Scan.Bound BOUND = new Scan.Bound(1, 50_000, Duration.ofSeconds(3));

    private final Pages pages;
    private final Looker looker;
    private final AsyncDelayJobAdmin admin;

    /** Looks at the jobs of an engine. */
    public ScheduleController(Pages pages, Looker looker, AsyncDelayJobAdmin admin) {
        this.pages = pages;
        this.looker = looker;
        this.admin = admin;
    }

    /** How far is looked ahead. */
    public enum Span {
        /** Minute by minute. */
        HOUR(Duration.ofMinutes(1), 60),
        /** Half an hour by half an hour. */
        DAY(Duration.ofMinutes(30), 48),
        /** Day by day. */
        MONTH(Duration.ofDays(1), 30);

        private final long stepMillis;
        private final int steps;

        Span(Duration step, int steps) {
            this.stepMillis = step.toMillis();
            this.steps = steps;
        }

        /** Its name in addresses. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }

        static Span of(String name) {
            return Stream.of(values())
                    .filter(span -> span.label().equals(name))
                    .findFirst()
                    .orElseThrow(() ->
                            new IllegalArgumentException("next must be hour, day or month: " + Checks.shown(name)));
        }
    }

    /**
     * The jobs that become due in a queue, counted.
     *
     * @param queue the queue; empty for all queues together
     * @param within how many jobs within the time that is looked ahead
     * @param later how many later
     * @param most how many in the busiest part of that time
     * @param chart how many in each part
     */
    public record Coming(String queue, long within, long later, long most, Chart chart) {}

    private static final class Counting {

        private final double[] parts;
        private long later;

        Counting(int parts) {
            this.parts = new double[parts];
        }

        void add(long part) {
            if (part >= parts.length) {
                later++;
            } else {
                parts[(int) Math.max(0, part)]++;
            }
        }

        Coming coming(String queue, int width, int height) {
            return new Coming(
                    queue,
                    (long) Arrays.stream(parts).sum(),
                    later,
                    (long) Arrays.stream(parts).max().orElse(0),
                    Chart.of(parts, width, height));
        }
    }

    @GetMapping("/schedule")
    Mono<ResponseEntity<String>> show(
            @RequestAttribute(Access.ATTRIBUTE) Access access,
            @RequestParam(defaultValue = "hour") String next,
            ServerWebExchange exchange) {
        access.require(Role.READ);
        Span span = Span.of(next);
        return looker.now(access.grant())
                .flatMap(look -> Mono.fromFuture(() -> {
                    long now = Instant.now().toEpochMilli();
                    Counting all = new Counting(span.steps);
                    Map<String, Counting> queues = new TreeMap<>();
                    return Scan.of(
                                    admin,
                                    delayed(look),
                                    List.of(JobState.DELAYED),
                                    null,
                                    job -> count(job, (due(job, now) - now) / span.stepMillis, all, queues, span),
                                    BOUND,
                                    Place.BEGIN)
                            .thenApply(found -> page(look, span, all, queues, found.examined(), found.next() != null));
                }))
                .map(page -> pages.show(exchange, page));
    }

    private static long due(JobSnapshot job, long now) {
        return job.dueAt() == null ? now : job.dueAt().toEpochMilli();
    }

    private static boolean count(JobSnapshot job, long part, Counting all, Map<String, Counting> queues, Span span) {
        all.add(part);
        queues.computeIfAbsent(job.queue(), name -> new Counting(span.steps)).add(part);
        return false;
    }

    private static List<String> delayed(Look look) {
        return look.queues().stream()
                .filter(queue -> queue.counts().delayed() > 0)
                .map(QueueLook::name)
                .toList();
    }

    private static Page page(
            Look look, Span span, Counting all, Map<String, Counting> queues, long examined, boolean partial) {
        return Page.of("schedule")
                .with("all", all.coming("", 720, 90))
                .with(
                        "queues",
                        queues.entrySet().stream()
                                .map(entry -> entry.getValue().coming(entry.getKey(), 120, 24))
                                .toList())
                .with("spans", Stream.of(Span.values()).map(Span::label).toList())
                .with("span", span.label())
                .with("examined", examined)
                .with("delayed", look.delayed())
                .with("partial", partial);
    }
}
