package io.delayjob.server.autoconfigure;

import io.delayjob.spring.InvalidConfigurationException;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Refuses to start where a route of the application is under a path of delayjob's: its callers would be asked for a token of delayjob, or not
 * reach it at all.
 */
final class Collisions {

    private static final Pattern OURS = Pattern.compile("io\\.delayjob\\.server\\.(console\\.)?internal\\..*");

    private final Map<String, String> served;

    /**
     * A route of an application.
     *
     * @param pattern its path
     * @param handler the class that serves it
     * @param shown the name of the handler, for the message
     */
    record Route(String pattern, Class<?> handler, String shown) {

        /** A route of a handler, or of the bean of a name. */
        static Route of(String pattern, Object handler) {
            Class<?> type = handler.getClass();
            return new Route(pattern, type, handler instanceof String bean ? bean : type.getName());
        }
    }

    /**
     * Collisions with paths.
     *
     * @param served the paths, each with the property that says another one
     */
    Collisions(Map<String, String> served) {
        this.served = served;
    }

    void check(Stream<Route> routes) {
        routes.filter(route -> !OURS.matcher(route.handler().getName()).matches())
                .forEach(this::check);
    }

    private void check(Route route) {
        served.forEach((path, property) -> {
            if (route.pattern().equals(path) || route.pattern().startsWith(path + "/")) {
                throw new InvalidConfigurationException(
                        "the application's own route %s (%s) is under the path %s, which delayjob serves; let %s name another path, such as /delayjob%s"
                                .formatted(route.pattern(), route.shown(), path, property, path),
                        null);
            }
        });
    }
}
