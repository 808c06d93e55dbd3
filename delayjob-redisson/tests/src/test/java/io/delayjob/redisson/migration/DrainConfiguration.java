package io.delayjob.redisson.migration;

import io.delayjob.DelayJobProducer;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.Codec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration
class DrainConfiguration {

    private static final Logger log = LoggerFactory.getLogger(DrainConfiguration.class);

    @Bean
    @ConditionalOnProperty("drain-old-queue")
    ApplicationRunner drainOldQueue(RedissonClient redisson, DelayJobProducer producer) {
        return arguments -> {
            Codec codec = redisson.getConfig().getCodec();
            int moved = new OldQueueDrain(redisson, producer, codec).drain("orders-to-close", "close-order");
            log.info("{} orders came over from the old queue", moved);
        };
    }
}
