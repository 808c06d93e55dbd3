package io.delayjob.embedded.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.embedded.EmbeddedRedis;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

final class NoRedisConfiguredTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner().withUserConfiguration(Marked.class);

    @Test
    void matchesIfNothingIsSet() {
        runner.withPropertyValues("embedded-redis.folder=x", "spring.data.redisson=x")
                .run(context -> assertThat(context).hasBean("marker"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "spring.data.redis.timeout=2s",
                "spring.data.redis.connect-timeout=2s",
                "spring.data.redis.client-name=me",
                "spring.data.redis.lettuce.pool.enabled=true",
                "spring.data.redis.repositories.enabled=false"
            })
    void matchesIfASettingSaysOnlyHowToUseRedis(String setting) {
        runner.withPropertyValues(setting).run(context -> assertThat(context).hasBean("marker"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "spring.data.redis.host=h",
                "spring.data.redis.port=1",
                "spring.data.redis.url=redis://h",
                "spring.data.redis.database=1",
                "spring.data.redis.username=u",
                "spring.data.redis.password=p",
                "spring.data.redis.masterreplica.nodes=h:1,h:2",
                "spring.data.redis.sentinel.master=m",
                "spring.data.redis.cluster.nodes[0]=h:1",
                "spring.data.redis.ssl.bundle=b",
                "spring.redis.redisson.file=f",
                "spring.redis.redisson.config=c",
                "delayjob.redis.host=h"
            })
    void doesNotMatchIfASettingSaysWhereRedisIs(String setting) {
        runner.withPropertyValues(setting).run(context -> assertThat(context).doesNotHaveBean("marker"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SPRING_DATA_REDIS_HOST",
                "SPRING_DATA_REDIS_URL",
                "SPRING_DATA_REDIS_CLUSTER_NODES",
                "SPRING_DATA_REDIS_CLUSTER_NODES_0",
                "SPRING_REDIS_REDISSON_FILE"
            })
    void readsTheEnvironmentToo(String variable) {
        runner.withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .replace(
                                StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                                new SystemEnvironmentPropertySource(
                                        StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                                        Map.of(variable, "x"))))
                .run(context ->
                        assertThat(context).doesNotHaveBean(EmbeddedRedis.class).doesNotHaveBean("marker"));
    }

    @Configuration(proxyBeanMethods = false)
    @Conditional(NoRedisConfigured.class)
    static class Marked {

        @Bean
        String marker() {
            return "no Redis is configured";
        }
    }
}
