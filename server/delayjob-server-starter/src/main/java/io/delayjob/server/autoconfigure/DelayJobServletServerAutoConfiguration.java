package io.delayjob.server.autoconfigure;

import io.delayjob.DelayJobClaims;
import io.delayjob.redisson.autoconfigure.DelayJobRedis;
import io.delayjob.redisson.events.EventStream;
import io.delayjob.server.internal.servlet.ApiServlet;
import io.delayjob.server.internal.servlet.KnownCallers;
import io.delayjob.server.internal.servlet.ServletRoute;
import io.delayjob.spring.autoconfigure.DelayJobAutoConfiguration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.web.servlet.ServletContextInitializer;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.servlet.HandlerMapping;

/**
 * Serves the HTTP API and the older protocols in an application on a servlet container, such as one on Spring MVC, each if its property says so,
 * and has what the console needs. The API is switched off by {@code delayjob.server.enabled=false}.
 */
@AutoConfiguration(
        after = DelayJobAutoConfiguration.class,
        afterName = {
            "io.delayjob.journal.autoconfigure.DelayJobJournalAutoConfiguration",
            "io.delayjob.delivery.autoconfigure.DelayJobDeliveryAutoConfiguration",
            "org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration",
            "org.springframework.boot.security.oauth2.server.resource.autoconfigure.web.OAuth2ResourceServerWebSecurityAutoConfiguration"
        })
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@Conditional(Served.OnAnything.class)
@ConditionalOnBean({DelayJobClaims.class, DelayJobRedis.class, EventStream.class})
@EnableConfigurationProperties(DelayJobServerProperties.class)
@Import({ServletSecurityConfiguration.class, ProtocolQueues.class})
public final class DelayJobServletServerAutoConfiguration {

    private DelayJobServletServerAutoConfiguration() {}

    @Bean
    static ServletApi delayJobServletApi(
            ConfigurableApplicationContext application, ObjectProvider<KnownCallers> callers) {
        return new ServletApi(application, callers.getIfAvailable(() -> work -> work));
    }

    @Bean
    @Conditional(Served.OnApi.class)
    static ServletRegistrationBean<ApiServlet> delayJobServlet(ServletApi api, DelayJobServerProperties properties) {
        String path = properties.path();
        return servlet(api, ServletRoute.SERVLET, path + "/*");
    }

    @Bean
    static StartLog delayJobStartLog(ApplicationContext context, DelayJobServerProperties properties) {
        Served served = new Served(context.getEnvironment(), context.getClassLoader());
        return new StartLog(served, properties, context.getEnvironment());
    }

    /** For applications on Spring MVC. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping")
    static class Mvc {

        @Bean
        ServletRoutes delayJobRoutesOfApplication(
                ApplicationContext context,
                DelayJobServerProperties properties,
                ObjectProvider<HandlerMapping> mappings) {
            Served served = new Served(context.getEnvironment(), context.getClassLoader());
            return new ServletRoutes(new Collisions(served.paths(properties)), mappings);
        }
    }

    /** A servlet for each pattern, because each takes one. */
    @Bean
    static ServletContextInitializer delayJobAddedServlets(ServletApi api, ObjectProvider<AddedRoutes> added) {
        return context -> {
            for (AddedRoutes routes : added) {
                String pattern = routes.pattern();
                servlet(api, ServletRoute.SERVLET + " " + pattern, pattern).onStartup(context);
            }
        };
    }

    /** Waiting claims take none of the container's threads: the servlet is asynchronous. */
    private static ServletRegistrationBean<ApiServlet> servlet(ServletApi api, String name, String pattern) {
        ServletRegistrationBean<ApiServlet> registration =
                new ServletRegistrationBean<>(new ApiServlet(api, pattern), pattern);
        registration.setName(name);
        return registration;
    }

    /** A servlet each, because the adapter takes one mapping. */
    @Bean
    static ServletContextInitializer delayJobProtocolServlets(ServletApi api, DelayJobServerProperties properties) {
        return context -> {
            for (String mapping : ProtocolRoutes.mappings(properties.protocols())) {
                servlet(api, ServletRoute.servletOf(mapping), mapping).onStartup(context);
            }
        };
    }
}
