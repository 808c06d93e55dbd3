package io.delayjob.server.autoconfigure;

import io.delayjob.DelayJobClaims;
import io.delayjob.redisson.autoconfigure.DelayJobRedis;
import io.delayjob.redisson.events.EventStream;
import io.delayjob.server.internal.web.Api;
import io.delayjob.spring.autoconfigure.DelayJobAutoConfiguration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.ServletContextInitializer;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.http.server.reactive.ServletHttpHandlerAdapter;

/**
 * Serves the HTTP API under {@code /api/v1} in an application on a servlet container, such as one on Spring MVC. Switched off by
 * {@code delayjob.server.enabled=false}.
 */
@AutoConfiguration(
        after = DelayJobAutoConfiguration.class,
        afterName = "io.delayjob.journal.autoconfigure.DelayJobJournalAutoConfiguration")
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnProperty(name = "delayjob.server.enabled", matchIfMissing = true)
@ConditionalOnBean({DelayJobClaims.class, DelayJobRedis.class, EventStream.class})
public final class DelayJobServletServerAutoConfiguration {

    private DelayJobServletServerAutoConfiguration() {}

    @Bean
    static ServletApi delayJobServletApi(ConfigurableApplicationContext application) {
        return new ServletApi(application);
    }

    @Bean
    static ServletRegistrationBean<ServletHttpHandlerAdapter> delayJobServlet(ServletApi api) {
        return servlet(api, "delayJobServlet", Api.BASE + "/*");
    }

    /** A servlet for each pattern, because each takes one. */
    @Bean
    static ServletContextInitializer delayJobAddedServlets(ServletApi api, ObjectProvider<AddedRoutes> added) {
        return context -> {
            for (AddedRoutes routes : added) {
                servlet(api, "delayJobServlet " + routes.pattern(), routes.pattern())
                        .onStartup(context);
            }
        };
    }

    /** Waiting claims take none of the container's threads: the servlet is asynchronous. */
    private static ServletRegistrationBean<ServletHttpHandlerAdapter> servlet(
            ServletApi api, String name, String pattern) {
        ServletRegistrationBean<ServletHttpHandlerAdapter> servlet =
                new ServletRegistrationBean<>(new ServletHttpHandlerAdapter(api), pattern);
        servlet.setName(name);
        return servlet;
    }
}
