package io.delayjob.delivery;

import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobRequest;
import io.delayjob.QueueCounts;
import io.delayjob.delivery.BindingStatus.State;
import io.delayjob.delivery.ReceiverProcess.Taken;
import io.delayjob.testing.RealRedis;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;

/**
 * Jobs whose receivers, each a process of its own, are killed again and again while they take them. {@code -Ddelayjob.account.jobs=5000} makes it 5,000
 * jobs each.
 */
@Tag("proof")
@RealRedis
class DeliveryAccountsIT {

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    private static final int JOBS = Integer.getInteger("delayjob.account.jobs", 150);
    private static final Duration APART = Duration.ofMillis(8);

    /** After how many jobs the next receiver is killed. */
    private static final int KILLED_EVERY = Math.max(30, JOBS / 50);

    /** After how many jobs the registry is lost. */
    private static final int EMPTIED_EVERY = Math.min(1000, JOBS / 2);

    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final String topic = "t-" + UUID.randomUUID();

    /** By id: the job must not be taken before this, by the clock of this machine, which is Redis' as well. */
    private final Map<String, Long> due = new ConcurrentHashMap<>();

    private List<ReceiverProcess> receivers = List.of();
    private int kills;
    private int losses;

    @TempDir
    Path folder;

    @AfterEach
    void stop() {
        receivers.forEach(ReceiverProcess::close);
    }

    private void startReceivers(int count) {
        receivers = IntStream.range(0, count)
                .mapToObj(i -> new ReceiverProcess(folder))
                .toList();
        receivers.forEach(ReceiverProcess::start);
    }

    @Test
    void everyJobIsDeliveredAndNoneEarlyThoughItsReceiverIsKilled() {
        startReceivers(1);
        try (DeliveryNode node = DeliveryNode.open(
                DeliveryNode.prefix(), beans -> {}, "delayjob.delivery.http.open-networks=127.0.0.1")) {
            node.targets()
                    .bind(Binding.of(
                            topic, "http://127.0.0.1:" + receivers.get(0).port() + "/jobs"));
            deliver(node, () -> {});
            check(node, "HTTP");
        }
    }

    @Test
    void everyJobIsDeliveredAndNoneEarlyThoughInstancesAreKilledAndTheRegistryIsLost() {
        startReceivers(3);
        try (EurekaServer eureka = new EurekaServer();
                DeliveryNode node = node(eureka)) {
            registerAll(eureka);
            node.targets().bind(Binding.of(topic, "lb://" + topic + "/jobs"));
            deliver(node, () -> loseRegistry(eureka, node));
            check(node, "a service of the registry");
            assertThat(losses).isPositive();
        }
    }

    private static DeliveryNode node(EurekaServer eureka) {
        return DeliveryNode.open(
                Application.class,
                DeliveryNode.prefix(),
                beans -> {},
                "eureka.client.jersey.enabled=false",
                "eureka.client.register-with-eureka=false",
                "eureka.client.registry-fetch-interval-seconds=1",
                "eureka.client.service-url.defaultZone=" + eureka.url(),
                "spring.cloud.loadbalancer.cache.ttl=200ms");
    }

    private void registerAll(EurekaServer eureka) {
        receivers.forEach(receiver -> eureka.register(topic, receiver.port(), ""));
    }

    /** It comes back empty, and the instances come back when nobody knows them any more. */
    private void loseRegistry(EurekaServer eureka, DeliveryNode node) {
        if (taken().size() / EMPTIED_EVERY <= losses || taken().size() >= JOBS) {
            return;
        }
        losses++;
        eureka.restart();
        await().atMost(PATIENCE)
                .until(() -> node.targets().find(topic).orElseThrow().state() == State.HELD);
        registerAll(eureka);
    }

    /** Submits the jobs, and does harm until all are delivered. */
    private void deliver(DeliveryNode node, Runnable harm) {
        CompletableFuture<Void> submits = CompletableFuture.runAsync(() -> submitAll(node));
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(20)).until(() -> {
            killNext();
            harm.run();
            return node.admin().counts(topic).finished() == JOBS;
        });
        submits.join();
    }

    private void submitAll(DeliveryNode node) {
        Instant start = Instant.now().plusSeconds(1);
        for (int i = 0; i < JOBS; i++) {
            submit(node, "j" + i, start.plus(APART.multipliedBy(i)));
        }
    }

    private void submit(DeliveryNode node, String id, Instant at) {
        Instant now = Instant.now();
        Duration delay = at.isAfter(now) ? Duration.between(now, at) : Duration.ZERO;
        due.put(id, now.plus(delay).toEpochMilli());
        var unused = node.context()
                .getBean(DelayJobProducer.class)
                .submit(DelayJobRequest.toTopic(topic, id).withId(id), delay);
    }

    private void killNext() {
        int taken = taken().size();
        if (taken / KILLED_EVERY > kills && taken < JOBS) {
            ReceiverProcess doomed = receivers.get(kills % receivers.size());
            kills++;
            doomed.kill();
            doomed.start();
        }
    }

    private List<Taken> taken() {
        return receivers.stream().flatMap(receiver -> receiver.taken().stream()).toList();
    }

    private void check(DeliveryNode node, String account) {
        List<Taken> taken = taken();
        Map<String, List<Taken>> byJob = taken.stream().collect(groupingBy(Taken::id));
        long again = byJob.values().stream().filter(times -> times.size() > 1).count();
        List<Taken> early = taken.stream()
                .filter(one -> one.atMillis() < Math.max(one.dueMillis(), due.getOrDefault(one.id(), Long.MAX_VALUE)))
                .toList();
        System.out.printf(
                "account %s: %d jobs, %d delivered, %d of them more than once, %d early; %d receivers killed, %d registries lost%n",
                account, JOBS, byJob.size(), again, early.size(), kills, losses);
        assertThat(byJob.keySet()).isEqualTo(due.keySet());
        assertThat(early).isEmpty();
        // A job that is delivered once more is another attempt: its receiver did not confirm the one before.
        assertThat(byJob.values())
                .allSatisfy(
                        times -> assertThat(times.stream().map(Taken::attempt)).doesNotHaveDuplicates());
        assertThat(kills).isPositive();
        QueueCounts counts = node.admin().counts(topic);
        assertThat(counts.delayed() + counts.ready() + counts.reserved() + counts.dead())
                .isZero();
    }
}
