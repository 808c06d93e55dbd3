package io.delayjob.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.DelayJobListener;
import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobRequest;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** An application whose beans are made when they are needed. */
@DelayJobTest(classes = LazyBeansTest.Beans.class, properties = "spring.main.lazy-initialization=true")
class LazyBeansTest {

    interface Alarm {}

    static class Bell implements Alarm {

        @DelayJobListener(topic = "alarm")
        void ring() {}
    }

    static class Unneeded {}

    @Configuration(proxyBeanMethods = false)
    static class Beans {

        @Bean
        Alarm alarm() {
            return new Bell();
        }

        @Bean
        Unneeded unneeded(ObjectProvider<String> notes) {
            throw new IllegalStateException("nobody needs this bean");
        }
    }

    @Autowired
    private DelayJobProducer producer;

    @Autowired
    private VirtualClock clock;

    @Autowired
    private SubmittedJobs jobs;

    @Test
    void findsTheListenerOfABeanThatIsDeclaredAsAnInterface() {
        producer.submitDelayJob(DelayJobRequest.toTopic("alarm", "now"), Duration.ofHours(1));

        assertThat(clock.drain()).isEqualTo(1);
        jobs.assertCompleted("alarm");
    }
}
