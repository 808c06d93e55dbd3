package io.delayjob.server.console.internal.access;

import java.net.URI;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.server.reactive.ServerHttpRequest;

/** Tells requests that a page of the console made from those that another site had a browser make. */
final class SameOrigin {

    private static final String SITE = "Sec-Fetch-Site";

    private SameOrigin() {}

    /**
     * Whether a request changes nothing or comes from a page of this console. Browsers say so themselves; where they do not, over plain
     * HTTP, the origin must be the host that was asked. A request that says neither is no browser's.
     */
    static boolean allows(ServerHttpRequest request) {
        if (HttpMethod.GET.equals(request.getMethod()) || HttpMethod.HEAD.equals(request.getMethod())) {
            return true;
        }
        HttpHeaders headers = request.getHeaders();
        String site = headers.getFirst(SITE);
        return site != null
                ? site.equals("same-origin")
                : isHost(headers.getOrigin(), headers.getFirst(HttpHeaders.HOST));
    }

    private static boolean isHost(@Nullable String origin, @Nullable String host) {
        try {
            return origin != null
                    && host != null
                    && host.equalsIgnoreCase(URI.create(origin).getAuthority());
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
