package io.delayjob.server.internal.web;

import io.delayjob.DelayJobException;
import io.delayjob.JobSubmissionException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.codec.DecodingException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.ErrorResponseException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.ServerWebInputException;
import tools.jackson.core.JacksonException;

/** Makes a {@link Problem} of every failure of a route of this API. */
@RestControllerAdvice(basePackages = "io.delayjob.server.internal")
@Order(Ordered.HIGHEST_PRECEDENCE)
public final class ProblemAdvice {

    private static final Logger log = LoggerFactory.getLogger(ProblemAdvice.class);

    @ExceptionHandler
    ResponseEntity<ProblemDetail> known(ErrorResponseException failure) {
        return answer(failure.getBody());
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> invalid(IllegalArgumentException failure) {
        return answer(Problem.INVALID_VALUE.detail(failure.getMessage()));
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> notConfirmed(JobSubmissionException failure) {
        log.warn("not confirmed: {}", failure.getMessage());
        ProblemDetail problem = Problem.NOT_CONFIRMED.detail(failure.getMessage());
        problem.setProperty("outcome", failure.outcome());
        problem.setProperty("jobs", results(failure));
        return answer(problem);
    }

    private static List<ResultView> results(JobSubmissionException failure) {
        return failure.results().stream()
                .map(result -> new ResultView(result.id(), result.outcome()))
                .toList();
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> notReached(DelayJobException failure) {
        log.warn("no answer from Redis: {}", failure.getMessage());
        return answer(Problem.REDIS_UNAVAILABLE.detail(failure.getMessage() + "; try again later"));
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> notRunning(IllegalStateException failure) {
        log.warn("refused: {}", failure.getMessage());
        return answer(Problem.STOPPING.detail(failure.getMessage() + "; try again, or ask another server"));
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> badInput(ServerWebInputException failure) {
        return answer(inputProblem(failure));
    }

    private static ProblemDetail inputProblem(ServerWebInputException failure) {
        JacksonException json = cause(failure, JacksonException.class);
        if (json != null) {
            return BodyProblems.of(json);
        }
        if (cause(failure, DecodingException.class) != null) {
            return Problem.INVALID_BODY.detail("the body cannot be read as JSON");
        }
        return Problem.INVALID_VALUE.detail(failure.getReason());
    }

    private static <T extends Throwable> @Nullable T cause(Throwable failure, Class<T> kind) {
        for (Throwable one = failure; one != null; one = one.getCause()) {
            if (kind.isInstance(one)) {
                return kind.cast(one);
            }
        }
        return null;
    }

    /** What Spring itself refuses: a missing parameter, another content type, a body over the limit. */
    @ExceptionHandler
    ResponseEntity<ProblemDetail> refused(ResponseStatusException failure) {
        HttpStatusCode status = failure.getStatusCode();
        if (status.value() == HttpStatus.CONTENT_TOO_LARGE.value()) {
            return answer(Problem.BODY_TOO_LARGE.detail(
                    "the body is longer than delayjob.server.max-body-size allows; send several smaller ones"));
        }
        return ResponseEntity.status(status)
                .headers(failure.getHeaders())
                .contentType(MediaType.APPLICATION_PROBLEM_JSON)
                .body(failure.getBody());
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> failed(Exception failure) {
        String mark = Long.toString(System.nanoTime(), 36).toLowerCase(Locale.ROOT);
        log.error("failure {} of a request", mark, failure);
        return answer(Problem.INTERNAL.detail("the server's log has it as failure " + mark));
    }

    private static ResponseEntity<ProblemDetail> answer(ProblemDetail problem) {
        ResponseEntity.BodyBuilder answer =
                ResponseEntity.status(problem.getStatus()).contentType(MediaType.APPLICATION_PROBLEM_JSON);
        if (Problem.isPassing(problem)) {
            answer.header(HttpHeaders.RETRY_AFTER, Problem.SOON);
        }
        return answer.body(problem);
    }
}
