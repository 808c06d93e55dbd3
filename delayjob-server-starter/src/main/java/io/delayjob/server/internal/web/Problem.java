package io.delayjob.server.internal.web;

import java.net.URI;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponseException;

/** The kinds of error answers (RFC 9457). The type of each is {@code urn:delayjob:problem:} and its name in lower case. */
public enum Problem {
    /** The body is not JSON, or not what the route takes. */
    INVALID_BODY(HttpStatus.BAD_REQUEST, "The body cannot be read"),
    /** A value is out of range. */
    INVALID_VALUE(HttpStatus.BAD_REQUEST, "A value is not allowed"),
    /** There is no token, or no such token. */
    UNAUTHENTICATED(HttpStatus.UNAUTHORIZED, "A valid token is needed"),
    /** The token lacks the role. */
    FORBIDDEN(HttpStatus.FORBIDDEN, "The token may not do this"),
    /** There is no such job. */
    NO_SUCH_JOB(HttpStatus.NOT_FOUND, "There is no such job"),
    /** There is no such queue, or the token may not know of it. */
    NO_SUCH_QUEUE(HttpStatus.NOT_FOUND, "There is no such queue"),
    /** There is no such token. */
    NO_SUCH_TOKEN(HttpStatus.NOT_FOUND, "There is no such token"),
    /** A token of that name exists. */
    TOKEN_EXISTS(HttpStatus.CONFLICT, "There is a token of that name"),
    /** The job is in a state in which the action is not possible. */
    WRONG_STATE(HttpStatus.CONFLICT, "The job's state does not allow this"),
    /** The key was used for another request. */
    KEY_REUSED(HttpStatus.UNPROCESSABLE_CONTENT, "The Idempotency-Key was used for another request"),
    /** A request of that key is under way. */
    KEY_IN_USE(HttpStatus.CONFLICT, "A request with this Idempotency-Key is under way"),
    /** The body is too long. */
    BODY_TOO_LARGE(HttpStatus.CONTENT_TOO_LARGE, "The body is too large"),
    /** Redis did not confirm a submit. */
    NOT_CONFIRMED(HttpStatus.SERVICE_UNAVAILABLE, "The submit was not confirmed"),
    /** Redis did not answer. */
    REDIS_UNAVAILABLE(HttpStatus.SERVICE_UNAVAILABLE, "Redis did not answer"),
    /** The server is stopping, or has not started. */
    STOPPING(HttpStatus.SERVICE_UNAVAILABLE, "This server is not running"),
    /** A fault of the server. */
    INTERNAL(HttpStatus.INTERNAL_SERVER_ERROR, "The server failed");

    /** How long a client should wait before it asks again, in seconds. */
    public static final String SOON = "1";

    private final HttpStatus status;
    private final String title;

    Problem(HttpStatus status, String title) {
        this.status = status;
        this.title = title;
    }

    /** {@return the status of the answer} */
    public HttpStatus status() {
        return status;
    }

    /** The answer. */
    public ProblemDetail detail(@Nullable String detail) {
        ProblemDetail problem = ProblemDetail.forStatus(status);
        problem.setType(type());
        problem.setTitle(title);
        problem.setDetail(detail);
        return problem;
    }

    /** Whether the same request may succeed a moment later. */
    public static boolean isPassing(ProblemDetail problem) {
        return problem.getStatus() == HttpStatus.SERVICE_UNAVAILABLE.value()
                || KEY_IN_USE.type().equals(problem.getType());
    }

    private URI type() {
        return URI.create(
                "urn:delayjob:problem:" + name().toLowerCase(Locale.ROOT).replace('_', '-'));
    }

    /** The answer, to be thrown. */
    public ErrorResponseException with(String detail) {
        return thrown(detail(detail));
    }

    /** An answer, to be thrown. */
    public static ErrorResponseException thrown(ProblemDetail problem) {
        return new ErrorResponseException(HttpStatus.valueOf(problem.getStatus()), problem, null);
    }
}
