package io.delayjob.redisson.migration;

import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobRequest;
import io.delayjob.redisson.migration.OldComponent.DeplayJobDTO;
import org.redisson.api.RedissonClient;

class ComponentDrain extends OldQueueDrain {

    ComponentDrain(RedissonClient redisson, DelayJobProducer producer) {
        super(redisson, producer);
    }

    @Override
    DelayJobRequest<?> request(String topic, Object element) {
        return ComponentProducer.request((DeplayJobDTO<?>) element);
    }
}
