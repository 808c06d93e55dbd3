package io.delayjob.server.autoconfigure;

import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.util.ClassUtils;

/** Matches by who says what a caller may do. */
abstract class AuthenticationCondition extends SpringBootCondition implements ConfigurationCondition {

    /** The bean that is Spring Security on a servlet container. */
    static final String SERVLET_FILTERS = "springSecurityFilterChain";

    private static final String FILTERS = "org.springframework.security.web.server.WebFilterChainProxy";

    private final Set<Authentication> matching;

    AuthenticationCondition(Authentication first, Authentication... others) {
        matching = EnumSet.of(first, others);
    }

    /** Callers may have tokens. */
    static final class OnTokens extends AuthenticationCondition {
        OnTokens() {
            super(Authentication.TOKENS, Authentication.BOTH);
        }
    }

    /** Callers may have been authenticated by Spring Security. */
    static final class OnSpringSecurity extends AuthenticationCondition {
        OnSpringSecurity() {
            super(Authentication.SPRING_SECURITY, Authentication.BOTH);
        }
    }

    /** Spring Security is to decide, but the application does not have it. */
    static final class OnSpringSecurityMissing extends AuthenticationCondition {
        OnSpringSecurityMissing() {
            super(Authentication.SPRING_SECURITY, Authentication.BOTH);
        }

        @Override
        public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
            return hasSpringSecurity(context)
                    ? ConditionOutcome.noMatch("there is Spring Security")
                    : super.getMatchOutcome(context, metadata);
        }
    }

    @Override
    public ConfigurationPhase getConfigurationPhase() {
        return ConfigurationPhase.REGISTER_BEAN;
    }

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        Authentication decides = Binder.get(context.getEnvironment())
                .bind("delayjob.server.authentication", Authentication.class)
                .orElse(Authentication.AUTO);
        if (decides == Authentication.AUTO) {
            decides = hasSpringSecurity(context) ? Authentication.SPRING_SECURITY : Authentication.TOKENS;
        }
        return new ConditionOutcome(matching.contains(decides), "callers are known by " + decides);
    }

    static boolean hasSpringSecurity(ConditionContext context) {
        ConfigurableListableBeanFactory beans = context.getBeanFactory();
        return beans != null && (beans.containsBean(SERVLET_FILTERS) || hasFilters(beans, context.getClassLoader()));
    }

    private static boolean hasFilters(ConfigurableListableBeanFactory beans, @Nullable ClassLoader classes) {
        return ClassUtils.isPresent(FILTERS, classes)
                && BeanFactoryUtils.beanNamesForTypeIncludingAncestors(
                                        beans, ClassUtils.resolveClassName(FILTERS, classes), false, false)
                                .length
                        > 0;
    }
}
