package io.delayjob.server.web;

import org.springframework.http.ProblemDetail;

/** Makes the problems that failures of routes are answered with, for answers that show them in another shape, such as pages. */
public interface FailureProblems {

    /**
     * The problem of a failure.
     *
     * @param failure the exception that a route has thrown, or that its result failed with
     * @return the problem
     * @throws Exception the failure, if the caller has hung up
     */
    ProblemDetail of(Exception failure) throws Exception;
}
