package io.delayjob.embedded.autoconfigure;

import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.ConfigurationPropertyState;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Matches if no setting says where Redis is: not in a file, on the command line, in the environment or anywhere else. */
final class NoRedisConfigured implements Condition {

    static final ConfigurationPropertyName REDISSON = ConfigurationPropertyName.of("spring.redis.redisson");

    static final ConfigurationPropertyName DELAYJOB = ConfigurationPropertyName.of("delayjob.redis");

    private static final ConfigurationPropertyName REDIS = ConfigurationPropertyName.of("spring.data.redis");

    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
        return in(context.getEnvironment());
    }

    static boolean in(Environment environment) {
        return Stream.of(REDIS, REDISSON, DELAYJOB).noneMatch(prefix -> isSet(environment, prefix));
    }

    static boolean isSet(Environment environment, ConfigurationPropertyName prefix) {
        Iterable<ConfigurationPropertySource> sources = ConfigurationPropertySources.get(environment);
        return StreamSupport.stream(sources.spliterator(), false)
                .anyMatch(source -> source.containsDescendantOf(prefix) == ConfigurationPropertyState.PRESENT);
    }
}
