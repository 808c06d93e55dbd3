package io.delayjob.server.autoconfigure;

import io.delayjob.server.internal.access.FilterOrder;
import io.delayjob.server.internal.security.ServletApiFirewall;
import io.delayjob.server.internal.security.ServletApiSecurity;
import io.delayjob.server.internal.security.ServletCallers;
import io.delayjob.server.internal.servlet.HiddenToken;
import io.delayjob.server.internal.servlet.KnownCallers;
import java.util.ArrayList;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.context.SecurityContextHolderStrategy;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.firewall.HttpFirewall;

/** For applications on a servlet container that have Spring Security: what is before the API's servlet. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(SecurityFilterChain.class)
@ConditionalOnBean(name = AuthenticationCondition.SERVLET_FILTERS)
class ServletSecurityConfiguration {

    /** Where it says what a caller may do. */
    @Configuration(proxyBeanMethods = false)
    @Conditional(AuthenticationCondition.OnSpringSecurity.class)
    static class Deciding {

        @Bean
        KnownCallers delayJobKnownCallers(ObjectProvider<SecurityContextHolderStrategy> holder) {
            return new ServletCallers(holder.getIfAvailable(SecurityContextHolder::getContextHolderStrategy));
        }

        @Bean
        @ConditionalOnMissingBean
        HttpFirewall delayJobFirewall() {
            return new ServletApiFirewall();
        }
    }

    /** Where it reads JSON Web Tokens, and the application has no chain of its own. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(JwtDecoder.class)
    @ConditionalOnBean(JwtDecoder.class)
    @Conditional({AuthenticationCondition.OnSpringSecurity.class, OnBootsChain.Servlet.class})
    @Import(ServletApiSecurity.class)
    static class Chain {}

    /** Where tokens of the API say it. */
    @Configuration(proxyBeanMethods = false)
    @Conditional(AuthenticationCondition.OnTokens.class)
    static class Tokens {

        @Bean
        FilterRegistrationBean<HiddenToken> delayJobHiddenToken(
                DelayJobServerProperties properties, ApplicationContext context) {
            FilterRegistrationBean<HiddenToken> filter =
                    new FilterRegistrationBean<>(new HiddenToken(properties.tokensAlone()));
            List<String> patterns = new ArrayList<>(ProtocolRoutes.mappings(properties.protocols()));
            if (new Served(context.getEnvironment(), context.getClassLoader()).api()) {
                patterns.add(properties.path() + "/*");
            }
            filter.setUrlPatterns(patterns);
            // Without a pattern it would be for all paths.
            filter.setEnabled(!patterns.isEmpty());
            filter.setOrder(FilterOrder.TOKEN);
            return filter;
        }
    }
}
