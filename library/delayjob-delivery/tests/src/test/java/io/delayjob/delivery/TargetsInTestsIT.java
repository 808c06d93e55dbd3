package io.delayjob.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobRequest;
import io.delayjob.test.DelayJobTest;
import io.delayjob.test.SubmittedJobs;
import io.delayjob.test.VirtualClock;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;

/** An application that delivers, in a test by {@code delayjob-test}: it has no Redis, and its targets are not there. */
@DelayJobTest(
        classes = TargetsInTestsIT.Application.class,
        properties = {
            "delayjob.delivery.topics.paid.target=https://shop.invalid/paid",
            "delayjob.queues.paid.max-attempts=20",
            "spring.cloud.discovery.enabled=false",
            "spring.cloud.loadbalancer.enabled=false"
        })
class TargetsInTestsIT {

    @EnableAutoConfiguration
    static class Application {

        @Bean
        Binding sent() {
            return Binding.of("sent", "lb://mails/sent").withQueue("mails");
        }
    }

    @Autowired
    private DelayJobProducer producer;

    @Autowired
    private DelayJobTargets targets;

    @Autowired
    private SubmittedJobs jobs;

    @Autowired
    private VirtualClock clock;

    @BeforeEach
    void hasOnlyTheBindingsOfPropertiesAndBeans() {
        assertThat(targets.list())
                .extracting(status -> status.binding().topic())
                .containsExactly("paid", "sent");
    }

    private void submit(String topic) {
        producer.submitDelayJob(DelayJobRequest.toTopic(topic, "42"), Duration.ofHours(1));
    }

    @Test
    void sendsSubmitsToTheQueuesOfTheBindings() {
        submit("paid");
        submit("sent");

        jobs.assertSubmitted("paid").inQueue("paid");
        jobs.assertSubmitted("sent").inQueue("mails");
    }

    @Test
    void deliversNothing() {
        submit("paid");

        assertThat(clock.drain()).isZero();
        jobs.assertNoneFailed();
    }

    @Test
    void bindsTopicsAtRunTime() {
        targets.bind(Binding.of("closed", "https://shop.invalid/closed").withQueue("orders"));
        submit("closed");

        jobs.assertSubmitted("closed").inQueue("orders");
    }

    @Test
    void bindsTopicsAtRunTimeOnceMore() {
        targets.bind(Binding.of("closed", "https://shop.invalid/closed"));
        assertThat(targets.unbind("paid")).isTrue();
        submit("closed");

        jobs.assertSubmitted("closed").inQueue("closed");
    }
}
