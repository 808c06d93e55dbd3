package io.delayjob.server.internal.security;

import io.delayjob.server.internal.servlet.KnownCallers;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;
import org.springframework.security.core.context.SecurityContextHolderStrategy;
import reactor.core.publisher.Mono;

/** Tells the routes whom Spring Security has authenticated on the thread of a servlet container. */
public final class ServletCallers implements KnownCallers {

    private final SecurityContextHolderStrategy holder;

    /**
     * Callers.
     *
     * @param holder where Spring Security keeps the caller of a thread
     */
    public ServletCallers(SecurityContextHolderStrategy holder) {
        this.holder = holder;
    }

    @Override
    public Mono<Void> tell(Mono<Void> work) {
        Authentication caller = holder.getContext().getAuthentication();
        return caller == null ? work : work.contextWrite(ReactiveSecurityContextHolder.withAuthentication(caller));
    }
}
