package io.delayjob.demo.web;

import io.delayjob.DelayJobException;
import io.delayjob.JobSubmissionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** Answers 503 where Redis did not do its part, and 400 for a body that cannot be read. */
@RestControllerAdvice
@Order(Ordered.HIGHEST_PRECEDENCE)
final class ProblemAdvice {

    private static final Logger log = LoggerFactory.getLogger(ProblemAdvice.class);

    @ExceptionHandler
    ProblemDetail notConfirmed(JobSubmissionException failure) {
        log.warn("not confirmed: {}", failure.getMessage());
        ProblemDetail problem =
                Problems.problem(HttpStatus.SERVICE_UNAVAILABLE, "Submit not confirmed by Redis", message(failure));
        problem.setProperty("id", failure.jobIds().get(0));
        problem.setProperty("queue", failure.queue());
        problem.setProperty("outcome", failure.outcome());
        return problem;
    }

    @ExceptionHandler
    ProblemDetail notReached(DelayJobException failure) {
        log.warn("no answer from Redis: {}", failure.getMessage());
        return Problems.problem(
                HttpStatus.SERVICE_UNAVAILABLE, "Redis could not be asked", message(failure) + "; try again later");
    }

    @ExceptionHandler(HttpMessageNotReadableException.class)
    ProblemDetail notReadable() {
        return Problems.problem(
                HttpStatus.BAD_REQUEST,
                "Bad body",
                "the body cannot be read; send a form, or JSON such as {\"name\": \"Ann\", \"age\": 30, \"delay\": 5}");
    }

    private static String message(DelayJobException failure) {
        return String.valueOf(failure.getMessage());
    }
}
