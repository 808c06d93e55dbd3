package io.delayjob.server.web;

import io.delayjob.DelayJobException;
import java.net.URI;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
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
    /** The caller lacks the role. */
    FORBIDDEN(HttpStatus.FORBIDDEN, "The caller may not do this"),
    /** There is no such job. */
    NO_SUCH_JOB(HttpStatus.NOT_FOUND, "There is no such job"),
    /** There is no such queue, or the token may not know of it. */
    NO_SUCH_QUEUE(HttpStatus.NOT_FOUND, "There is no such queue"),
    /** The server keeps no journal, or none of the queue. */
    NO_JOURNAL(HttpStatus.NOT_FOUND, "There is no journal"),
    /** There is no such token. */
    NO_SUCH_TOKEN(HttpStatus.NOT_FOUND, "There is no such token"),
    /** The topic is bound to no target, or the token may not know of it. */
    NO_SUCH_TARGET(HttpStatus.NOT_FOUND, "The topic is not bound"),
    /** There is no such schedule. */
    NO_SUCH_SCHEDULE(HttpStatus.NOT_FOUND, "There is no such schedule"),
    /** A token of that name exists. */
    TOKEN_EXISTS(HttpStatus.CONFLICT, "There is a token of that name"),
    /** The job is in a state in which the action is not possible. */
    WRONG_STATE(HttpStatus.CONFLICT, "The job's state does not allow this"),
    /** A restore is under way. */
    RESTORE_UNDER_WAY(HttpStatus.CONFLICT, "Another restore is under way"),
    /** The key was used for another request. */
    KEY_REUSED(HttpStatus.UNPROCESSABLE_CONTENT, "The Idempotency-Key was used for another request"),
    /** A request of that key is under way. */
    KEY_IN_USE(HttpStatus.CONFLICT, "A request with this Idempotency-Key is under way"),
    /** The body is too long. */
    BODY_TOO_LARGE(HttpStatus.CONTENT_TOO_LARGE, "The body is too large"),
    /** The body did not arrive in time. */
    BODY_TOO_SLOW(HttpStatus.REQUEST_TIMEOUT, "The body arrives too slowly"),
    /** A limit is exceeded. */
    TOO_MANY_REQUESTS(HttpStatus.TOO_MANY_REQUESTS, "A limit is exceeded"),
    /** Redis did not confirm a submit. */
    NOT_CONFIRMED(HttpStatus.SERVICE_UNAVAILABLE, "The submit was not confirmed"),
    /** Redis did not answer. */
    REDIS_UNAVAILABLE(HttpStatus.SERVICE_UNAVAILABLE, "Redis did not answer"),
    /** The issuer of tokens did not answer. */
    ISSUER_UNAVAILABLE(HttpStatus.SERVICE_UNAVAILABLE, "The issuer of tokens did not answer"),
    /** The journal's database did not answer, or its writer is behind. */
    JOURNAL_UNAVAILABLE(HttpStatus.SERVICE_UNAVAILABLE, "The journal did not answer"),
    /** The server is stopping, or has not started. */
    STOPPING(HttpStatus.SERVICE_UNAVAILABLE, "This server is not running"),
    /** This server has reached its limit of event subscribers. */
    TOO_MANY_SUBSCRIBERS(HttpStatus.SERVICE_UNAVAILABLE, "This server has too many subscribers"),
    /** This server cannot read the schedule, which a newer release may have stored. */
    UNREADABLE_SCHEDULE(HttpStatus.INTERNAL_SERVER_ERROR, "This server cannot read the schedule"),
    /** A fault of the server. */
    INTERNAL(HttpStatus.INTERNAL_SERVER_ERROR, "The server failed");

    private static final String RETRY_AFTER = "retryAfter";

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

    /** Whether an answer is of this kind. */
    public boolean is(ProblemDetail problem) {
        return type().equals(problem.getType());
    }

    /** The answer to a body over the limit. */
    public static ProblemDetail bodyTooLarge() {
        return BODY_TOO_LARGE.detail(
                "the body is longer than delayjob.server.max-body-size allows; send several smaller ones");
    }

    /** The answer where Redis did not give one. */
    public static ProblemDetail redisUnavailable(DelayJobException failure) {
        return REDIS_UNAVAILABLE.detail(failure.getMessage() + "; try again later");
    }

    /**
     * The answer to a request over a limit.
     *
     * @param seconds after how long it should be made again, at least 1
     */
    public static ProblemDetail tooMany(String detail, long seconds) {
        ProblemDetail problem = TOO_MANY_REQUESTS.detail(detail);
        problem.setProperty(RETRY_AFTER, seconds);
        return problem;
    }

    /** Adds to an answer what its headers say besides. */
    public static void addHeaders(ProblemDetail problem, HttpHeaders headers) {
        headers.setContentType(MediaType.APPLICATION_PROBLEM_JSON);
        Object wait =
                problem.getProperties() == null ? null : problem.getProperties().get(RETRY_AFTER);
        if (wait != null) {
            headers.set(HttpHeaders.RETRY_AFTER, wait.toString());
        } else if (isPassing(problem)) {
            headers.set(HttpHeaders.RETRY_AFTER, "1");
        } else if (UNAUTHENTICATED.type().equals(problem.getType())) {
            headers.set(HttpHeaders.WWW_AUTHENTICATE, "Bearer realm=\"delayjob\"");
        } else if (BODY_TOO_SLOW.type().equals(problem.getType())) {
            // The rest of the body may still come, and is not worth waiting for.
            headers.set(HttpHeaders.CONNECTION, "close");
        }
    }

    /** Whether the same request may succeed a moment later. */
    private static boolean isPassing(ProblemDetail problem) {
        return problem.getStatus() == HttpStatus.SERVICE_UNAVAILABLE.value()
                || KEY_IN_USE.type().equals(problem.getType())
                || RESTORE_UNDER_WAY.type().equals(problem.getType());
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
