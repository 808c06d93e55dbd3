package io.delayjob.server.autoconfigure;

import io.delayjob.server.autoconfigure.Collisions.Route;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Collects the routes of router functions, which are walked through in order. WebFlux and Spring MVC have types of their own for them; what both
 * say of a predicate is its text, such as {@code (GET && /customers/{id})}.
 */
final class FunctionalRoutes {

    private static final Pattern PATH = Pattern.compile("(?<![^\\s(])/[^\\s()]*");

    /** Paths of the nests around the place that the walk has come to, the innermost first. */
    private final Deque<List<String>> nests = new ArrayDeque<>(List.of(List.of("")));

    private final List<Route> routes = new ArrayList<>();

    /** The routes that follow are below the paths of a predicate. */
    void enter(Object predicate) {
        nests.push(below(predicate));
    }

    /** The nest that was entered last ends. */
    void leave() {
        nests.pop();
    }

    void add(Object predicate, Object handler) {
        below(predicate)
                .forEach(path -> routes.add(new Route(path, handler.getClass(), "router function " + predicate)));
    }

    Stream<Route> found() {
        return routes.stream();
    }

    /** The paths that a predicate names, or those around it if it names none. */
    private List<String> below(Object predicate) {
        List<String> own = PATH.matcher(predicate.toString())
                .results()
                .map(MatchResult::group)
                .toList();
        List<String> around = nests.element();
        return own.isEmpty()
                ? around
                : around.stream()
                        .flatMap(outer -> own.stream().map(inner -> outer + inner))
                        .toList();
    }
}
