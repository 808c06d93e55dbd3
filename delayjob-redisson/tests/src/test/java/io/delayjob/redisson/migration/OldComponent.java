package io.delayjob.redisson.migration;

import java.io.Serializable;
import java.util.concurrent.TimeUnit;
import org.redisson.api.RDelayedQueue;
import org.redisson.api.RedissonClient;

/** A component on Redisson as many applications have it: jobs are beans, named by their class in what is queued. */
@SuppressWarnings({"NullAway.Init", "deprecation", "serial"})
final class OldComponent {

    private OldComponent() {}

    /** A bean that runs. */
    interface DelayJob<T> {
        void execute(DeplayJobDTO<T> deplayJobDTO);
    }

    /** An element of the queue: a param, and the class of the bean that runs it. */
    static class DeplayJobDTO<T> implements Serializable {

        private T param;
        private Class<?> clazz;

        T getParam() {
            return param;
        }

        void setParam(T param) {
            this.param = param;
        }

        Class<?> getClazz() {
            return clazz;
        }

        void setClazz(Class<?> clazz) {
            this.clazz = clazz;
        }
    }

    /** Queues it. */
    static class DelayJobProducerImpl {

        private final RDelayedQueue<DeplayJobDTO<?>> delayed;

        DelayJobProducerImpl(RedissonClient redisson, String queueName) {
            this.delayed = redisson.getDelayedQueue(redisson.getBlockingQueue(queueName));
        }

        void submitDelayJob(DeplayJobDTO<?> dto, Long delayTime, TimeUnit timeUnit) {
            delayed.offer(dto, delayTime, timeUnit);
        }
    }
}
