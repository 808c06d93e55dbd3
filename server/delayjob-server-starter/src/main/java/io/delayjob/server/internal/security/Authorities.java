package io.delayjob.server.internal.security;

import io.delayjob.server.AccessResolver;
import io.delayjob.server.Grant;
import io.delayjob.server.Role;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.GrantedAuthority;

/** Gives a caller, in all queues, the roles that its authorities name after a prefix. */
public final class Authorities implements AccessResolver {

    private final String prefix;

    /**
     * Authorities.
     *
     * @param prefix the prefix of authorities that name a role
     */
    public Authorities(String prefix) {
        this.prefix = prefix;
    }

    /** The prefix by which a resolver goes; null if it goes by something else. */
    static @Nullable String prefix(AccessResolver resolver) {
        AccessResolver roles = resolver instanceof QueuesClaim claim ? claim.roles() : resolver;
        return roles instanceof Authorities authorities ? authorities.prefix : null;
    }

    @Override
    public Grant resolve(Authentication caller) {
        List<String> names = caller.getAuthorities().stream()
                .map(GrantedAuthority::getAuthority)
                .filter(Objects::nonNull)
                .toList();
        return Grant.of(Arrays.stream(Role.values())
                .filter(role -> names.stream().anyMatch(name -> names(name, role)))
                .toList());
    }

    private boolean names(String authority, Role role) {
        return authority.startsWith(prefix)
                && authority.substring(prefix.length()).toLowerCase(Locale.ROOT).equals(role.label());
    }
}
