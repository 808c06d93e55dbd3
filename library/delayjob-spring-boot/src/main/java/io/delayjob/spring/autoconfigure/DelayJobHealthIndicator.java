package io.delayjob.spring.autoconfigure;

import io.delayjob.engine.DelayJobEngine;
import io.delayjob.engine.ledger.Tally;
import io.delayjob.engine.settings.EngineSettings;
import io.delayjob.engine.telemetry.ClaimVitals;
import io.delayjob.engine.telemetry.Vitals;
import io.delayjob.spring.autoconfigure.DelayJobHealthProperties.WhilePaused;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

/**
 * Reports whether this node can do its work: Redis answers, the threads that take jobs are alive, it learns of due jobs for the claims
 * of workers elsewhere, and no queue is too far behind.
 * On a node that consumes no queue: whether Redis answers.
 */
final class DelayJobHealthIndicator extends AbstractHealthIndicator {

    /** Worst first. */
    private static final List<Status> ORDER = List.of(Status.DOWN, Status.OUT_OF_SERVICE, Status.UP);

    private final DelayJobEngine engine;
    private final EngineSettings settings;
    private final QueueLooks jobs;
    private final QueueLooks redis;
    private final DelayJobHealthProperties properties;

    DelayJobHealthIndicator(DelayJobEngine engine, EngineSettings settings, DelayJobHealthProperties properties) {
        super("delayjob's health check failed");
        this.engine = engine;
        this.settings = settings;
        this.jobs = QueueLooks.atJobs(engine);
        this.redis = QueueLooks.atRedis(engine);
        this.properties = properties;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        Map<String, Object> details = new LinkedHashMap<>();
        List<Status> statuses = new ArrayList<>();
        for (QueueLook look : look()) {
            List<String> faults = faults(look);
            statuses.add(faults.isEmpty() ? unlessPaused(look) : Status.DOWN);
            details.put(look.queue(), details(look, faults));
        }
        ClaimVitals claims = engine.claimVitals();
        statuses.add(claims.faults().isEmpty() ? Status.UP : Status.DOWN);
        builder.status(statuses.stream()
                        .min(Comparator.comparing(ORDER::indexOf))
                        .orElse(Status.UP))
                .withDetail("node", settings.node())
                .withDetail("queues", details);
        if (claims.queues() > 0) {
            builder.withDetail("claims", details(claims));
        }
    }

    private List<QueueLook> look() {
        Set<String> consumed = engine.consumedQueues();
        return consumed.isEmpty()
                ? redis.look(Set.of(settings.queues().defaultQueue()), properties.timeout())
                : jobs.look(consumed, properties.timeout());
    }

    private List<String> faults(QueueLook look) {
        List<String> faults = new ArrayList<>(engine.faults(look.queue()));
        Tally tally = look.tally();
        if (look.failure() != null) {
            faults.add("Redis: " + look.failure());
        } else if (tally != null && isTooFarBehind(tally)) {
            faults.add("a job has waited for a worker for " + overdue(tally)
                    + ", longer than delayjob.health.max-overdue=" + properties.maxOverdue() + unhandled(tally));
        }
        return faults;
    }

    /** A paused queue is never too far behind: its jobs are meant to wait. */
    private boolean isTooFarBehind(Tally tally) {
        return !tally.counts().paused()
                && !properties.maxOverdue().isZero()
                && overdue(tally).compareTo(properties.maxOverdue()) > 0;
    }

    private static String unhandled(Tally tally) {
        return tally.unhandled().isEmpty()
                ? ""
                : "; no live node has a handler for "
                        + String.join(", ", tally.unhandled().keySet());
    }

    private static Duration overdue(Tally tally) {
        return Duration.ofMillis(tally.overdueMillis());
    }

    private Status unlessPaused(QueueLook look) {
        boolean paused = look.tally() != null && look.tally().counts().paused();
        return paused && properties.whilePaused() == WhilePaused.OUT_OF_SERVICE ? Status.OUT_OF_SERVICE : Status.UP;
    }

    /** Not each queue, because their names come from outside. */
    private static Map<String, Object> details(ClaimVitals claims) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("queues", claims.queues());
        details.put("waiting", claims.waiting());
        if (!claims.faults().isEmpty()) {
            details.put("faults", claims.faults());
        }
        return details;
    }

    private Map<String, Object> details(QueueLook look, List<String> faults) {
        Map<String, Object> details = new LinkedHashMap<>();
        Tally tally = look.tally();
        if (tally != null) {
            details.put("ready", tally.counts().ready());
            details.put("reserved", tally.counts().reserved());
            details.put("overdue", overdue(tally));
            details.put("paused", tally.counts().paused());
            if (!tally.unhandled().isEmpty()) {
                details.put("unhandled", tally.unhandled());
            }
        }
        Optional<Vitals> vitals = engine.vitals(look.queue());
        details.put("consumed", vitals.isPresent());
        vitals.ifPresent(here -> {
            details.put("workers", here.workers());
            details.put("free", here.free());
            if (here.replaced() > 0) {
                details.put("dataReplaced", here.replaced());
            }
        });
        if (!faults.isEmpty()) {
            details.put("faults", faults);
        }
        return details;
    }
}
