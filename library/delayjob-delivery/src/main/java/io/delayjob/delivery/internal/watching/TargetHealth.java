package io.delayjob.delivery.internal.watching;

import io.delayjob.delivery.BindingStatus;
import io.delayjob.delivery.BindingStatus.State;
import io.delayjob.delivery.DelayJobTargets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Shows which targets get nothing now, and why. The node is UP all the same: a target that does not work is no reason to take from a node its
 * other work.
 */
public final class TargetHealth extends AbstractHealthIndicator {

    private static final int MOST_SHOWN = 20;

    private final DelayJobTargets targets;

    public TargetHealth(DelayJobTargets targets) {
        super("the targets' health check failed");
        this.targets = targets;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        Map<String, Integer> states = new LinkedHashMap<>();
        Map<String, String> waiting = new LinkedHashMap<>();
        for (BindingStatus status : targets.list()) {
            states.merge(status.state().name(), 1, Integer::sum);
            if (status.state() != State.OPEN && waiting.size() < MOST_SHOWN) {
                waiting.put(status.binding().topic(), status.state() + ": " + status.reason());
            }
        }
        builder.up().withDetail("targets", states);
        if (!waiting.isEmpty()) {
            builder.withDetail("waiting", waiting);
        }
    }
}
