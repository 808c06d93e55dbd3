package io.delayjob.server.internal.tokens;

import io.delayjob.server.Access;
import io.delayjob.server.internal.web.ApiController;
import io.delayjob.server.tokens.RotateBody;
import io.delayjob.server.tokens.TokenBody;
import io.delayjob.server.tokens.TokenView;
import io.delayjob.server.tokens.Tokens;
import io.delayjob.server.web.View;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import reactor.core.publisher.Mono;

/** Makes, lists, rotates and revokes tokens. */
@ApiController
@RequestMapping("/tokens")
public final class TokensController {

    private final Tokens tokens;

    /** All tokens. */
    public record TokensView(List<TokenView> tokens) implements View {}

    /** Routes over the tokens. */
    public TokensController(Tokens tokens) {
        this.tokens = tokens;
    }

    @GetMapping(name = "listTokens")
    public Mono<TokensView> list(@RequestAttribute(Access.ATTRIBUTE) Access access) {
        return tokens.list(access).map(TokensView::new);
    }

    @PostMapping(name = "createToken")
    @ResponseStatus(HttpStatus.CREATED)
    public Mono<TokenView> create(@RequestAttribute(Access.ATTRIBUTE) Access access, @RequestBody TokenBody body) {
        return tokens.create(access, body);
    }

    @PostMapping(name = "rotateToken", path = "/{name}/rotate")
    @ResponseStatus(HttpStatus.CREATED)
    public Mono<TokenView> rotate(
            @RequestAttribute(Access.ATTRIBUTE) Access access,
            @PathVariable String name,
            @RequestBody(required = false) @Nullable RotateBody body) {
        return tokens.rotate(access, name, body == null ? RotateBody.NONE : body);
    }

    @DeleteMapping(name = "revokeToken", path = "/{name}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    public Mono<Void> revoke(@RequestAttribute(Access.ATTRIBUTE) Access access, @PathVariable String name) {
        return tokens.revoke(access, name);
    }
}
