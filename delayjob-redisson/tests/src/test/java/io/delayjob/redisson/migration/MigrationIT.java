package io.delayjob.redisson.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.delayjob.DelayJobAdmin;
import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobRequest;
import io.delayjob.JobQuery;
import io.delayjob.JobSnapshot;
import io.delayjob.JobState;
import io.delayjob.QueueCounts;
import io.delayjob.SubmitResult;
import io.delayjob.redisson.autoconfigure.DelayJobRedisAutoConfiguration;
import io.delayjob.spring.autoconfigure.DelayJobAutoConfiguration;
import io.delayjob.testing.OwnRedis;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.codec.Kryo5Codec;
import org.redisson.config.Config;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.DefaultApplicationArguments;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

/** The guide of the migration, followed step by step: every order that waited in the old keys is closed. */
class MigrationIT {

    private static final String OLD_QUEUE = "orders-to-close";

    private final OwnRedis redis = OwnRedis.start();
    private final Queue<String> closed = new ConcurrentLinkedQueue<>();

    @AfterEach
    void stop() {
        redis.close();
    }

    @Test
    void movesWhatWaitsWithItsTimeAndClosesEveryOrderOnce() {
        Instant before = Instant.now();
        oldApplicationStops(3, 150);
        inNewApplication(context -> {
            context.getBean(ApplicationRunner.class).run(new DefaultApplicationArguments());
            assertThat(waiting(context))
                    .hasSize(150)
                    .allSatisfy(job -> assertThat(job.dueAt())
                            .isCloseTo(before.plus(Duration.ofMinutes(30)), within(5, ChronoUnit.MINUTES)));
            assertOldKeysAreGone(context);
            waiting(context).forEach(job -> context.getBean(DelayJobAdmin.class).runNow("default", job.id()));
            assertAllClosedOnce(context, 153);
        });
    }

    @Test
    void losesNothingAndDoublesNothingWhenTheDrainBreaksOffAndIsRunAgain() {
        oldApplicationStops(0, 20);
        inNewApplication(context -> {
            OldQueueDrain drain = new OldQueueDrain(
                    context.getBean(RedissonClient.class),
                    new ForgetfulProducer(context.getBean(DelayJobProducer.class), new AtomicInteger()),
                    new Kryo5Codec());
            await().ignoreExceptions().until(() -> drain.drain(OLD_QUEUE, "close-order") >= 0);
            assertOldKeysAreGone(context);
            waiting(context).forEach(job -> context.getBean(DelayJobAdmin.class).runNow("default", job.id()));
            assertAllClosedOnce(context, 20);
        });
    }

    @Test
    void jobsOfTheRedissonComponentRunInBeansOfTheSameClass() {
        Queue<String> greeted = new ConcurrentLinkedQueue<>();
        RedissonClient old = client();
        OldComponent.DelayJobProducerImpl before = new OldComponent.DelayJobProducerImpl(old, OLD_QUEUE);
        before.submitDelayJob(greeting("lindj", 66), 30L, TimeUnit.MINUTES);
        before.submitDelayJob(greeting("soon", 1), 2L, TimeUnit.SECONDS);
        old.getQueue(OLD_QUEUE).add(greeting("due", 0));
        old.shutdown();
        inNewApplication(
                context -> {
                    DelayJobProducer producer = context.getBean(DelayJobProducer.class);
                    int moved = new ComponentDrain(context.getBean(RedissonClient.class), producer, new Kryo5Codec())
                            .drain(OLD_QUEUE, "");
                    new ComponentProducer(producer).submitDelayJob(greeting("new", 2), 1L, TimeUnit.SECONDS);

                    assertThat(moved).isEqualTo(3);
                    assertOldKeysAreGone(context);
                    await().untilAsserted(
                                    () -> assertThat(greeted).containsExactlyInAnyOrder("due 0", "new 2", "soon 1"));
                    assertThat(waiting(context))
                            .singleElement()
                            .satisfies(job -> assertThat(job.param()).contains("lindj"));
                },
                new TestDelayJob(greeted));
    }

    @Test
    void jobsThatAnOldReleaseOfRedissonWroteRunAtTheirTime() {
        Queue<String> greeted = new ConcurrentLinkedQueue<>();
        RedissonClient old = client();
        OldRedisson before = new OldRedisson(old, OLD_QUEUE);
        IntStream.range(0, 250)
                .forEach(i -> before.offer(greeting("job-" + i, i), i % 5 == 4 ? 1800 : i % 5, TimeUnit.SECONDS));
        before.becomesDue(greeting("due", 0));
        old.shutdown();
        Instant moved = Instant.now();
        inNewApplication(
                context -> {
                    ComponentDrain drain = new ComponentDrain(
                            context.getBean(RedissonClient.class),
                            context.getBean(DelayJobProducer.class),
                            new OldMarshallingCodec());

                    assertThat(drain.drain(OLD_QUEUE, "")).isEqualTo(251);
                    assertOldKeysAreGone(context);
                    await().until(() -> greeted.size() == 201);
                    assertThat(greeted).doesNotHaveDuplicates().contains("due 0", "job-0 0", "job-248 248");
                    assertThat(waiting(context))
                            .hasSize(50)
                            .allSatisfy(job -> assertThat(job.dueAt())
                                    .isCloseTo(moved.plus(Duration.ofMinutes(30)), within(5, ChronoUnit.MINUTES)));
                },
                new TestDelayJob(greeted));
    }

    private static OldComponent.DeplayJobDTO<ParamDTO> greeting(String name, int age) {
        ParamDTO param = new ParamDTO();
        param.setName(name);
        param.setAge(age);
        OldComponent.DeplayJobDTO<ParamDTO> job = new OldComponent.DeplayJobDTO<>();
        job.setParam(param);
        job.setClazz(TestDelayJob.class);
        return job;
    }

    @Test
    void messagesOfTheListenerQueueGoToListeners() {
        RedissonClient old = client();
        OldListenerQueue before = new OldListenerQueue(old);
        before.sendMessage("close-message", new CloseMessage("unacknowledged"), 0, TimeUnit.SECONDS);
        before.fetchAndDie();
        before.sendMessage("remind-message", new CloseMessage("soon"), 2, TimeUnit.SECONDS);
        before.sendMessage("refund-message", new CloseMessage("kept"), 0, TimeUnit.SECONDS);
        before.sendMessage("review-message", new CloseMessage("by hand"), 0, TimeUnit.SECONDS);
        before.sendMessage("close-message", new CloseMessage("late"), 30, TimeUnit.MINUTES);
        old.shutdown();
        inNewApplication(
                context -> {
                    RedissonClient redisson = context.getBean(RedissonClient.class);
                    int moved = new OldMessagesDrain(redisson, context.getBean(DelayJobProducer.class))
                            .drain(OldListenerQueue.MESSAGES, OldListenerQueue.DELAYED);

                    assertThat(moved).isEqualTo(5);
                    assertThat(redisson.getKeys().countExists(OldListenerQueue.MESSAGES, OldListenerQueue.DELAYED))
                            .isZero();
                    await().untilAsserted(() -> assertThat(closed)
                            .containsExactlyInAnyOrder(
                                    "unacknowledged", "reminded soon", "refunded kept", "reviewed by hand"));
                    assertThat(waiting(context))
                            .singleElement()
                            .satisfies(job -> assertThat(job.param()).contains("late"));
                },
                null);
    }

    /** Every seventh submit takes effect, and its caller is not told so. */
    private record ForgetfulProducer(DelayJobProducer producer, AtomicInteger calls) implements DelayJobProducer {

        @Override
        public <T> CompletableFuture<SubmitResult> submitAsync(DelayJobRequest<T> request, Instant dueAt) {
            return producer.submitAsync(request, dueAt).thenApply(result -> {
                if (calls.incrementAndGet() % 7 == 0) {
                    throw new IllegalStateException("no answer");
                }
                return result;
            });
        }

        @Override
        public <T> CompletableFuture<SubmitResult> submitAsync(DelayJobRequest<T> request, Duration delay) {
            return producer.submitAsync(request, delay);
        }

        @Override
        public CompletableFuture<List<SubmitResult>> submitAllAsync(
                Collection<? extends DelayJobRequest<?>> requests,
                Function<? super DelayJobRequest<?>, Duration> delay) {
            return producer.submitAllAsync(requests, delay);
        }

        @Override
        public CompletableFuture<List<SubmitResult>> submitAllAtAsync(
                Collection<? extends DelayJobRequest<?>> requests,
                Function<? super DelayJobRequest<?>, Instant> dueAt) {
            return producer.submitAllAtAsync(requests, dueAt);
        }
    }

    /** Leaves due orders in the blocking queue, and others in the delayed one. */
    private void oldApplicationStops(int due, int delayed) {
        RedissonClient redisson = client();
        try {
            OldOrders orders = new OldOrders(redisson);
            IntStream.range(0, delayed).forEach(order -> orders.place("order-" + order));
            IntStream.range(0, due)
                    .forEach(order -> redisson.getQueue(OLD_QUEUE).add(new CloseOrder("due-" + order)));
        } finally {
            redisson.shutdown();
        }
    }

    /** With Redisson's own codec, as most old applications have it. */
    private RedissonClient client() {
        Config config = new Config();
        config.useSingleServer().setAddress(redis.url());
        return Redisson.create(config);
    }

    private void inNewApplication(Step step) {
        inNewApplication(step, null);
    }

    private void inNewApplication(Step step, @Nullable TestDelayJob job) {
        ApplicationContextRunner runner = new ApplicationContextRunner();
        (job == null ? runner : runner.withBean(TestDelayJob.class, () -> job))
                .withConfiguration(AutoConfigurations.of(
                        JacksonAutoConfiguration.class,
                        DelayJobRedisAutoConfiguration.class,
                        DelayJobAutoConfiguration.class))
                .withBean("redisson", RedissonClient.class, this::client)
                .withBean(Orders.class, () -> closed::add)
                .withBean(NewOrders.class)
                .withBean(NewMessages.class)
                .withBean(KeptMessages.class)
                .withUserConfiguration(DrainConfiguration.class)
                .withPropertyValues("drain-old-queue=true")
                .run(step::accept);
    }

    private interface Step {
        void accept(ApplicationContext context) throws Exception;
    }

    private static List<JobSnapshot> waiting(ApplicationContext context) {
        return context.getBean(DelayJobAdmin.class)
                .list(JobQuery.of("default", JobState.DELAYED).withLimit(JobQuery.MAX_LIMIT))
                .jobs();
    }

    private static void assertOldKeysAreGone(ApplicationContext context) {
        assertThat(context.getBean(RedissonClient.class)
                        .getKeys()
                        .countExists(
                                OLD_QUEUE,
                                "redisson_delay_queue:{" + OLD_QUEUE + "}",
                                "redisson_delay_queue_timeout:{" + OLD_QUEUE + "}"))
                .isZero();
    }

    private void assertAllClosedOnce(ApplicationContext context, int expected) {
        await().until(() ->
                context.getBean(DelayJobAdmin.class).counts("default").equals(new QueueCounts(0, 0, 0, 0, 0, false)));
        assertThat(closed).hasSize(expected).doesNotHaveDuplicates();
    }
}
