package io.delayjob.server.console.internal.tokens;

import io.delayjob.server.Access;
import io.delayjob.server.console.internal.audit.PathState;
import io.delayjob.server.tokens.TokenView;
import io.delayjob.server.tokens.Tokens;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import reactor.core.publisher.Mono;

/** The roles, queues and expiry of the tokens with a name, for the audit; without the tokens themselves. */
public final class TokenPathState implements PathState {

    private final Tokens tokens;

    /** Asks for the tokens as the caller. */
    public TokenPathState(Tokens tokens) {
        this.tokens = tokens;
    }

    @Override
    public String pattern() {
        return "/tokens/**";
    }

    @Override
    public Mono<String> of(Map<String, String> variables, Access access) {
        return Mono.justOrEmpty(variables.get("name")).flatMap(name -> state(name, access));
    }

    private Mono<String> state(String name, Access access) {
        return Mono.defer(() -> tokens.list(access)).map(all -> shown(all, name));
    }

    private static String shown(List<TokenView> all, String name) {
        String tokens = all.stream()
                .filter(token -> token.name().equals(name))
                .map(TokensPages::shown)
                .collect(Collectors.joining("; "));
        return tokens.isEmpty() ? "none" : tokens;
    }
}
