package io.delayjob.server.web;

import java.util.Collection;
import java.util.List;
import org.springframework.http.server.PathContainer;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/** The paths that delayjob serves in an application. Those of the application are subject to none of its rules. */
public final class OwnPaths {

    private final List<PathPattern> all;

    /**
     * Paths, each with what is under it.
     *
     * @param paths an empty one is that of everything
     */
    public OwnPaths(Collection<String> paths) {
        all = paths.stream()
                .map(path -> PathPatternParser.defaultInstance.parse(path + "/**"))
                .toList();
    }

    /**
     * Whether a request is for one of them. They are compared decoded, as routes compare them.
     *
     * @param request the request
     * @return true if it is
     */
    public boolean serve(ServerHttpRequest request) {
        PathContainer path = request.getPath().pathWithinApplication();
        return all.stream().anyMatch(own -> own.matches(path));
    }
}
