package io.delayjob.server.internal.servlet;

import io.delayjob.server.web.Problem;
import io.delayjob.server.web.ServerJson;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ProblemDetail;

/** Answers requests that do not come as far as the API's servlet. */
public final class ServletProblems {

    private ServletProblems() {}

    /** Writes the answer. */
    public static void write(HttpServletResponse response, ProblemDetail problem) throws IOException {
        HttpHeaders headers = new HttpHeaders();
        Problem.addHeaders(problem, headers);
        response.setStatus(problem.getStatus());
        headers.forEach((name, values) -> values.forEach(value -> response.setHeader(name, value)));
        response.getOutputStream().write(ServerJson.mapper().writeValueAsBytes(problem));
    }
}
