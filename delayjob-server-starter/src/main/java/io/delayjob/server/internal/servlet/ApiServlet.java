package io.delayjob.server.internal.servlet;

import io.delayjob.server.internal.web.ApiFilter;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.http.server.reactive.ServletHttpHandlerAdapter;

/** The API's servlet. Containers compare decoded paths; Spring fails if the path of the servlet is not written as it is registered. */
public final class ApiServlet extends ServletHttpHandlerAdapter {

    private final String base;

    /**
     * A servlet.
     *
     * @param base the path of the API
     */
    public ApiServlet(HttpHandler api, String base) {
        super(api);
        this.base = base;
    }

    @Override
    public void service(ServletRequest request, ServletResponse response) throws ServletException, IOException {
        HttpServletRequest asked = (HttpServletRequest) request;
        String path = asked.getRequestURI().substring(asked.getContextPath().length());
        if (ApiFilter.isPlain(base, path)) {
            super.service(request, response);
        } else {
            ServletProblems.write((HttpServletResponse) response, ApiFilter.notPlain(base, path));
        }
    }
}
