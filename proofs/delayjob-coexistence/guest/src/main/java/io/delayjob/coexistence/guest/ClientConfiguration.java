package io.delayjob.coexistence.guest;

import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.Config;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A Redisson client of the application's own. It has another database than the rest of the application, and so tells itself apart. */
@Configuration(proxyBeanMethods = false)
public class ClientConfiguration {

    /** The number of its database. */
    public static final int DATABASE = 5;

    @Bean(destroyMethod = "shutdown")
    RedissonClient locks(@Value("${spring.data.redis.url}") String url) {
        Config config = new Config().setCodec(StringCodec.INSTANCE);
        config.useSingleServer().setAddress(url).setDatabase(DATABASE);
        return Redisson.create(config);
    }
}
