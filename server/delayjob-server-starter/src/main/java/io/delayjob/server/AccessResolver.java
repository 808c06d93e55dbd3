package io.delayjob.server;

import org.springframework.security.core.Authentication;

/**
 * Says what those may do in the HTTP API whom Spring Security has authenticated. A bean of this type replaces the one that maps
 * authorities to roles, and a claim of a JSON Web Token to queues. Asked once for each request, on the thread that serves it, so it must
 * not block.
 */
@FunctionalInterface
public interface AccessResolver {

    /**
     * Resolves the access of a caller.
     *
     * @param caller the authenticated caller; never anonymous
     * @return the roles and queues of the caller; without roles, it is answered 403
     * @throws IllegalArgumentException if what is said of the caller cannot be understood; it is then answered 403 with the message
     */
    Grant resolve(Authentication caller);
}
