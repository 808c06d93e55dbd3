package io.delayjob.server.console.internal.audit;

import io.delayjob.AsyncDelayJobAdmin;
import io.delayjob.JobSnapshot;
import io.delayjob.QueueCounts;
import io.delayjob.server.Access;
import java.util.Map;
import reactor.core.publisher.Mono;

/** How a job is, or a queue. */
public final class QueuePathState implements PathState {

    private final AsyncDelayJobAdmin admin;

    /** Asks Redis. */
    public QueuePathState(AsyncDelayJobAdmin admin) {
        this.admin = admin;
    }

    @Override
    public String pattern() {
        return "/queues/**";
    }

    @Override
    public Mono<String> of(Map<String, String> variables, Access access) {
        String id = variables.get("id");
        return Mono.justOrEmpty(variables.get("queue")).flatMap(queue -> id == null ? queue(queue) : job(queue, id));
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
