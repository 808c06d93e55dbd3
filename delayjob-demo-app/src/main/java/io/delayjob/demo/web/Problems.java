package io.delayjob.demo.web;

import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponseException;

/** The answers to what cannot be done, as RFC 9457 problems. */
final class Problems {

    private static final int SHOWN = 80;

    private Problems() {}

    static ErrorResponseException badValue(String parameter, String value, String expected) {
        String shown =
                value.length() > SHOWN ? value.substring(0, SHOWN) + "… (" + value.length() + " characters)" : value;
        ProblemDetail problem = problem(
                HttpStatus.BAD_REQUEST, "Bad parameter", "%s is '%s'; give %s".formatted(parameter, shown, expected));
        problem.setProperty("parameter", parameter);
        problem.setProperty("value", shown);
        return thrown(problem);
    }

    static ErrorResponseException noSuchJob(String id) {
        return of(
                HttpStatus.NOT_FOUND,
                "No such job",
                "there is no job '%s': it was never submitted, was cancelled, or is completed (which only the process that ran it remembers)"
                        .formatted(id),
                id);
    }

    /** About one job or order. */
    static ErrorResponseException of(HttpStatus status, String title, String detail, String id) {
        ProblemDetail problem = problem(status, title, detail);
        problem.setProperty("id", id);
        return thrown(problem);
    }

    static ProblemDetail problem(HttpStatus status, String title, String detail) {
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(status, detail);
        problem.setTitle(title);
        return problem;
    }

    private static ErrorResponseException thrown(ProblemDetail problem) {
        return new ErrorResponseException(HttpStatus.valueOf(problem.getStatus()), problem, null);
    }
}
