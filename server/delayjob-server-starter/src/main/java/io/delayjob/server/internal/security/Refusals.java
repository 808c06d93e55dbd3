package io.delayjob.server.internal.security;

import io.delayjob.server.web.Problem;
import org.springframework.http.ProblemDetail;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.core.AuthenticationException;

/** Answers to callers that Spring Security could not authenticate. */
public final class Refusals {

    private Refusals() {}

    public static ProblemDetail of(AuthenticationException failure) {
        return failure instanceof AuthenticationServiceException
                ? Problem.ISSUER_UNAVAILABLE.detail(failure.getMessage() + "; try again later")
                : Problem.UNAUTHENTICATED.detail(failure.getMessage());
    }
}
