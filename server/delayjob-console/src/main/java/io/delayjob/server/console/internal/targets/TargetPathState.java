package io.delayjob.server.console.internal.targets;

import io.delayjob.server.Access;
import io.delayjob.server.console.internal.audit.PathState;
import io.delayjob.server.targets.Targets;
import java.util.Map;
import org.springframework.web.ErrorResponseException;
import reactor.core.publisher.Mono;

/** How a topic is bound; a caller that may change it and not look at it is not told. */
public final class TargetPathState implements PathState {

    private final Targets targets;

    /** Asks for the topics as the caller. */
    public TargetPathState(Targets targets) {
        this.targets = targets;
    }

    @Override
    public String pattern() {
        return "/targets/**";
    }

    @Override
    public Mono<String> of(Map<String, String> variables, Access access) {
        return Mono.justOrEmpty(variables.get("topic")).flatMap(topic -> state(topic, access));
    }

    private Mono<String> state(String topic, Access access) {
        return Mono.defer(() -> targets.find(access, topic))
                .map(TargetsPages::shown)
                .onErrorResume(
                        ErrorResponseException.class,
                        refused -> refused.getStatusCode().value() == 404 ? Mono.just("not bound") : Mono.empty());
    }
}
