package io.delayjob.redisson.migration;

import io.delayjob.DelayJob;
import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobRequest;
import io.delayjob.redisson.migration.OldComponent.DeplayJobDTO;
import java.util.concurrent.TimeUnit;

class ComponentProducer {

    private final DelayJobProducer producer;

    ComponentProducer(DelayJobProducer producer) {
        this.producer = producer;
    }

    /** As before: callers need not change. */
    void submitDelayJob(DeplayJobDTO<?> job, Long delayTime, TimeUnit timeUnit) {
        producer.submitDelayJob(request(job), delayTime, timeUnit);
    }

    /** The job that an element of the old queue stands for. */
    @SuppressWarnings("unchecked")
    static DelayJobRequest<?> request(DeplayJobDTO<?> job) {
        Class<? extends DelayJob<Object>> bean = (Class<? extends DelayJob<Object>>) job.getClazz();
        return DelayJobRequest.of(bean, job.getParam());
    }
}
