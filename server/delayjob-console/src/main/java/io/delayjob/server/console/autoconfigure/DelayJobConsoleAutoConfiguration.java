package io.delayjob.server.console.autoconfigure;

import io.delayjob.DelayJobClaims;
import io.delayjob.redisson.autoconfigure.DelayJobRedis;
import io.delayjob.redisson.history.HistoryStore;
import io.delayjob.server.autoconfigure.AddedRoutes;
import io.delayjob.server.autoconfigure.DelayJobServerAutoConfiguration;
import io.delayjob.server.autoconfigure.DelayJobServletServerAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;

/** Serves the console, with the rights of the HTTP API, which need not be served. Switched off by {@code delayjob.console.enabled=false}. */
@AutoConfiguration(after = {DelayJobServerAutoConfiguration.class, DelayJobServletServerAutoConfiguration.class})
@ConditionalOnProperty(name = "delayjob.console.enabled", matchIfMissing = true)
@ConditionalOnBean({DelayJobClaims.class, DelayJobRedis.class, HistoryStore.class})
public final class DelayJobConsoleAutoConfiguration {

    private DelayJobConsoleAutoConfiguration() {}

    /** In a WebFlux application. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
    @Import(ConsoleRoutes.class)
    static class OnWebFlux {}

    /** On a servlet container. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    static class OnServlet {

        @Bean
        static AddedRoutes delayJobConsoleRoutes(Environment environment) {
            String path = environment.getProperty("delayjob.console.path", "/console");
            return new AddedRoutes(path + "/*", ConsoleRoutes.class);
        }
    }
}
