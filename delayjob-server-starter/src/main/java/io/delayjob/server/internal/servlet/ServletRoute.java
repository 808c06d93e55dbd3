package io.delayjob.server.internal.servlet;

import jakarta.servlet.http.HttpServletRequest;

/** Which requests of an application are the API's. The container decides, so that no way of writing a path leads around a rule. */
public final class ServletRoute {

    /** The name of the API's servlet. */
    public static final String SERVLET = "delayJobServlet";

    private ServletRoute() {}

    /** Whether the container gives a request to the API. */
    public static boolean isToApi(HttpServletRequest request) {
        return SERVLET.equals(request.getHttpServletMapping().getServletName());
    }
}
