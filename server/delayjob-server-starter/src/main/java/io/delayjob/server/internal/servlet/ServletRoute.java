package io.delayjob.server.internal.servlet;

import jakarta.servlet.http.HttpServletRequest;

/** Which requests of an application are the API's. The container decides, so that no way of writing a path leads around a rule. */
public final class ServletRoute {

    /** The name of the API's servlet. */
    public static final String SERVLET = "delayJobServlet";

    private ServletRoute() {}

    /** The name of the servlet of a path of the older protocols. */
    public static String servletOf(String protocolMapping) {
        return SERVLET + protocolMapping;
    }

    /** Whether the container gives a request to the API, or to one of the older protocols. */
    public static boolean isToApi(HttpServletRequest request) {
        return SERVLET.equals(request.getHttpServletMapping().getServletName()) || isToProtocol(request);
    }

    /** Whether the container gives a request to one of the older protocols. */
    public static boolean isToProtocol(HttpServletRequest request) {
        String servlet = request.getHttpServletMapping().getServletName();
        return servlet != null && servlet.startsWith(SERVLET + "/");
    }
}
