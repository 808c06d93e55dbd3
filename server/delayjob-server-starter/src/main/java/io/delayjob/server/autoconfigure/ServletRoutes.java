package io.delayjob.server.autoconfigure;

import io.delayjob.server.autoconfigure.Collisions.Route;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.core.io.Resource;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.RequestPredicate;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.support.RouterFunctionMapping;
import org.springframework.web.servlet.handler.AbstractUrlHandlerMapping;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** Compares the routes of a Spring MVC application with the paths that delayjob serves. */
record ServletRoutes(Collisions collisions, ObjectProvider<HandlerMapping> mappings)
        implements SmartInitializingSingleton {

    @Override
    public void afterSingletonsInstantiated() {
        collisions.check(mappings.stream().flatMap(ServletRoutes::routes));
    }

    private static Stream<Route> routes(HandlerMapping mapping) {
        if (mapping instanceof RequestMappingHandlerMapping methods) {
            return methods.getHandlerMethods().entrySet().stream().flatMap(ServletRoutes::ofMethod);
        } else if (mapping instanceof RouterFunctionMapping functions) {
            return Optional.<RouterFunction<?>>ofNullable(functions.getRouterFunction()).stream()
                    .flatMap(ServletRoutes::ofFunction);
        } else if (mapping instanceof AbstractUrlHandlerMapping paths) {
            return paths.getHandlerMap().entrySet().stream()
                    .map(served -> Route.of(served.getKey(), served.getValue()));
        }
        return Stream.empty();
    }

    private static Stream<Route> ofMethod(Map.Entry<RequestMappingInfo, HandlerMethod> served) {
        HandlerMethod handler = served.getValue();
        return served.getKey().getPatternValues().stream()
                .map(pattern -> new Route(pattern, handler.getBeanType(), handler.getShortLogMessage()));
    }

    private static Stream<Route> ofFunction(RouterFunction<?> function) {
        Walk walk = new Walk(new FunctionalRoutes());
        function.accept(walk);
        return walk.routes().found();
    }

    private record Walk(FunctionalRoutes routes) implements RouterFunctions.Visitor {

        @Override
        public void startNested(RequestPredicate predicate) {
            routes.enter(predicate);
        }

        @Override
        public void endNested(RequestPredicate predicate) {
            routes.leave();
        }

        @Override
        public void route(RequestPredicate predicate, HandlerFunction<?> handler) {
            routes.add(predicate, handler);
        }

        @Override
        public void resources(Function<ServerRequest, Optional<Resource>> lookup) {}

        @Override
        public void attributes(Map<String, Object> attributes) {}

        @Override
        public void unknown(RouterFunction<?> function) {}
    }
}
