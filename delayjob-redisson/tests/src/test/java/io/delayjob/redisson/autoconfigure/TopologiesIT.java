package io.delayjob.redisson.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.DelayJobProducer;
import io.delayjob.testing.OwnCluster;
import io.delayjob.testing.OwnSentinel;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Boot applications whose Redis is more than one server: nothing but {@code spring.data.redis.*} says so. */
class TopologiesIT {

    private final String queue = TestApplication.queue();

    /** An application with one job. */
    @Configuration(proxyBeanMethods = false)
    @Import(ParcelJob.class)
    static class App {}

    @Test
    void runsAJobUnderSentinel() {
        try (OwnSentinel servers = OwnSentinel.start()) {
            runsAJob(
                    "spring.data.redis.sentinel.master=" + servers.masterName(),
                    "spring.data.redis.sentinel.nodes=" + String.join(",", servers.sentinels()));
        }
    }

    @Test
    void runsAJobUnderTheOneSentinelThatIsThere() {
        try (OwnSentinel servers = OwnSentinel.start()) {
            servers.leaveOneSentinel();
            runsAJob(
                    "spring.data.redis.sentinel.master=" + servers.masterName(),
                    "spring.data.redis.sentinel.nodes=" + servers.sentinels().get(0),
                    "delayjob.fail-fast=false");
        }
    }

    @Test
    void runsJobsOfAQueueOfSeveralShardsOnACluster() {
        try (OwnCluster cluster = OwnCluster.start(3)) {
            // No replica takes over from a master that stands still with the machine.
            cluster.configure("cluster-node-timeout", "60000");
            runsAJob(
                    "spring.data.redis.cluster.nodes=" + String.join(",", cluster.addresses()),
                    "delayjob.queues." + queue + ".shards=12");
        }
    }

    private void runsAJob(String... properties) {
        String[] all = Stream.concat(Stream.of("delayjob.default-queue=" + queue), Stream.of(properties))
                .toArray(String[]::new);
        try (ConfigurableApplicationContext app = TestApplication.start(App.class, all)) {
            assertThat(TestApplication.redisson(app).getConfig().isSingleConfig())
                    .isFalse();
            app.getBean(DelayJobProducer.class)
                    .submitDelayJob(ParcelJob.class, new Parcel("kept", 1), Duration.ofMillis(300));
            app.getBean(Inbox.class).awaitExactly(new Parcel("kept", 1));
        }
    }
}
