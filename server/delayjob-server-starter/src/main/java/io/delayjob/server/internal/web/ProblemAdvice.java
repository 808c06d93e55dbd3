package io.delayjob.server.internal.web;

import io.delayjob.DelayJobException;
import io.delayjob.JobSubmissionException;
import io.delayjob.TooManyKeysException;
import io.delayjob.server.web.FailureProblems;
import io.delayjob.server.web.Problem;
import io.delayjob.support.Times;
import java.beans.PropertyEditorSupport;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.TypeMismatchException;
import org.springframework.core.MethodParameter;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.codec.DecodingException;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.ErrorResponseException;
import org.springframework.web.bind.WebDataBinder;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.InitBinder;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.ServerWebInputException;
import org.springframework.web.util.DisconnectedClientHelper;
import tools.jackson.core.JacksonException;

/** Makes a {@link Problem} of every failure of a route of this API. */
@RestControllerAdvice(basePackages = "io.delayjob.server.internal")
@Order(Ordered.HIGHEST_PRECEDENCE)
public final class ProblemAdvice implements FailureProblems {

    private static final Logger log = LoggerFactory.getLogger(ProblemAdvice.class);

    /** After how many seconds to try again what needs somebody to make room. */
    private static final long UNTIL_CLEARED = 60;

    /** Reads times that are parameters of requests. */
    private static final class TimeEditor extends PropertyEditorSupport {

        @Override
        public void setAsText(String text) {
            try {
                setValue(text.isEmpty() ? null : Times.parse(text));
            } catch (DateTimeException e) {
                throw new IllegalArgumentException(e);
            }
        }
    }

    @InitBinder
    void times(WebDataBinder parameters) {
        parameters.registerCustomEditor(Instant.class, new TimeEditor());
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> answer(Exception failure) throws Exception {
        ProblemDetail problem = of(failure);
        return ResponseEntity.status(problem.getStatus())
                .headers(headers -> {
                    if (failure instanceof ResponseStatusException refused) {
                        headers.putAll(refused.getHeaders());
                    }
                    Problem.addHeaders(problem, headers);
                })
                .body(problem);
    }

    @Override
    public ProblemDetail of(Exception failure) throws Exception {
        if (failure instanceof JobSubmissionException unconfirmed) {
            return notConfirmed(unconfirmed);
        } else if (failure instanceof TooManyKeysException full) {
            return Problem.tooMany(String.valueOf(full.getMessage()), UNTIL_CLEARED);
        } else if (failure instanceof DelayJobException unreachable) {
            log.warn("no answer from Redis: {}", failure.getMessage());
            return Problem.redisUnavailable(unreachable);
        } else if (failure instanceof ServerWebInputException input) {
            return inputProblem(input);
        } else if (failure instanceof ErrorResponseException known) {
            return known.getStatusCode().value() == HttpStatus.CONTENT_TOO_LARGE.value()
                    ? Problem.bodyTooLarge()
                    : known.getBody();
        } else if (failure instanceof IllegalArgumentException) {
            return Problem.INVALID_VALUE.detail(failure.getMessage());
        } else if (failure instanceof IllegalStateException) {
            log.warn("refused: {}", failure.getMessage());
            return Problem.STOPPING.detail(failure.getMessage() + "; try again, or ask another server");
        }
        return unknown(failure);
    }

    private static ProblemDetail notConfirmed(JobSubmissionException failure) {
        log.warn("not confirmed: {}", failure.getMessage());
        ProblemDetail problem = Problem.NOT_CONFIRMED.detail(failure.getMessage());
        problem.setProperty("outcome", failure.outcome());
        problem.setProperty("jobs", results(failure));
        return problem;
    }

    private static List<ResultView> results(JobSubmissionException failure) {
        return failure.results().stream()
                .map(result -> new ResultView(result.id(), result.outcome()))
                .toList();
    }

    private static ProblemDetail inputProblem(ServerWebInputException failure) {
        JacksonException json = Failures.find(failure, JacksonException.class);
        if (json != null) {
            return BodyProblems.of(json);
        }
        if (Failures.find(failure, DecodingException.class) != null) {
            return Problem.INVALID_BODY.detail("the body cannot be read as JSON");
        }
        MethodParameter parameter = failure.getMethodParameter();
        return parameter != null && failure.getCause() instanceof TypeMismatchException mismatch
                ? BodyProblems.of(parameter.getParameter().getName(), mismatch)
                : Problem.INVALID_VALUE.detail(failure.getReason());
    }

    private static ProblemDetail unknown(Exception failure) throws Exception {
        if (DisconnectedClientHelper.isClientDisconnectedException(failure)) {
            // Nobody is there to answer, which is no fault of the server.
            throw failure;
        }
        String mark = Long.toString(System.nanoTime(), 36).toLowerCase(Locale.ROOT);
        log.error("failure {} of a request", mark, failure);
        return Problem.INTERNAL.detail("the server's log has it as failure " + mark);
    }
}
