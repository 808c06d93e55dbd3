package io.delayjob.redisson.autoconfigure;

import io.delayjob.DelayJobAdmin;
import io.delayjob.DelayJobListener;
import io.delayjob.DelayJobProducer;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;

/**
 * Sets up delayjob: a {@link DelayJobProducer}, a {@link DelayJobAdmin}, and what runs the jobs of beans and of methods marked
 * {@link DelayJobListener}. Jobs are kept with the {@code RedissonClient} of the application; without one, with a client of delayjob's
 * own, which is no bean. Every bean gives way to one of the application's own. Switched off by {@code delayjob.enabled=false}.
 */
@AutoConfiguration(
        after = JacksonAutoConfiguration.class,
        afterName = {
            "org.redisson.spring.starter.RedissonAutoConfigurationV4",
            "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration"
        })
@ConditionalOnProperty(name = "delayjob.enabled", matchIfMissing = true)
@EnableConfigurationProperties(DelayJobProperties.class)
@ImportRuntimeHints(ScriptHints.class)
@Import({
    ThreadsConfiguration.class,
    RedisConfiguration.class,
    // After what may offer a backend, which they are conditional on.
    ExtensionsConfiguration.class,
    EngineConfiguration.class
})
public final class DelayJobAutoConfiguration {

    private DelayJobAutoConfiguration() {}
}
