package io.delayjob.brokers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.delayjob.DelayJobRequest;
import io.delayjob.JobSnapshot;
import io.delayjob.JobState;
import io.delayjob.delivery.Binding;
import io.delayjob.delivery.DelayJobTargets;
import io.delayjob.testing.RealRedis;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Tests of the promises that delivery keeps on every broker. The application of the tests starts before its broker does.
 * {@code -Ddelayjob.account.jobs=5000} delivers 5,000 jobs while the broker restarts, once for each thousand.
 */
@RealRedis
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class BrokerContract {

    static final String DELAY = "delay_ms";

    static final int JOBS = Integer.getInteger("delayjob.account.jobs", 300);
    private static final int RESTARTS = Math.max(1, JOBS / 1000);
    private static final Duration PATIENCE = Duration.ofSeconds(180 + JOBS / 20);

    private final Queue<Received> received = new ConcurrentLinkedQueue<>();
    private final String orders = "orders-" + UUID.randomUUID();
    private Shop shop;
    private Thread consuming;
    private volatile boolean over;

    abstract Broker broker();

    /** The properties of an application that uses the broker. */
    abstract List<String> properties();

    /** Beans that Boot does not make of properties. */
    ApplicationContextInitializer<GenericApplicationContext> beans() {
        return context -> {};
    }

    /** The target "orders", whose messages the consumer gets. */
    abstract String target();

    /** Makes the destination of the target, and a consumer of it. */
    abstract Consumer consumer(Shop opened) throws Exception;

    /** Targets of which the broker knows nothing and which it does not make; "missing" is in the name of each. */
    abstract List<String> missingTargets();

    /** Targets that cannot be. */
    abstract List<String> malformedTargets();

    /** Sends a message to "orders" by the application's template, with a header "shop" of "north", and with a delay unless it is null. */
    abstract void send(Shop sender, String id, String body, @Nullable String delay) throws Exception;

    /** How many characters no message can have; 0 for a broker without a limit. */
    int tooMany() {
        return 1_100_000;
    }

    /** Stops the broker and starts it again. */
    void restart() throws Exception {
        broker().stop();
        Thread.sleep(300);
        broker().start();
    }

    @BeforeAll
    void open() throws Exception {
        List<String> all = new ArrayList<>(properties());
        all.add("delayjob.delivery.topics." + orders + ".target=" + target());
        all.add("delayjob.delivery.delay-header=" + DELAY);
        all.add("delayjob.submit-after-commit=true");
        shop = Shop.open(beans(), all.toArray(String[]::new));
        submit(orders, "early", "written before the broker was up", Duration.ZERO);
        broker().start();
        Consumer consumer = consumer(shop);
        consuming = new Thread(() -> consume(consumer), "consumer");
        consuming.start();
    }

    private void consume(Consumer consumer) {
        while (!over) {
            try {
                received.addAll(consumer.poll());
            } catch (Exception e) {
                // The broker is away.
                LockSupport.parkNanos(50_000_000);
            }
        }
        consumer.close();
    }

    Shop shop() {
        return shop;
    }

    @AfterAll
    void close() throws Exception {
        over = true;
        if (consuming != null) {
            consuming.join();
        }
        if (shop != null) {
            shop.close();
            broker().end();
        }
    }

    void submit(String topic, String id, Object param, Duration delay) {
        shop.producer()
                .submitDelayJob(
                        DelayJobRequest.toTopic(topic, param)
                                .withId(id)
                                .withQueue(topic)
                                .withHeader("customer", "c-" + id),
                        delay);
    }

    @Test
    void deliversEveryJobNoneEarlyThoughTheBrokerStartsLateAndRestarts() throws Exception {
        awaitReceived(Set.of("early"));
        Set<String> expected =
                IntStream.range(0, JOBS).mapToObj(i -> "job-" + i).collect(Collectors.toCollection(TreeSet::new));
        int i = 0;
        for (String id : expected) {
            submit(orders, id, Map.of("order", id), Duration.ofMillis(200 + 8L * i++));
        }
        for (int restarts = 1; restarts <= RESTARTS; restarts++) {
            int arrived = JOBS * restarts / (RESTARTS + 1);
            await().atMost(PATIENCE).until(() -> received.size() >= arrived);
            restart();
        }
        awaitReceived(expected);
        checkAccount(expected);
        Received one = received("job-7");
        assertThat(one.body()).isEqualTo("{\"order\":\"job-7\"}");
        assertThat(one.headers())
                .containsEntry("customer", "c-job-7")
                .containsEntry(headerName("delayjob-topic"), orders)
                .containsEntry(headerName("delayjob-queue"), orders);
        assertThat(received("early").body()).isEqualTo("written before the broker was up");
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(shop.admin().counts(orders).reserved()).isZero());
        assertThat(shop.admin().counts(orders).dead()).isZero();
    }

    private void checkAccount(Set<String> expected) {
        List<Received> all = received.stream()
                .filter(message -> expected.contains(message.id()))
                .toList();
        List<Received> early = all.stream()
                .filter(message -> message.arrivedAt()
                        .isBefore(Instant.parse(message.headers().get(headerName("delayjob-due")))))
                .toList();
        System.out.printf(
                "account %s: %d jobs, %d arrived, %d messages more, %d early; the broker restarted %d times%n",
                getClass().getSimpleName(),
                JOBS,
                expected.size(),
                all.size() - expected.size(),
                early.size(),
                RESTARTS);
        assertThat(early).isEmpty();
    }

    /** The name of a header, as the broker can have it. */
    String headerName(String header) {
        return header;
    }

    private void awaitReceived(Set<String> ids) {
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(received.stream().map(Received::id).collect(Collectors.toSet()))
                                .containsAll(ids));
    }

    @Test
    void buriesAJobThatIsTooLongForTheBrokerAndDeliversTheNext() {
        if (tooMany() == 0) {
            submit(orders, "long", "x".repeat(900_000), Duration.ZERO);
            awaitReceived(Set.of("long"));
            return;
        }
        submit(orders, "long", "x".repeat(tooMany()), Duration.ZERO);
        submit(orders, "next", "short", Duration.ZERO);
        await().atMost(PATIENCE).until(() -> job(orders, "long").state() == JobState.DEAD);
        assertThat(job(orders, "long").attempt()).isEqualTo(1);
        assertThat(job(orders, "long").lastError()).contains(target()).containsPattern("(?i)(larg|size|exceed)");
        awaitReceived(Set.of("next"));
    }

    private JobSnapshot job(String queue, String id) {
        return shop.admin().find(queue, id).orElseThrow();
    }

    @Test
    void keepsJobsWhoseTargetsTheBrokerDoesNotKnowAndSaysWhy() {
        for (String missing : missingTargets()) {
            String lost = "lost-" + UUID.randomUUID();
            shop.bean(DelayJobTargets.class).bind(Binding.of(lost, missing).withTimeout(Duration.ofSeconds(10)));
            submit(lost, lost, "text", Duration.ZERO);
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(job(lost, lost).lastError())
                            .contains(missing)
                            .containsPattern("missing(?s:.*)missing"));
            assertThat(job(lost, lost).state()).isNotEqualTo(JobState.DEAD);
            shop.bean(DelayJobTargets.class).bind(Binding.of(lost, target()));
            awaitReceived(Set.of(lost));
        }
    }

    @Test
    void letsAMessageWithADelayWaitAndSendsItAsItWasWritten() throws Exception {
        Instant sent = Instant.now();
        send(shop, "delayed", "in a while", "1500");
        send(shop, "at once", "now", null);
        awaitReceived(Set.of("at once"));
        awaitReceived(Set.of("delayed"));
        Received message = received("delayed");
        assertThat(message.arrivedAt()).isAfterOrEqualTo(sent.plusMillis(1500));
        assertThat(message.body()).isEqualTo("in a while");
        assertThat(message.headers()).containsEntry("shop", "north").doesNotContainKey(DELAY);
        assertThat(received("at once").headers()).containsEntry("shop", "north");
        assertThatThrownBy(() -> send(shop, "never", "text", "soon"))
                .hasStackTraceContaining("header 'delay_ms' must be milliseconds, or a duration such as PT30S: 'soon'");
    }

    @Test
    void sendsADelayedMessageOfACommittedTransactionOnly() throws Exception {
        TransactionTemplate transaction = new TransactionTemplate(new NoDatabase());
        assertThatThrownBy(() -> transaction.executeWithoutResult(status -> {
                    sendUnchecked("rolled back");
                    throw new IllegalStateException("roll back");
                }))
                .hasMessage("roll back");
        transaction.executeWithoutResult(status -> sendUnchecked("committed"));
        awaitReceived(Set.of("committed"));
        assertThat(received).extracting(Received::id).doesNotContain("rolled back");
    }

    private void sendUnchecked(String id) {
        try {
            send(shop, id, "text", "PT0.3S");
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private Received received(String id) {
        return received.stream()
                .filter(message -> message.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    /** Transactions of nothing, which tell their end. */
    private static final class NoDatabase extends AbstractPlatformTransactionManager {

        @Override
        protected Object doGetTransaction() {
            return this;
        }

        @Override
        protected void doBegin(Object transaction, TransactionDefinition definition) {}

        @Override
        protected void doCommit(DefaultTransactionStatus status) {}

        @Override
        protected void doRollback(DefaultTransactionStatus status) {}
    }

    @Test
    void refusesTargetsThatCannotBe() {
        DelayJobTargets targets = shop.bean(DelayJobTargets.class);
        for (String malformed : malformedTargets()) {
            assertThatThrownBy(() -> targets.bind(Binding.of("malformed", malformed)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(malformed);
        }
        assertThatThrownBy(() -> targets.bind(Binding.of("unknown", "pigeon:home")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("pigeon:home");
    }
}
