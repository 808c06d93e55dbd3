package io.delayjob.server.internal.servlet;

import io.delayjob.server.web.BasePath;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import org.springframework.http.ProblemDetail;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.http.server.reactive.ServletHttpHandlerAdapter;

/** A servlet of the API. Containers compare decoded paths; Spring fails if the path of the servlet is not written as it is registered. */
public final class ApiServlet extends ServletHttpHandlerAdapter {

    private final String base;

    /**
     * A servlet.
     *
     * @param mapping a path, or a path and {@code /*}
     */
    public ApiServlet(HttpHandler api, String mapping) {
        super(new BodyReads(api));
        this.base = mapping.endsWith("/*") ? mapping.substring(0, mapping.length() - 2) : mapping;
    }

    @Override
    public void service(ServletRequest request, ServletResponse response) throws ServletException, IOException {
        HttpServletRequest asked = (HttpServletRequest) request;
        String path = asked.getRequestURI().substring(asked.getContextPath().length());
        Optional<ProblemDetail> refusal = BasePath.refusal(base, path, asked.getQueryString());
        if (refusal.isPresent()) {
            ServletProblems.write((HttpServletResponse) response, refusal.get());
        } else {
            super.service(request, response);
        }
    }
}
