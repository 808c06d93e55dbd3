package io.delayjob.server.console.internal.audit;

import io.delayjob.AsyncDelayJobAdmin;
import io.delayjob.JobSnapshot;
import io.delayjob.QueueCounts;
import io.delayjob.server.internal.access.Access;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.web.util.UriUtils;
import reactor.core.publisher.Mono;

/** How a job is, or a queue. */
public final class QueuePathState implements PathState {

    private static final Pattern JOB = Pattern.compile(
            "DELETE /queues/([^/]+)/jobs/([^/]+)|POST /queues/([^/]+)/jobs/([^/]+)/(?:reschedule|run-now|redrive|purge)");
    private static final Pattern QUEUE =
            Pattern.compile("POST /queues/([^/]+)/(?:pause|resume|redrive|purge|jobs/actions)");

    private final AsyncDelayJobAdmin admin;

    /** Asks Redis. */
    public QueuePathState(AsyncDelayJobAdmin admin) {
        this.admin = admin;
    }

    @Override
    public Optional<Mono<String>> of(String route, Access access) {
        Matcher job = JOB.matcher(route);
        if (job.matches()) {
            int first = job.group(1) == null ? 3 : 1;
            return Optional.of(job(decoded(job.group(first)), decoded(job.group(first + 1))));
        }
        Matcher queue = QUEUE.matcher(route);
        return queue.matches() ? Optional.of(queue(decoded(queue.group(1)))) : Optional.empty();
    }

    private static String decoded(String part) {
        return UriUtils.decode(part, StandardCharsets.UTF_8);
    }

    private Mono<String> job(String queue, String id) {
        return Mono.fromFuture(() -> admin.find(queue, id))
                .map(found -> found.map(QueuePathState::shown).orElse("no such job"));
    }

    private static String shown(JobSnapshot job) {
        return job.state() + (job.dueAt() == null ? "" : ", due " + job.dueAt());
    }

    private Mono<String> queue(String queue) {
        return Mono.fromFuture(() -> admin.counts(queue)).map(QueuePathState::shown);
    }

    private static String shown(QueueCounts counts) {
        return "%s%d waiting, %d running, %d dead"
                .formatted(
                        counts.paused() ? "paused, " : "",
                        counts.delayed() + counts.ready(),
                        counts.reserved(),
                        counts.dead());
    }
}
