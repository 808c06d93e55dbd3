package io.delayjob.server.autoconfigure;

import io.delayjob.server.autoconfigure.Collisions.Route;
import java.util.Map;
import java.util.stream.Stream;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.reactive.result.method.RequestMappingInfo;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerMapping;

/** Compares the routes of a WebFlux application with the paths that delayjob serves. */
record ReactiveRoutes(Collisions collisions, ObjectProvider<RequestMappingHandlerMapping> mappings)
        implements SmartInitializingSingleton {

    @Override
    public void afterSingletonsInstantiated() {
        collisions.check(mappings.stream()
                .flatMap(mapping -> mapping.getHandlerMethods().entrySet().stream())
                .flatMap(ReactiveRoutes::routes));
    }

    private static Stream<Route> routes(Map.Entry<RequestMappingInfo, HandlerMethod> served) {
        HandlerMethod handler = served.getValue();
        return served.getKey().getPatternsCondition().getPatterns().stream()
                .map(pattern -> pattern.getPatternString())
                .map(pattern -> new Route(pattern, handler.getBeanType(), handler.getShortLogMessage()));
    }
}
