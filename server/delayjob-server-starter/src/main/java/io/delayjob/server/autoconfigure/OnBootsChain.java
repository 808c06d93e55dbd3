package io.delayjob.server.autoconfigure;

import java.util.stream.Stream;
import org.springframework.beans.factory.annotation.AnnotatedBeanDefinition;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.server.SecurityWebFilterChain;

/**
 * Matches if Boot's chain of Spring Security protects the application, which has none of its own. Without Boot's, one for the API alone
 * would leave the rest open.
 */
abstract class OnBootsChain extends SpringBootCondition implements ConfigurationCondition {

    private final Class<?> kind;

    OnBootsChain(Class<?> kind) {
        this.kind = kind;
    }

    /** In a WebFlux application. */
    static final class Reactive extends OnBootsChain {
        Reactive() {
            super(SecurityWebFilterChain.class);
        }
    }

    /** On a servlet container. */
    static final class Servlet extends OnBootsChain {
        Servlet() {
            super(SecurityFilterChain.class);
        }
    }

    @Override
    public ConfigurationPhase getConfigurationPhase() {
        return ConfigurationPhase.REGISTER_BEAN;
    }

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        ConfigurableListableBeanFactory beans = context.getBeanFactory();
        String[] chains = beans == null ? new String[0] : beans.getBeanNamesForType(kind, false, false);
        boolean boots = chains.length > 0
                && beans != null
                && Stream.of(chains).map(beans::getBeanDefinition).allMatch(OnBootsChain::isBoots);
        return new ConditionOutcome(boots, "chains of Spring Security: " + String.join(", ", chains));
    }

    private static boolean isBoots(BeanDefinition chain) {
        return chain instanceof AnnotatedBeanDefinition made
                && made.getFactoryMethodMetadata() != null
                && made.getFactoryMethodMetadata().getDeclaringClassName().startsWith("org.springframework.boot.");
    }
}
