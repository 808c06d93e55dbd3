package io.delayjob.server.autoconfigure;

import io.delayjob.AsyncDelayJobAdmin;
import io.delayjob.DelayJobClaims;
import io.delayjob.DelayJobJournal;
import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobSchedules;
import io.delayjob.engine.DelayJobEngine;
import io.delayjob.redisson.autoconfigure.DelayJobRedis;
import io.delayjob.redisson.events.EventStream;
import io.delayjob.redisson.history.HistoryStore;
import io.delayjob.server.AccessResolver;
import io.delayjob.server.internal.servlet.ContainerObservation;
import io.delayjob.server.internal.servlet.HiddenToken;
import io.delayjob.server.internal.servlet.KnownCallers;
import io.delayjob.server.internal.web.CallersTrace;
import io.delayjob.server.internal.web.UnknownRoutes;
import io.delayjob.spring.autoconfigure.DelayJobProperties;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.context.event.ApplicationStartedEvent;
import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.boot.http.codec.CodecCustomizer;
import org.springframework.boot.web.context.reactive.AnnotationConfigReactiveWebApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.format.FormatterRegistry;
import org.springframework.http.HttpStatus;
import org.springframework.http.codec.ServerCodecConfigurer;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.util.ClassUtils;
import org.springframework.web.reactive.config.EnableWebFlux;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.server.adapter.WebHttpHandlerBuilder;
import reactor.core.publisher.Mono;

/**
 * The API in a context of its own, which has the routes, their filters and WebFlux, and of the application nothing but delayjob and the
 * properties. So neither serves the controllers of the other, and neither is subject to the other's advices, filters and JSON.
 */
final class ServletApi
        implements HttpHandler,
                SmartInitializingSingleton,
                SmartLifecycle,
                ApplicationListener<ApplicationStartedEvent>,
                DisposableBean {

    /** Types of the application's beans that the API uses. */
    private static final List<Class<?>> USED = List.of(
            DelayJobProducer.class,
            AsyncDelayJobAdmin.class,
            DelayJobClaims.class,
            DelayJobEngine.class,
            DelayJobProperties.class,
            DelayJobRedis.class,
            DelayJobSchedules.class,
            EventStream.class,
            HistoryStore.class);

    private final ConfigurableApplicationContext application;
    private final KnownCallers callers;
    private final AnnotationConfigReactiveWebApplicationContext routes =
            new AnnotationConfigReactiveWebApplicationContext();
    private volatile @Nullable HttpHandler handler;

    /**
     * The API in an application.
     *
     * @param callers tells the routes whom the application has authenticated
     */
    ServletApi(ConfigurableApplicationContext application, KnownCallers callers) {
        this.application = application;
        this.callers = callers;
    }

    /** The routes as a WebFlux application has them. */
    @Configuration(proxyBeanMethods = false)
    @EnableWebFlux
    @Import({DelayJobServerAutoConfiguration.class, UnknownRoutes.class, ContainerObservation.class})
    static class Routes implements WebFluxConfigurer {

        private final ObjectProvider<CodecCustomizer> codecs;

        Routes(ObjectProvider<CodecCustomizer> codecs) {
            this.codecs = codecs;
        }

        @Override
        public void configureHttpMessageCodecs(ServerCodecConfigurer configurer) {
            codecs.orderedStream().forEach(customizer -> customizer.customize(configurer));
        }

        @Override
        public void addFormatters(FormatterRegistry registry) {
            ApplicationConversionService.configure(registry);
        }
    }

    /** When the application has its beans, and before its server is open. */
    @Override
    public void afterSingletonsInstantiated() {
        routes.setDisplayName("delayjob's API");
        routes.setClassLoader(application.getClassLoader());
        routes.setEnvironment(application.getEnvironment());
        USED.forEach(type -> use(type.getName(), application.getBean(type)));
        application
                .getBeanProvider(DelayJobJournal.class)
                .ifAvailable(journal -> use(DelayJobJournal.class.getName(), journal));
        useDelivery();
        if (application.containsBean(AuthenticationCondition.SERVLET_FILTERS)) {
            useSpringSecurity();
        }
        use(CallersTrace.class.getName(), DelayJobServerAutoConfiguration.callersTrace(application));
        routes.register(Routes.class);
        application.getBeanProvider(AddedRoutes.class).forEach(added -> routes.register(added.configuration()));
        routes.refresh();
        handler = WebHttpHandlerBuilder.applicationContext(routes).build();
    }

    private void useSpringSecurity() {
        use(AuthenticationCondition.SERVLET_FILTERS, application.getBean(AuthenticationCondition.SERVLET_FILTERS));
        application
                .getBeanProvider(AccessResolver.class)
                .ifAvailable(resolver -> use(AccessResolver.class.getName(), resolver));
    }

    /** By name, because an application may have no delivery. */
    private void useDelivery() {
        for (String name : List.of("io.delayjob.delivery.DelayJobTargets", "io.delayjob.delivery.DelayJobClients")) {
            if (ClassUtils.isPresent(name, application.getClassLoader())) {
                application
                        .getBeanProvider(ClassUtils.resolveClassName(name, application.getClassLoader()))
                        .ifAvailable(bean -> use(name, bean));
            }
        }
    }

    private void use(String name, Object bean) {
        routes.getBeanFactory().registerSingleton(name, bean);
    }

    @Override
    public void onApplicationEvent(ApplicationStartedEvent started) {
        routes.publishEvent(started);
    }

    @Override
    public Mono<Void> handle(ServerHttpRequest request, ServerHttpResponse response) {
        HttpHandler routed = handler;
        if (routed == null) {
            response.setStatusCode(HttpStatus.SERVICE_UNAVAILABLE);
            return response.setComplete();
        }
        return callers.tell(routed.handle(inApplication(HiddenToken.restored(request)), response));
    }

    /** Routes are named by the whole path within the application, of which that of the servlet is a part. */
    private static ServerHttpRequest inApplication(ServerHttpRequest request) {
        HttpServletRequest servlet = ServerHttpRequestDecorator.getNativeRequest(request);
        return request.mutate().contextPath(servlet.getContextPath()).build();
    }

    @Override
    public void start() {
        routes.start();
    }

    /** Streams of events end before the container waits for them. */
    @Override
    public void stop() {
        routes.stop();
    }

    @Override
    public boolean isRunning() {
        return routes.isActive() && routes.isRunning();
    }

    @Override
    public void destroy() {
        routes.close();
    }
}
