package io.delayjob.server.autoconfigure;

import io.delayjob.DelayJobClaims;
import io.delayjob.redisson.autoconfigure.DelayJobRedis;
import io.delayjob.redisson.events.EventStream;
import io.delayjob.server.internal.web.Api;
import io.delayjob.spring.autoconfigure.DelayJobAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.web.servlet.ServletContextInitializer;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
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
@EnableConfigurationProperties(DelayJobServerProperties.class)
@Import(ProtocolQueues.class)
public final class DelayJobServletServerAutoConfiguration {

    private DelayJobServletServerAutoConfiguration() {}

    @Bean
    static ServletApi delayJobServletApi(ConfigurableApplicationContext application) {
        return new ServletApi(application);
    }

    /** Waiting claims take none of the container's threads: the servlet is asynchronous. */
    @Bean
    static ServletRegistrationBean<ServletHttpHandlerAdapter> delayJobServlet(ServletApi api) {
        ServletRegistrationBean<ServletHttpHandlerAdapter> servlet =
                new ServletRegistrationBean<>(new ServletHttpHandlerAdapter(api), Api.BASE + "/*");
        servlet.setName("delayJobServlet");
        return servlet;
    }

    /** A servlet each, because the adapter takes one mapping. */
    @Bean
    static ServletContextInitializer delayJobProtocolServlets(ServletApi api, DelayJobServerProperties properties) {
        return context -> {
            for (String mapping : ProtocolRoutes.mappings(properties.protocols())) {
                ServletRegistrationBean<ServletHttpHandlerAdapter> servlet =
                        new ServletRegistrationBean<>(new ServletHttpHandlerAdapter(api), mapping);
                servlet.setName("delayJobServlet" + mapping);
                servlet.onStartup(context);
            }
        };
    }
}
