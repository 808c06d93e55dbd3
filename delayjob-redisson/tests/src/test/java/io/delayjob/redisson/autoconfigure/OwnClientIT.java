package io.delayjob.redisson.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.DelayJobAdmin;
import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobRequest;
import io.delayjob.JobSnapshot;
import io.delayjob.testing.OwnRedis;
import io.delayjob.testing.RealRedis;
import io.delayjob.testing.RedisServer;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.redisson.api.RedissonClient;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** An application whose client is delayjob's alone. */
@RealRedis
class OwnClientIT {

    private final String queue = TestApplication.queue();

    /** An application with one job. */
    @Configuration(proxyBeanMethods = false)
    @Import(ParcelJob.class)
    static class App {}

    /** Submits its last job when it is destroyed. */
    static final class LastWord implements DisposableBean {

        private final DelayJobProducer producer;

        LastWord(DelayJobProducer producer) {
            this.producer = producer;
        }

        @Override
        public void destroy() {
            producer.submitDelayJob(
                    DelayJobRequest.of(ParcelJob.class, new Parcel("last", 1)).withId("last"), Duration.ofHours(1));
        }
    }

    @Test
    void isShutDownAfterAllThatSubmits() {
        TestApplication.runner(queue)
                .withBean(ParcelJob.class)
                .withBean(LastWord.class)
                .run(context -> {
                    RedissonClient client = TestApplication.redisson(context);
                    assertThat(client.isShutdown()).isFalse();
                    context.close();
                    assertThat(client.isShutdown()).isTrue();
                });
        TestApplication.runner(queue)
                .run(context -> assertThat(context.getBean(DelayJobAdmin.class).find(queue, "last"))
                        .map(JobSnapshot::id)
                        .contains("last"));
    }

    @Test
    void goesToTheRedisOfTheJobsWhereThatIsAnother() {
        try (OwnRedis cache = OwnRedis.start();
                ConfigurableApplicationContext app = TestApplication.start(App.class, new String[] {
                    "spring.data.redis.url=" + cache.url(),
                    "delayjob.redis.url=" + RedisServer.shared().url(),
                    "delayjob.default-queue=" + queue
                })) {
            cache.kill();
            app.getBean(DelayJobProducer.class)
                    .submitDelayJob(ParcelJob.class, new Parcel("elsewhere", 1), Duration.ZERO);
            app.getBean(Inbox.class).awaitExactly(new Parcel("elsewhere", 1));
        }
    }
}
