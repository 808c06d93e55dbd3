package io.delayjob.server.autoconfigure;

import io.delayjob.server.AccessResolver;
import io.delayjob.server.internal.security.ApiFirewall;
import io.delayjob.server.internal.security.Authorities;
import io.delayjob.server.internal.security.PrincipalFilter;
import io.delayjob.server.internal.security.QueuesClaim;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.security.oauth2.jwt.ReactiveJwtDecoder;
import org.springframework.security.web.server.firewall.ServerWebExchangeFirewall;

/** For applications in which Spring Security says what a caller may do. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(name = "org.springframework.security.web.server.WebFilterChainProxy")
@Conditional(AuthenticationCondition.OnSpringSecurity.class)
class SpringSecurityConfiguration {

    private static final String WEB_TOKEN =
            "org.springframework.security.oauth2.server.resource.authentication.AbstractOAuth2TokenAuthenticationToken";

    @Bean
    PrincipalFilter delayJobPrincipals(AccessResolver resolver) {
        return new PrincipalFilter(resolver);
    }

    @Bean
    @ConditionalOnMissingBean
    ServerWebExchangeFirewall delayJobFirewall() {
        return new ApiFirewall();
    }

    /** Where there are JSON Web Tokens. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = WEB_TOKEN)
    static class WebTokens {

        @Bean
        @ConditionalOnMissingBean
        AccessResolver delayJobAccessResolver(DelayJobServerProperties properties) {
            DelayJobServerProperties.Security security = properties.security();
            return new QueuesClaim(new Authorities(security.authorityPrefix()), security.queuesClaim());
        }
    }

    /** Where Spring Security reads them, and the application has no chain of its own. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ReactiveJwtDecoder.class)
    @ConditionalOnBean(ReactiveJwtDecoder.class)
    @Conditional(OnBootsChain.Reactive.class)
    @Import(ApiSecurity.class)
    static class Chain {}

    /** Where there are none. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingClass(WEB_TOKEN)
    static class Others {

        @Bean
        @ConditionalOnMissingBean
        AccessResolver delayJobAccessResolver(DelayJobServerProperties properties) {
            return new Authorities(properties.security().authorityPrefix());
        }
    }
}
