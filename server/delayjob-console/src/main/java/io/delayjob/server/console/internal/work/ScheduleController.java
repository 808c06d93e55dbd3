package io.delayjob.server.console.internal.work;

import io.delayjob.AsyncDelayJobAdmin;
import io.delayjob.JobSnapshot;
import io.delayjob.JobState;
import io.delayjob.TimeRange;
import io.delayjob.server.Access;
import io.delayjob.server.Role;
import io.delayjob.server.console.internal.jobs.Inputs;
import io.delayjob.server.console.internal.jobs.Turns;
import io.delayjob.server.console.internal.jobs.Turns.Looked;
import io.delayjob.server.console.internal.look.Chart;
import io.delayjob.server.console.internal.look.Look;
import io.delayjob.server.console.internal.look.Looker;
import io.delayjob.server.console.internal.look.Plot;
import io.delayjob.server.console.internal.look.QueueLook;
import io.delayjob.server.console.internal.pages.BadInput;
import io.delayjob.server.console.internal.pages.Page;
import io.delayjob.server.console.internal.pages.Pages;
import io.delayjob.support.Checks;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
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

    private static final int MOST = 50_000;
    private static final Duration TIME = Duration.ofSeconds(3);

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
        HOUR(Duration.ofMinutes(1), 60, 4),
        /** Half an hour by half an hour. */
        DAY(Duration.ofMinutes(30), 48, 4),
        /** Day by day. */
        MONTH(Duration.ofDays(1), 30, 3);

        private final long stepMillis;
        private final int steps;
        private final int parts;

        Span(Duration step, int steps, int parts) {
            this.stepMillis = step.toMillis();
            this.steps = steps;
            this.parts = parts;
        }

        private Duration length() {
            return Duration.ofMillis(stepMillis * steps);
        }

        /** Its name in addresses. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }

        static Span of(String name) {
            return Stream.of(values())
                    .filter(span -> span.label().equals(name))
                    .findFirst()
                    .orElseThrow(() -> BadInput.in("next", "choice", "hour, day, month", Checks.shown(name)));
        }
    }

    /**
     * The jobs that become due in a queue, counted.
     *
     * @param queue the queue
     * @param within how many jobs within the time that is looked ahead
     * @param later how many later; null if that is not known, because not all jobs within that time were looked at
     * @param most how many in the busiest part of that time
     * @param chart how many in each part
     */
    public record Coming(
            String queue, long within, @Nullable Long later, long most, Chart chart) {}

    private static final class Counting {

        private final double[] parts;

        Counting(int parts) {
            this.parts = new double[parts];
        }

        void add(long part) {
            parts[(int) Math.max(0, Math.min(parts.length - 1, part))]++;
        }

        long within() {
            return (long) Arrays.stream(parts).sum();
        }

        Coming coming(String queue, @Nullable Long later) {
            return new Coming(
                    queue, within(), later, (long) Arrays.stream(parts).max().orElse(0), Chart.of(parts, 120, 24));
        }
    }

    @GetMapping("/schedule")
    Mono<ResponseEntity<String>> show(
            @RequestAttribute(Access.ATTRIBUTE) Access access,
            @RequestParam(defaultValue = "hour") String next,
            @RequestParam(defaultValue = "") String queue,
            ServerWebExchange exchange) {
        access.require(Role.READ);
        Span span = Span.of(next);
        return looker.now(access, Inputs.given(queue))
                .flatMap(look -> Mono.fromFuture(() -> count(look, span)))
                .map(page -> pages.show(exchange, page.with("queue", queue)));
    }

    /** Only jobs that become due within the time are looked at. */
    private CompletableFuture<Page> count(Look look, Span span) {
        Instant now = Instant.now();
        Counting all = new Counting(span.steps);
        Map<String, Counting> queues = new HashMap<>();
        return Turns.of(
                        admin,
                        delayed(look).stream().map(QueueLook::name).toList(),
                        List.of(JobState.DELAYED),
                        new TimeRange(null, now.plus(span.length())),
                        job -> {
                            long part = part(job, now, span);
                            all.add(part);
                            queues.computeIfAbsent(job.queue(), name -> new Counting(span.steps))
                                    .add(part);
                        },
                        MOST,
                        TIME)
                .thenApply(looked -> page(look, span, all, queues, looked));
    }

    private static long part(JobSnapshot job, Instant now, Span span) {
        Instant due = job.dueAt();
        return due == null ? 0 : Duration.between(now, due).toMillis() / span.stepMillis;
    }

    private static List<QueueLook> delayed(Look look) {
        return look.queues().stream()
                .filter(queue -> queue.counts().delayed() > 0)
                .toList();
    }

    private static Page page(
            Look look, Span span, Counting all, Map<String, Counting> queues, Map<String, Looked> looked) {
        return Page.of("schedule")
                .with("all", Plot.ahead(span.length(), span.parts, all.parts))
                .with(
                        "queues",
                        delayed(look).stream()
                                .map(queue -> coming(
                                        queue,
                                        queues.getOrDefault(queue.name(), new Counting(span.steps)),
                                        looked.getOrDefault(queue.name(), Looked.nothing(queue.name()))))
                                .toList())
                .with("unseen", look.unseen())
                .with("spans", Stream.of(Span.values()).map(Span::label).toList())
                .with("span", span.label());
    }

    private static Coming coming(QueueLook queue, Counting counted, Looked looked) {
        long later = Math.max(0, queue.counts().delayed() - counted.within());
        return counted.coming(queue.name(), looked.all() ? later : null);
    }
}
