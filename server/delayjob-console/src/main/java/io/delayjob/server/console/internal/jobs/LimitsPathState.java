package io.delayjob.server.console.internal.jobs;

import io.delayjob.DelayJobLimits;
import io.delayjob.Limits;
import io.delayjob.server.Access;
import io.delayjob.server.console.internal.audit.PathState;
import io.delayjob.server.queues.QueueLimits;
import java.util.Map;
import reactor.core.publisher.Mono;

/** The limits of a queue, or of a key; a caller that may change them and not look at them is not told. */
public final class LimitsPathState implements PathState {

    private final QueueLimits limits;

    /** Asks for the limits as the caller. */
    public LimitsPathState(QueueLimits limits) {
        this.limits = limits;
    }

    @Override
    public String pattern() {
        return "/queues/{queue}/limits/**";
    }

    @Override
    public Mono<String> of(Map<String, String> variables, Access access) {
        return Mono.justOrEmpty(variables.get("queue"))
                .flatMap(queue -> state(limits, access, queue, variables.getOrDefault("key", "")));
    }

    static Mono<String> state(QueueLimits limits, Access access, String queue, String key) {
        return Mono.defer(() -> limits.find(access, queue)).map(found -> shown(found, key));
    }

    /** The limits of a key; those of the queue if it is empty. */
    static String shown(DelayJobLimits limits, String key) {
        Limits its = key.isEmpty() ? limits.effective() : limits.keys().getOrDefault(key, Limits.NONE);
        return (limits.pausedKeys().contains(key) ? "paused, " : "") + its;
    }
}
