package io.delayjob.coexistence.guest;

import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.Config;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A Redisson client of the application's own. */
@Configuration(proxyBeanMethods = false)
public class ClientConfiguration {

    @Bean(destroyMethod = "shutdown")
    RedissonClient locks(@Value("${spring.data.redis.url}") String url) {
        Config config = new Config().setCodec(StringCodec.INSTANCE);
        config.useSingleServer().setAddress(url);
        return Redisson.create(config);
    }
}
