package io.delayjob.server.internal.security;

import io.delayjob.server.AccessResolver;
import io.delayjob.server.Grant;
import io.delayjob.support.Checks;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.Authentication;
import org.springframework.security.oauth2.server.resource.authentication.AbstractOAuth2TokenAuthenticationToken;

/** Keeps callers to the queues that a claim of their OAuth 2 token lists; without the claim, or without such a token, they have all. */
public final class QueuesClaim implements AccessResolver {

    private final AccessResolver roles;
    private final String claim;

    /**
     * A claim.
     *
     * @param roles says what a caller may do in its queues
     * @param claim its name
     */
    public QueuesClaim(AccessResolver roles, String claim) {
        this.roles = roles;
        this.claim = claim;
    }

    AccessResolver roles() {
        return roles;
    }

    @Override
    public Grant resolve(Authentication caller) {
        Grant all = roles.resolve(caller);
        Object value = caller instanceof AbstractOAuth2TokenAuthenticationToken<?> token
                ? token.getTokenAttributes().get(claim)
                : null;
        return value == null ? all : all.in(queues(value));
    }

    private List<String> queues(Object value) {
        if (value instanceof String text) {
            return Stream.of(text.split(" ", -1)).filter(one -> !one.isEmpty()).toList();
        } else if (value instanceof Collection<?> list) {
            return list.stream().map(this::text).toList();
        }
        throw notQueues(value);
    }

    private String text(@Nullable Object value) {
        if (value instanceof String text) {
            return text;
        }
        throw notQueues(String.valueOf(value));
    }

    private IllegalArgumentException notQueues(Object value) {
        return new IllegalArgumentException("the claim %s of the token must be an array of strings, or a string: %s"
                .formatted(claim, Checks.shown(value.toString())));
    }
}
