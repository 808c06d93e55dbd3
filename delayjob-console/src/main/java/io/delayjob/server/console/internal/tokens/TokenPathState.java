package io.delayjob.server.console.internal.tokens;

import io.delayjob.server.console.internal.audit.PathState;
import io.delayjob.server.internal.access.Access;
import io.delayjob.server.internal.access.TokensController;
import io.delayjob.server.internal.access.TokensController.TokensView;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.springframework.web.util.UriUtils;
import reactor.core.publisher.Mono;

/** What the tokens of a name may do, without the tokens. */
public final class TokenPathState implements PathState {

    private static final Pattern NAME = Pattern.compile("DELETE /tokens/([^/]+)|POST /tokens/([^/]+)/rotate");

    private final TokensController tokens;

    /** Asks the routes of the API. */
    public TokenPathState(TokensController tokens) {
        this.tokens = tokens;
    }

    @Override
    public Optional<Mono<String>> of(String route, Access access) {
        Matcher name = NAME.matcher(route);
        return name.matches()
                ? Optional.of(state(name.group(1) == null ? name.group(2) : name.group(1), access))
                : Optional.empty();
    }

    private Mono<String> state(String name, Access access) {
        String decoded = UriUtils.decode(name, StandardCharsets.UTF_8);
        return Mono.defer(() -> tokens.list(access)).map(all -> shown(all, decoded));
    }

    private static String shown(TokensView all, String name) {
        String tokens = all.tokens().stream()
                .filter(token -> token.name().equals(name))
                .map(TokensPages::shown)
                .collect(Collectors.joining("; "));
        return tokens.isEmpty() ? "none" : tokens;
    }
}
