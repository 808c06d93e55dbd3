package io.delayjob.server.internal.access;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import io.delayjob.server.internal.web.Body;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A token to make.
 *
 * @param name names it for people
 * @param roles what it allows
 * @param queues the queues it is for: names, or beginnings of names that end with {@code *}; all if left out
 * @param expiresAt from when it is no longer valid; never if left out
 */
record TokenBody(
        @JsonProperty(required = true) @JsonSetter(nulls = Nulls.FAIL, contentNulls = Nulls.FAIL)
        String name,

        @JsonProperty(required = true) @JsonSetter(nulls = Nulls.FAIL, contentNulls = Nulls.FAIL)
        Set<Role> roles,

        @JsonSetter(contentNulls = Nulls.FAIL) @Nullable List<String> queues,
        @Nullable Instant expiresAt)
        implements Body {

    Token token() {
        return new Token(name, roles, queues == null ? Token.ALL_QUEUES : queues, Instant.now(), expiresAt);
    }
}
