package io.delayjob.embedded.autoconfigure;

import java.util.List;
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

    /** Where Redis is, and how to log in there. Other properties, such as the timeout, are about any Redis. */
    private static final List<String> PLACE = List.of(
            "url", "host", "port", "database", "username", "password", "ssl", "sentinel", "cluster", "masterreplica");

    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
        return in(context.getEnvironment());
    }

    static boolean in(Environment environment) {
        return Stream.concat(PLACE.stream().map(REDIS::append), Stream.of(REDISSON, DELAYJOB))
                .noneMatch(name -> isSet(environment, name));
    }

    /** Whether a property, or one below it, has a value. */
    static boolean isSet(Environment environment, ConfigurationPropertyName name) {
        Iterable<ConfigurationPropertySource> sources = ConfigurationPropertySources.get(environment);
        return StreamSupport.stream(sources.spliterator(), false)
                .anyMatch(source -> source.getConfigurationProperty(name) != null
                        || source.containsDescendantOf(name) == ConfigurationPropertyState.PRESENT);
    }
}
