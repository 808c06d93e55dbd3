package io.delayjob.server.console.internal.tokens;

import io.delayjob.server.Access;
import io.delayjob.server.Role;
import io.delayjob.server.console.internal.audit.Audit;
import io.delayjob.server.console.internal.audit.Change;
import io.delayjob.server.console.internal.jobs.Inputs;
import io.delayjob.server.console.internal.pages.Page;
import io.delayjob.server.console.internal.pages.Pages;
import io.delayjob.server.tokens.RotateBody;
import io.delayjob.server.tokens.TokenBody;
import io.delayjob.server.tokens.TokenView;
import io.delayjob.server.tokens.Tokens;
import io.delayjob.support.Checks;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** The tokens of the API. A new token is shown once, on the page that answers. */
@RestController
@RequestMapping(Pages.PATH)
public final class TokensPages {

    private static final int MOST_PER_SECOND = 1_000_000;

    private final Pages pages;
    private final Tokens tokens;
    private final Audit audit;

    /** Pages over the services of the server. */
    public TokensPages(Pages pages, Tokens tokens, Audit audit) {
        this.pages = pages;
        this.tokens = tokens;
        this.audit = audit;
    }

    @GetMapping("/tokens")
    Mono<ResponseEntity<String>> list(@RequestAttribute(Access.ATTRIBUTE) Access access, ServerWebExchange exchange) {
        return show(access, exchange, null);
    }

    private Mono<ResponseEntity<String>> show(Access access, ServerWebExchange exchange, @Nullable TokenView made) {
        return tokens.list(access)
                .map(all -> pages.show(
                        exchange,
                        Page.of("tokens")
                                .with("tokens", all)
                                .with("made", made)
                                .with(
                                        "roles",
                                        Arrays.stream(Role.values())
                                                .map(Role::label)
                                                .toList())));
    }

    @PostMapping("/tokens")
    Mono<ResponseEntity<String>> create(@RequestAttribute(Access.ATTRIBUTE) Access access, ServerWebExchange exchange) {
        access.require(Role.ADMIN);
        return exchange.getFormData().flatMap(form -> {
            TokenBody body = body(form);
            return audit.changing(
                            access,
                            "make-token",
                            "",
                            Inputs.text(form, "name"),
                            Mono.defer(() -> tokens.create(access, body)),
                            made -> Change.of("none", shown(made)))
                    .flatMap(made -> show(access, exchange, made));
        });
    }

    private static TokenBody body(MultiValueMap<String, String> form) {
        Duration valid = Inputs.durationIfGiven(form, "valid");
        return new TokenBody(
                Inputs.text(form, "name"),
                roles(form),
                Inputs.words(form, "queues"),
                valid == null ? null : Instant.now().plus(Checks.positive(valid, "valid")),
                Inputs.numberIfGiven(form, "requestsPerSecond", 1, MOST_PER_SECOND),
                null);
    }

    private static Set<Role> roles(MultiValueMap<String, String> form) {
        List<String> names = form.getOrDefault("role", List.of());
        return Arrays.stream(Role.values())
                .filter(role -> names.contains(role.label()))
                .collect(Collectors.toSet());
    }

    @PostMapping("/tokens/rotate")
    Mono<ResponseEntity<String>> rotate(@RequestAttribute(Access.ATTRIBUTE) Access access, ServerWebExchange exchange) {
        access.require(Role.ADMIN);
        return exchange.getFormData().flatMap(form -> {
            String name = Inputs.text(form, "name");
            Duration keep = Inputs.durationIfGiven(form, "keep");
            Mono<TokenView> rotated = Mono.defer(() -> tokens.rotate(access, name, new RotateBody(keep, null, null)));
            return audit.changing(
                            access,
                            "rotate-token",
                            "",
                            name,
                            rotated,
                            made -> new Change(
                                    null, shown(made), "the old one is kept for " + (keep == null ? "0s" : keep)))
                    .flatMap(made -> show(access, exchange, made));
        });
    }

    @PostMapping("/tokens/revoke")
    Mono<ResponseEntity<String>> revoke(@RequestAttribute(Access.ATTRIBUTE) Access access, ServerWebExchange exchange) {
        access.require(Role.ADMIN);
        return exchange.getFormData().flatMap(form -> {
            String name = Inputs.text(form, "name");
            Mono<Boolean> revoked =
                    Mono.defer(() -> tokens.revoke(access, name)).thenReturn(true);
            return audit.changing(access, "revoke-token", "", name, revoked, done -> Change.of("valid", "revoked"))
                    .map(done -> pages.done(exchange, "/tokens", "token-revoked"));
        });
    }

    /** Without the token. */
    static String shown(TokenView token) {
        return token.roles().stream().map(Role::label).sorted().collect(Collectors.joining(", "))
                + " in " + String.join(", ", token.queues())
                + (token.expiresAt() == null ? "" : " until " + token.expiresAt());
    }
}
