package io.delayjob.server.internal.servlet;

import io.delayjob.server.internal.access.Bearer;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.web.filter.OncePerRequestFilter;

/** Hides tokens of the API from Spring Security, which would refuse them. The routes get them back, and decide. */
public final class HiddenToken extends OncePerRequestFilter {

    private static final String ATTRIBUTE = HiddenToken.class.getName();

    private final boolean alone;

    /**
     * A filter.
     *
     * @param alone whether tokens of the API alone decide; if not, JSON Web Tokens are left to Spring Security
     */
    public HiddenToken(boolean alone) {
        this.alone = alone;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        String authorization = request.getHeader(HttpHeaders.AUTHORIZATION);
        if (Bearer.secret(authorization, alone).isEmpty()) {
            chain.doFilter(request, response);
        } else {
            request.setAttribute(ATTRIBUTE, authorization);
            chain.doFilter(new WithoutToken(request), response);
        }
    }

    /** The request with its token, if that was hidden. */
    public static ServerHttpRequest restored(ServerHttpRequest request) {
        HttpServletRequest servlet = ServerHttpRequestDecorator.getNativeRequest(request);
        return servlet.getAttribute(ATTRIBUTE) instanceof String authorization
                ? request.mutate()
                        .header(HttpHeaders.AUTHORIZATION, authorization)
                        .build()
                : request;
    }

    private static final class WithoutToken extends HttpServletRequestWrapper {

        WithoutToken(HttpServletRequest request) {
            super(request);
        }

        private static boolean isHidden(String name) {
            return name.equalsIgnoreCase(HttpHeaders.AUTHORIZATION);
        }

        @Override
        public @Nullable String getHeader(String name) {
            return isHidden(name) ? null : super.getHeader(name);
        }

        @Override
        public Enumeration<String> getHeaders(String name) {
            return isHidden(name) ? Collections.emptyEnumeration() : super.getHeaders(name);
        }

        @Override
        public Enumeration<String> getHeaderNames() {
            List<String> names = Collections.list(super.getHeaderNames());
            names.removeIf(WithoutToken::isHidden);
            return Collections.enumeration(names);
        }
    }
}
