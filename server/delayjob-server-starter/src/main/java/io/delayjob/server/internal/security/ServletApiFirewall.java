package io.delayjob.server.internal.security;

import io.delayjob.server.internal.servlet.ServletRoute;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.security.web.firewall.FirewalledRequest;
import org.springframework.security.web.firewall.HttpFirewall;
import org.springframework.security.web.firewall.StrictHttpFirewall;

/**
 * Spring Security's firewall on a servlet container, except for the API: ids of jobs may contain any character that is no control
 * character, and that the container lets pass. Paths that are not normalized are refused there, too.
 */
public final class ServletApiFirewall implements HttpFirewall {

    private final HttpFirewall strict = new StrictHttpFirewall();
    private final HttpFirewall lenient = lenient();

    private static HttpFirewall lenient() {
        StrictHttpFirewall firewall = new StrictHttpFirewall();
        firewall.setAllowBackSlash(true);
        firewall.setAllowSemicolon(true);
        firewall.setAllowUrlEncodedLineSeparator(true);
        firewall.setAllowUrlEncodedParagraphSeparator(true);
        firewall.setAllowUrlEncodedPercent(true);
        firewall.setAllowUrlEncodedPeriod(true);
        firewall.setAllowUrlEncodedSlash(true);
        return firewall;
    }

    @Override
    public FirewalledRequest getFirewalledRequest(HttpServletRequest request) {
        return (ServletRoute.isToApi(request) ? lenient : strict).getFirewalledRequest(request);
    }

    @Override
    public HttpServletResponse getFirewalledResponse(HttpServletResponse response) {
        return strict.getFirewalledResponse(response);
    }
}
