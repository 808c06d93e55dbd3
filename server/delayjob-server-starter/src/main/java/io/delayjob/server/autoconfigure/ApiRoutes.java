package io.delayjob.server.autoconfigure;

import io.delayjob.server.internal.web.ApiController;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.ApplicationContext;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.MethodIntrospector.MetadataLookup;
import org.springframework.web.reactive.result.method.RequestMappingInfo;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerMapping;

/** Adds the routes of the API to those that WebFlux serves, under the path of the API. */
final class ApiRoutes implements SmartInitializingSingleton {

    private final ApplicationContext context;
    private final RequestMappingHandlerMapping served;
    private final Annotations annotations;

    /**
     * Routes of a context.
     *
     * @param path the path of the API
     */
    ApiRoutes(ApplicationContext context, RequestMappingHandlerMapping served, String path) {
        this.context = context;
        this.served = served;
        this.annotations = new Annotations(path);
    }

    @Override
    public void afterSingletonsInstantiated() {
        for (String bean : context.getBeanNamesForAnnotation(ApiController.class)) {
            Class<?> type = Objects.requireNonNull(context.getType(bean));
            MetadataLookup<@Nullable RequestMappingInfo> routes = method -> annotations.route(method, type);
            MethodIntrospector.selectMethods(type, routes)
                    .forEach((method, route) -> served.registerMapping(Objects.requireNonNull(route), bean, method));
        }
    }

    /** Reads the routes of classes as WebFlux does, and serves none. */
    private static final class Annotations extends RequestMappingHandlerMapping {

        Annotations(String path) {
            setPathPrefixes(Map.of(path, type -> true));
            afterPropertiesSet();
        }

        @Override
        protected void initHandlerMethods() {}

        @Nullable RequestMappingInfo route(Method method, Class<?> type) {
            return getMappingForMethod(method, type);
        }
    }
}
