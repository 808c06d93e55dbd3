package io.delayjob.server.internal.security;

import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.springframework.security.core.Authentication;
import org.springframework.security.oauth2.core.OAuth2Token;
import org.springframework.util.ClassUtils;

/** Until when an authentication is valid. */
interface Expiry {

    /** Whether it still is, each time it is asked. */
    Supplier<CompletableFuture<Boolean>> of(Authentication caller);

    /** By the tokens of OAuth 2, where they can be; other authentications are valid for as long as their request takes. */
    static Expiry here() {
        boolean tokens = ClassUtils.isPresent(
                "org.springframework.security.oauth2.core.OAuth2Token", Expiry.class.getClassLoader());
        return tokens ? new OfTokens() : caller -> () -> CompletableFuture.completedFuture(true);
    }

    /** By the token that is the credentials. */
    final class OfTokens implements Expiry {

        @Override
        public Supplier<CompletableFuture<Boolean>> of(Authentication caller) {
            Instant end = caller.getCredentials() instanceof OAuth2Token token ? token.getExpiresAt() : null;
            return () -> CompletableFuture.completedFuture(
                    end == null || Instant.now().isBefore(end));
        }
    }
}
