package io.delayjob.server.autoconfigure;

import io.delayjob.server.autoconfigure.Collisions.Route;
import java.util.Map;
import java.util.stream.Stream;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** Compares the routes of a Spring MVC application with the paths that delayjob serves. */
record ServletRoutes(Collisions collisions, ObjectProvider<RequestMappingHandlerMapping> mappings)
        implements SmartInitializingSingleton {

    @Override
    public void afterSingletonsInstantiated() {
        collisions.check(mappings.stream()
                .flatMap(mapping -> mapping.getHandlerMethods().entrySet().stream())
                .flatMap(ServletRoutes::routes));
    }

    private static Stream<Route> routes(Map.Entry<RequestMappingInfo, HandlerMethod> served) {
        HandlerMethod handler = served.getValue();
        return served.getKey().getPatternValues().stream()
                .map(pattern -> new Route(pattern, handler.getBeanType(), handler.getShortLogMessage()));
    }
}
