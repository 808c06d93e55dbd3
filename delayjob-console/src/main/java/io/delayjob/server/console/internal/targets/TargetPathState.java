package io.delayjob.server.console.internal.targets;

import io.delayjob.server.console.internal.audit.PathState;
import io.delayjob.server.internal.access.Access;
import io.delayjob.server.internal.targets.TargetsController;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.web.ErrorResponseException;
import org.springframework.web.util.UriUtils;
import reactor.core.publisher.Mono;

/** How a topic is bound; a caller that may change it and not look at it is not told. */
public final class TargetPathState implements PathState {

    private static final Pattern TOPIC =
            Pattern.compile("(?:PUT|DELETE) /targets/([^/]+)|POST /targets/([^/]+)/(?:pause|resume)");

    private final TargetsController targets;

    /** Asks the routes of the API. */
    public TargetPathState(TargetsController targets) {
        this.targets = targets;
    }

    @Override
    public Optional<Mono<String>> of(String route, Access access) {
        Matcher topic = TOPIC.matcher(route);
        return topic.matches()
                ? Optional.of(state(topic.group(1) == null ? topic.group(2) : topic.group(1), access))
                : Optional.empty();
    }

    private Mono<String> state(String topic, Access access) {
        return Mono.defer(() -> targets.findTarget(access, UriUtils.decode(topic, StandardCharsets.UTF_8)))
                .map(TargetsPages::shown)
                .onErrorResume(
                        ErrorResponseException.class,
                        refused -> refused.getStatusCode().value() == 404 ? Mono.just("not bound") : Mono.empty());
    }
}
