package io.delayjob.server.console.internal.pages;

import io.delayjob.server.web.FailureProblems;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Shows the problem that a route of the API would answer with, for every failure of a page. */
@RestControllerAdvice(basePackages = "io.delayjob.server.console")
@Order(Ordered.HIGHEST_PRECEDENCE)
public final class PageProblems {

    private final Pages pages;
    private final FailureProblems problems;

    /** Shows what the API would answer. */
    public PageProblems(Pages pages, FailureProblems problems) {
        this.pages = pages;
        this.problems = problems;
    }

    @ExceptionHandler
    Mono<Void> failed(Exception failure, ServerWebExchange exchange) throws Exception {
        ProblemDetail problem = problems.of(failure);
        if (failure instanceof BadInput bad) {
            problem.setDetail(bad.text(pages.language(exchange)));
            problem.setProperty(Pages.FIELD, bad.field());
        }
        return pages.problem(exchange, problem);
    }
}
