package io.delayjob.spring.autoconfigure;

import io.delayjob.engine.extension.WorkerThreads;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnThreading;
import org.springframework.boot.thread.Threading;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.VirtualThreadTaskExecutor;

/** Where jobs run. */
@Configuration(proxyBeanMethods = false)
class ThreadsConfiguration {

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnThreading(Threading.VIRTUAL)
    WorkerThreads delayJobVirtualThreads() {
        return (queue, concurrency) -> WorkerThreads.pool(
                concurrency, new VirtualThreadTaskExecutor(WorkerThreads.namePrefix(queue)).getVirtualThreadFactory());
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnThreading(Threading.PLATFORM)
    WorkerThreads delayJobPlatformThreads() {
        return WorkerThreads.PLATFORM;
    }
}
