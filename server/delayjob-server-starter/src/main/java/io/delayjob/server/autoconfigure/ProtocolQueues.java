package io.delayjob.server.autoconfigure;

import io.delayjob.engine.settings.QueueFamily;
import io.delayjob.server.internal.protocols.delayqueue.DelayQueueController;
import io.delayjob.server.internal.protocols.mykit.MykitController;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** How queues of the protocols differ from others. */
@Configuration(proxyBeanMethods = false)
class ProtocolQueues {

    static boolean isTopic(String queue) {
        return queue.startsWith(DelayQueueController.QUEUES) || queue.startsWith(MykitController.QUEUES);
    }

    /** A job that nobody finishes is handed out again and again, unless the properties say how often. */
    @Bean
    static QueueFamily delayJobDelayQueues(DelayJobServerProperties properties) {
        Integer most = properties.protocols().delayQueue().maxAttempts();
        int maxAttempts = most == null ? Integer.MAX_VALUE : most;
        return new QueueFamily(
                DelayQueueController.QUEUES, settings -> settings.withAttempts(maxAttempts, Integer.MAX_VALUE));
    }

    /** A lease that ended is no sign of a harmful message here: its receiver hung up, or forgot it. */
    @Bean
    static QueueFamily delayJobMykitQueues() {
        return new QueueFamily(MykitController.QUEUES, settings -> settings.withQuarantineAfter(Integer.MAX_VALUE));
    }
}
