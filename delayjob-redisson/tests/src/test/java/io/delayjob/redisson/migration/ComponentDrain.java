package io.delayjob.redisson.migration;

import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobRequest;
import io.delayjob.redisson.migration.OldComponent.DeplayJobDTO;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.Codec;

class ComponentDrain extends OldQueueDrain {

    ComponentDrain(RedissonClient redisson, DelayJobProducer producer, Codec codec) {
        super(redisson, producer, codec);
    }

    @Override
    DelayJobRequest<?> request(String topic, Object element) {
        return ComponentProducer.request((DeplayJobDTO<?>) element);
    }
}
