package io.delayjob.server.app;

import io.delayjob.ClaimedJob;
import io.delayjob.DelayJobAdmin;
import io.delayjob.DelayJobClaims;
import io.delayjob.DelayJobException;
import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobRequest;
import io.delayjob.JobClaim;
import io.delayjob.JobSettlement;
import io.delayjob.Limits;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/** Submits jobs and works on them, so that the console has something to show: most succeed, some fail and are retried, some die. */
@Component
@ConditionalOnProperty("demo")
final class DemoLoad implements SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(DemoLoad.class);
    private static final List<String> TOPICS = List.of("confirm-order", "send-mail", "settle-payment", "close-cart");
    private static final Map<String, String> QUEUES =
            Map.of("confirm-order", "orders", "send-mail", "mail", "settle-payment", "payments", "close-cart", "carts");
    /** Nobody works on carts, so that their jobs are late. */
    private static final List<String> WORKED = List.of("orders", "mail", "payments");

    private static final List<String> ERRORS = List.of(
            "java.net.http.HttpTimeoutException: mail-%d.example did not answer within 10 s%n\tat shop.mail.Mailer.send(Mailer.java:42)%n\tat shop.mail.MailJobs.send(MailJobs.java:17)",
            "java.lang.IllegalStateException: order %d is in state SHIPPED%n\tat shop.orders.Orders.confirm(Orders.java:118)",
            "card of customer %d was declined: insufficient funds");
    /** The jobs of this queue have the key of a shop, of which each may have so many at once. */
    private static final String LIMITED = "mail";

    private static final int SHOPS = 10;
    private static final Limits OF_EACH_SHOP = Limits.NONE.withConcurrency(2);

    /** One in so many dies, and some are retried. */
    private static final int KINDS = 50;

    private final DelayJobProducer producer;
    private final DelayJobClaims claims;
    private final DelayJobAdmin admin;
    private volatile boolean running;

    DemoLoad(DelayJobProducer producer, DelayJobClaims claims, DelayJobAdmin admin) {
        this.producer = producer;
        this.claims = claims;
        this.admin = admin;
    }

    @EventListener(ApplicationReadyEvent.class)
    void begin() {
        log.info("a demo load runs: queues orders, mail, payments and carts");
        quietly(() -> admin.setLimits(LIMITED, Limits.NONE.withPerKey(OF_EACH_SHOP)));
        new Thread(this::submit, "demo-submits").start();
        WORKED.forEach(queue -> new Thread(() -> work(queue), "demo-" + queue).start());
    }

    private void submit() {
        while (running) {
            ThreadLocalRandom random = ThreadLocalRandom.current();
            String topic = TOPICS.get(random.nextInt(TOPICS.size()));
            long order = random.nextLong(100_000, 1_000_000);
            quietly(() ->
                    producer.submitDelayJob(request(topic, order), Duration.ofMillis(random.nextLong(100, 90_000))));
            pause(random.nextLong(20, 80));
        }
    }

    private static DelayJobRequest<?> request(String topic, long order) {
        String queue = Objects.requireNonNull(QUEUES.get(topic));
        DelayJobRequest<?> request = DelayJobRequest.toTopic(
                        topic, Map.of("order", order, "customer", "c-" + order % 997))
                .withQueue(queue)
                .withMaxAttempts(3);
        return queue.equals(LIMITED) ? request.withKey("shop-" + (1 + order % SHOPS)) : request;
    }

    private void work(String queue) {
        while (running) {
            quietly(() -> {
                List<ClaimedJob> jobs = claims.claimAsync(JobClaim.of(queue)
                                .withMax(20)
                                .withWorker("demo")
                                .withMaxWait(Duration.ofSeconds(2)))
                        .join();
                pause(ThreadLocalRandom.current().nextLong(20, 300));
                if (!jobs.isEmpty()) {
                    claims.settle(jobs.stream().map(DemoLoad::settlement).toList());
                }
            });
        }
    }

    private static JobSettlement settlement(ClaimedJob job) {
        int kind = Math.floorMod(job.id().hashCode(), KINDS);
        String error = ERRORS.get(Math.floorMod(job.topic().hashCode(), ERRORS.size()))
                .formatted(Math.floorMod(job.id().hashCode(), 1000));
        if (kind == 0) {
            return new JobSettlement.Bury(job.handle(), error);
        }
        return kind <= 5 && job.attempt() == 1
                ? new JobSettlement.Retry(job.handle(), Duration.ofSeconds(5), error)
                : new JobSettlement.Complete(job.handle(), null);
    }

    private static void quietly(Runnable work) {
        try {
            work.run();
        } catch (DelayJobException | IllegalStateException | CompletionException e) {
            log.debug("the demo load waits", e);
            pause(1000);
        }
    }

    private static void pause(long millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void start() {
        running = true;
    }

    @Override
    public void stop() {
        running = false;
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}
