package io.delayjob.server.internal.servlet;

import io.delayjob.server.internal.web.Api;
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

    /** A servlet. */
    public ApiServlet(HttpHandler api) {
        super(api);
    }

    @Override
    public void service(ServletRequest request, ServletResponse response) throws ServletException, IOException {
        HttpServletRequest asked = (HttpServletRequest) request;
        String path = asked.getRequestURI().substring(asked.getContextPath().length());
        if (Api.isPlain(path)) {
            super.service(request, response);
        } else {
            ServletProblems.write((HttpServletResponse) response, Api.notPlain(path));
        }
    }
}
