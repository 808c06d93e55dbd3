package io.delayjob.server.console.internal.tokens;

import io.delayjob.server.Access;
import io.delayjob.server.console.internal.audit.PathState;
import io.delayjob.server.internal.access.TokensController;
import io.delayjob.server.internal.access.TokensController.TokensView;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import reactor.core.publisher.Mono;

/** The roles, queues and expiry of the tokens with a name, for the audit; without the tokens themselves. */
public final class TokenPathState implements PathState {

    private final TokensController tokens;

    /** Asks the routes of the API. */
    public TokenPathState(TokensController tokens) {
        this.tokens = tokens;
    }

    @Override
    public Optional<Mono<String>> of(Map<String, String> variables, Access access) {
        return Optional.ofNullable(variables.get("name")).map(name -> state(name, access));
    }

    private Mono<String> state(String name, Access access) {
        return Mono.defer(() -> tokens.list(access)).map(all -> shown(all, name));
    }

    private static String shown(TokensView all, String name) {
        String tokens = all.tokens().stream()
                .filter(token -> token.name().equals(name))
                .map(TokensPages::shown)
                .collect(Collectors.joining("; "));
        return tokens.isEmpty() ? "none" : tokens;
    }
}
