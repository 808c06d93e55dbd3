package io.delayjob.redisson.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.delayjob.AsyncDelayJobAdmin;
import io.delayjob.Backoff;
import io.delayjob.DelayJob;
import io.delayjob.DelayJobAdmin;
import io.delayjob.DelayJobClaims;
import io.delayjob.DelayJobListenerRegistry;
import io.delayjob.DelayJobName;
import io.delayjob.DelayJobProducer;
import io.delayjob.JobExecution;
import io.delayjob.engine.DelayJobEngine;
import io.delayjob.engine.extension.Extensions;
import io.delayjob.engine.extension.JobEvents;
import io.delayjob.engine.extension.Transactions;
import io.delayjob.engine.extension.WorkerThreads;
import io.delayjob.engine.handler.HandlerRegistry;
import io.delayjob.engine.handler.ParamCodec;
import io.delayjob.engine.ledger.Backend;
import io.delayjob.engine.ledger.Replication;
import io.delayjob.engine.ledger.Retention;
import io.delayjob.engine.settings.AttemptPolicy;
import io.delayjob.engine.settings.ConsumeSettings;
import io.delayjob.engine.settings.EngineSettings;
import io.delayjob.engine.settings.ExceptionRules;
import io.delayjob.engine.settings.NodeQueues;
import io.delayjob.engine.settings.QueueSettings;
import io.delayjob.engine.settings.SubmitSettings;
import io.delayjob.redisson.internal.history.HistoryCounter;
import io.delayjob.spi.BackoffPolicy;
import io.delayjob.spring.autoconfigure.DelayJobAutoConfiguration;
import io.delayjob.spring.autoconfigure.DelayJobLifecycle;
import io.delayjob.spring.autoconfigure.DelayJobMetricsAutoConfiguration;
import io.delayjob.spring.autoconfigure.DelayJobObservationAutoConfiguration;
import io.delayjob.spring.autoconfigure.DelayJobProperties;
import io.delayjob.spring.autoconfigure.InvalidConfigurationFailureAnalyzer;
import io.delayjob.spring.internal.metrics.MicrometerTelemetry;
import io.delayjob.spring.internal.metrics.QueueGauges;
import io.delayjob.spring.internal.observation.LinkingTracingHandler;
import io.delayjob.spring.internal.observation.ObservedExecutions;
import io.delayjob.spring.internal.observation.ObservedProducer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.propagation.Propagator;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import org.redisson.spring.starter.RedissonAutoConfigurationCustomizer;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.ConfigurationPropertiesBinding;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.convert.converter.Converter;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.scheduling.annotation.Async;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import tools.jackson.databind.json.JsonMapper;

/** Beans that are set up and settings that are refused, with a client that reaches no Redis. */
class DelayJobAutoConfigurationTest {

    private final ApplicationContextRunner withoutRedisson = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    JacksonAutoConfiguration.class,
                    DelayJobRedisAutoConfiguration.class,
                    DelayJobAutoConfiguration.class))
            .withPropertyValues("delayjob.consume=false");

    private final ApplicationContextRunner runner =
            withoutRedisson.withBean(RedissonClient.class, DelayJobAutoConfigurationTest::client);

    private static RedissonClient client() {
        Config config = new Config();
        config.useSingleServer().setAddress("redis://localhost:1");
        RedissonClient client = mock(RedissonClient.class);
        when(client.getConfig()).thenReturn(config);
        return client;
    }

    /** A job that does nothing. */
    static class QuietJob implements DelayJob<Parcel> {

        @Override
        public void execute(JobExecution<Parcel> execution) {}
    }

    @Test
    void setsUpProducerAdminAndClaimsForARedissonClient() {
        runner.run(context -> assertThat(context)
                .hasNotFailed()
                .hasSingleBean(DelayJobProducer.class)
                .hasSingleBean(DelayJobAdmin.class)
                .hasSingleBean(AsyncDelayJobAdmin.class)
                .hasSingleBean(DelayJobClaims.class)
                .hasSingleBean(DelayJobListenerRegistry.class)
                .hasSingleBean(DelayJobEngine.class)
                .hasSingleBean(JobEvents.class)
                .hasSingleBean(Extensions.class)
                .hasSingleBean(Transactions.class)
                .hasSingleBean(WorkerThreads.class)
                .hasSingleBean(DelayJobLifecycle.class));
    }

    @Test
    void isSwitchedOffByAProperty() {
        runner.withPropertyValues("delayjob.enabled=false")
                .withBean("lambda", DelayJob.class, () -> execution -> {})
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(DelayJobProducer.class)
                        .doesNotHaveBean(DelayJobAdmin.class)
                        .doesNotHaveBean(DelayJobClaims.class)
                        .doesNotHaveBean(DelayJobEngine.class)
                        .doesNotHaveBean(DelayJobLifecycle.class)
                        .doesNotHaveBean(WorkerThreads.class)
                        .doesNotHaveBean(DelayJobProperties.class));
    }

    @Test
    void opensAClientThatIsNoBeanWhereThereIsNone() {
        withoutRedisson.withPropertyValues("delayjob.fail-fast=false").run(context -> {
            assertThat(context)
                    .hasNotFailed()
                    .hasSingleBean(DelayJobProducer.class)
                    .doesNotHaveBean(RedissonClient.class);
            assertThat(context.getBean(DelayJobRedis.class).own()).isTrue();
        });
    }

    @Test
    void needsNoRedissonClientWhereThereIsABackend() {
        withoutRedisson
                .withBean("mine", Backend.class, () -> mock(Backend.class))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(Backend.class)
                        .hasSingleBean(DelayJobProducer.class)
                        .hasSingleBean(DelayJobEngine.class));
    }

    @Test
    void waitsForNoCommitsWhereSpringHasNoTransactions() {
        runner.withClassLoader(new FilteredClassLoader(TransactionSynchronizationManager.class))
                .run(context -> {
                    assertThat(context).hasNotFailed().doesNotHaveBean(Transactions.class);
                    assertThat(context.getBean(Extensions.class).transactions()).isSameAs(Transactions.NONE);
                });
    }

    @Test
    void refusesTwoClientsNoneOfWhichIsPrimaryNamingBoth() {
        assertThat(descriptionOfFailure(withoutRedisson
                        .withBean("one", RedissonClient.class, DelayJobAutoConfigurationTest::client)
                        .withBean("other", RedissonClient.class, DelayJobAutoConfigurationTest::client)))
                .isEqualTo(
                        "delayjob cannot start: there are several RedissonClient beans, [one, other], and none is primary; let"
                                + " delayjob.redisson-client name one, mark one @Primary, or set delayjob.redis.* for a client of its own");
    }

    @Test
    void takesTheClientThatAPropertyNames() {
        withoutRedisson
                .withBean("one", RedissonClient.class, DelayJobAutoConfigurationTest::client)
                .withBean("other", RedissonClient.class, DelayJobAutoConfigurationTest::client)
                .withPropertyValues("delayjob.redisson-client=other")
                .run(context -> assertThat(context.getBean(DelayJobRedis.class))
                        .isEqualTo(
                                new DelayJobRedis(context.getBean("other", RedissonClient.class), "delayjob", false)));
    }

    @Test
    void refusesTheNameOfAClientThatIsNotThere() {
        assertThat(descriptionOfFailure(withoutRedisson
                        .withBean("one", RedissonClient.class, DelayJobAutoConfigurationTest::client)
                        .withPropertyValues("delayjob.redisson-client=other")))
                .isEqualTo(
                        "delayjob cannot start: delayjob.redisson-client: no RedissonClient bean is named 'other'; there"
                                + " are [one]");
    }

    @Test
    void refusesANamedClientBesideARedisOfItsOwn() {
        assertThat(descriptionOfFailure(
                        runner.withPropertyValues("delayjob.redisson-client=one", "delayjob.redis.host=there")))
                .contains("delayjob.redisson-client and delayjob.redis.* both say which Redis to use");
    }

    @Test
    void leavesAClientAloneThatIsOfferedToNobody() {
        withoutRedisson
                .withBean(
                        "hidden",
                        RedissonClient.class,
                        DelayJobAutoConfigurationTest::client,
                        definition -> ((AbstractBeanDefinition) definition).setDefaultCandidate(false))
                .withPropertyValues("delayjob.fail-fast=false")
                .run(context ->
                        assertThat(context.getBean(DelayJobRedis.class).own()).isTrue());
    }

    @Test
    void namesAMisspeltPlaceBeforeItLooksForRedisElsewhere() {
        assertThat(descriptionOfFailure(withoutRedisson.withPropertyValues(
                        "delayjob.redis.hst=jobs.example.com", "spring.data.redis.port=1")))
                .contains("delayjob.redis.hst is not a property: did you mean delayjob.redis.host?");
    }

    @Test
    void usesTheClientOfTheApplicationBesideServersThatItCouldNotUse() {
        runner.withPropertyValues("spring.data.redis.masterreplica.nodes=a:1,b:2")
                .run(context ->
                        assertThat(context.getBean(DelayJobRedis.class).own()).isFalse());
    }

    @Test
    void opensAClientForARedisOfItsOwnBesideTheClientOfTheApplication() {
        runner.withPropertyValues("delayjob.fail-fast=false", "delayjob.redis.host=jobs.example.com")
                .run(context -> {
                    DelayJobRedis client = context.getBean(DelayJobRedis.class);
                    assertThat(client.own()).isTrue();
                    assertThat(client.redisson().getConfig().useSingleServer().getAddress())
                            .isEqualTo("redis://jobs.example.com:6379");
                });
    }

    @Test
    void takesThePrimaryOfTwoClients() {
        runner.withBean(
                        "second",
                        RedissonClient.class,
                        DelayJobAutoConfigurationTest::client,
                        definition -> definition.setPrimary(true))
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(DelayJobProducer.class));
    }

    @Test
    void givesWayToTheApplicationsProducerAndAdmin() {
        givesWayTo(DelayJobProducer.class, mock(DelayJobProducer.class));
        givesWayTo(DelayJobAdmin.class, mock(DelayJobAdmin.class));
        givesWayTo(AsyncDelayJobAdmin.class, mock(AsyncDelayJobAdmin.class));
        givesWayTo(DelayJobListenerRegistry.class, mock(DelayJobListenerRegistry.class));
    }

    @Test
    void givesWayToTheApplicationsEngineSettings() {
        givesWayTo(
                EngineSettings.class,
                new EngineSettings(
                        "mine",
                        new NodeQueues(
                                "mine", queueSettings(1, 1, Duration.ofSeconds(1), 1, Backoff.DEFAULT), Map.of()),
                        new SubmitSettings(1, Duration.ofSeconds(1), false),
                        new ConsumeSettings(false, Duration.ZERO, Duration.ZERO)));
    }

    @Test
    void givesWayToTheApplicationsPartsOfTheEngine() {
        givesWayTo(WorkerThreads.class, (queue, concurrency) -> Runnable::run);
        givesWayTo(ParamCodec.class, new ParamCodec(JsonMapper.builder().build(), 10));
        givesWayTo(HandlerRegistry.class, new HandlerRegistry(List::of));
        givesWayTo(Backend.class, mock(Backend.class));
        givesWayTo(JobEvents.class, JobEvents.onCallersThread(List.of()));
        givesWayTo(Extensions.class, Extensions.NONE);
        givesWayTo(Transactions.class, Transactions.NONE);
    }

    @Test
    void measuresInTheRegistryOfTheApplication() {
        withMetrics().withBean(SimpleMeterRegistry.class).run(context -> {
            assertThat(context).hasNotFailed().hasSingleBean(QueueGauges.class);
            assertThat(context.getBean(Extensions.class).telemetry())
                    .hasNoNullFieldsOrProperties()
                    .extracting("one")
                    .isInstanceOf(MicrometerTelemetry.class);
        });
    }

    @Test
    void measuresNothingWithoutARegistry() {
        withMetrics().run(DelayJobAutoConfigurationTest::measuresNothing);
    }

    @Test
    void measuresNothingWithoutMicrometer() {
        withMetrics()
                .withClassLoader(new FilteredClassLoader("io.micrometer.core"))
                .run(DelayJobAutoConfigurationTest::measuresNothing);
    }

    @Test
    void observesWhereTheApplicationTraces() {
        withObservations()
                .withBean(Tracer.class, () -> Tracer.NOOP)
                .withBean(Propagator.class, () -> Propagator.NOOP)
                .run(context -> {
                    assertThat(context).hasNotFailed().hasSingleBean(LinkingTracingHandler.class);
                    assertObserved(context, true);
                });
    }

    @Test
    void observesNothingWithoutATracer() {
        withObservations().run(context -> assertObserved(context, false));
    }

    @Test
    void observesWithoutATracerWhereItIsAsked() {
        withObservations()
                .withPropertyValues("delayjob.observation-enabled=true")
                .withClassLoader(new FilteredClassLoader("io.micrometer.tracing"))
                .run(context -> assertObserved(context, true));
    }

    @Test
    void doesNotObserveWhereItIsToldNotTo() {
        withObservations()
                .withPropertyValues("delayjob.observation-enabled=false")
                .withBean(Propagator.class, () -> Propagator.NOOP)
                .run(context -> assertObserved(context, false));
    }

    private ApplicationContextRunner withObservations() {
        return runner.withConfiguration(AutoConfigurations.of(DelayJobObservationAutoConfiguration.class))
                .withBean(ObservationRegistry.class, ObservationRegistry::create);
    }

    private static void assertObserved(AssertableApplicationContext context, boolean observed) {
        assertThat(context).hasNotFailed();
        assertThat(context.getBean(DelayJobProducer.class) instanceof ObservedProducer)
                .isEqualTo(observed);
        assertThat(context.getBean(Extensions.class).interceptors().get().stream()
                        .anyMatch(ObservedExecutions.class::isInstance))
                .isEqualTo(observed);
    }

    private ApplicationContextRunner withMetrics() {
        return runner.withConfiguration(AutoConfigurations.of(DelayJobMetricsAutoConfiguration.class));
    }

    private static void measuresNothing(AssertableApplicationContext context) {
        assertThat(context).hasNotFailed().doesNotHaveBean(QueueGauges.class);
        assertThat(context.getBean(Extensions.class).telemetry())
                .as("nothing but the history")
                .isInstanceOf(HistoryCounter.class);
    }

    @Test
    void givesWayToTheApplicationsEngine() {
        runner.withBean("mine", DelayJobEngine.class, DelayJobAutoConfigurationTest::engine)
                .run(context -> {
                    DelayJobEngine mine = context.getBean(DelayJobEngine.class);
                    assertThat(context).hasSingleBean(DelayJobEngine.class).hasBean("mine");
                    assertThat(context.getBean(DelayJobProducer.class)).isSameAs(mine.producer());
                    assertThat(context.getBean(DelayJobAdmin.class)).isSameAs(mine.admin());
                    assertThat(context.getBean(AsyncDelayJobAdmin.class)).isSameAs(mine.asyncAdmin());
                    assertThat(context.getBean(DelayJobClaims.class)).isSameAs(mine.claims());
                    assertThat(context.getBean(DelayJobListenerRegistry.class)).isSameAs(mine.listeners());
                });
    }

    @Test
    void givesWayToTheApplicationsClaims() {
        givesWayTo(DelayJobClaims.class, mock(DelayJobClaims.class));
    }

    private static DelayJobEngine engine() {
        return new DelayJobEngine(
                new EngineSettings(
                        "mine",
                        new NodeQueues(
                                "mine", queueSettings(1, 1, Duration.ofSeconds(1), 1, Backoff.DEFAULT), Map.of()),
                        new SubmitSettings(1, Duration.ofSeconds(1), false),
                        new ConsumeSettings(false, Duration.ZERO, Duration.ZERO)),
                mock(Backend.class),
                new HandlerRegistry(List::of),
                new ParamCodec(JsonMapper.builder().build(), 10),
                WorkerThreads.PLATFORM,
                Extensions.NONE);
    }

    private <B> void givesWayTo(Class<B> type, B mine) {
        runner.withBean("mine", type, () -> mine).run(context -> {
            assertThat(context).hasNotFailed().hasSingleBean(type);
            assertThat(context.getBean(type)).isSameAs(mine);
        });
    }

    @Test
    void bindsItsDefaults() {
        runner.run(context -> {
            EngineSettings settings = context.getBean(EngineSettings.class);
            assertThat(settings)
                    .isEqualTo(new EngineSettings(
                            settings.node(),
                            new NodeQueues(
                                    "default",
                                    queueSettings(1, 16, Duration.ofSeconds(9), 10, Backoff.DEFAULT),
                                    Map.of()),
                            new SubmitSettings(256 * 1024, Duration.ofSeconds(10), false),
                            new ConsumeSettings(false, Duration.ofMinutes(10), Duration.ofSeconds(28))));
            assertThat(settings.node()).matches("[A-Za-z0-9._-]{1,64}:\\d+:[a-z0-9]+");
            assertThat(context.getBean(DelayJobProperties.class).keyPrefix()).isEqualTo("delayjob");
        });
    }

    @Test
    void consumesByDefault() {
        DelayJobProperties properties =
                Binder.get(new StandardEnvironment()).bindOrCreate("delayjob", DelayJobProperties.class);
        assertThat(properties.enabled()).isTrue();
        assertThat(properties.failFast()).isTrue();
        assertThat(properties.consume()).isTrue();
    }

    @Test
    void bindsEveryProperty() {
        runner.withPropertyValues(
                        "delayjob.node=node-7",
                        "delayjob.default-queue=jobs",
                        "delayjob.max-param-size=1KB",
                        "delayjob.submit-timeout=1s",
                        "delayjob.no-handler-timeout=0",
                        "delayjob.shutdown-timeout=3s",
                        "delayjob.concurrency=2",
                        "delayjob.shards=3",
                        "delayjob.lease=4s",
                        "delayjob.max-attempts=5",
                        "delayjob.timeout=6s",
                        "delayjob.time-to-live=7m",
                        "delayjob.quarantine-after=8",
                        "delayjob.retry-for=java.io.IOException",
                        "delayjob.no-retry-for=java.lang.Exception",
                        "delayjob.retention.time=9d",
                        "delayjob.retention.count=10",
                        "delayjob.replication.replicas=2",
                        "delayjob.replication.timeout=3s",
                        "delayjob.submit-after-commit=true",
                        "delayjob.backoff.initial=7ms",
                        "delayjob.backoff.max=8s",
                        "delayjob.backoff.multiplier=9.5",
                        "delayjob.backoff.jitter=0")
                .run(context -> assertThat(context.getBean(EngineSettings.class))
                        .isEqualTo(new EngineSettings(
                                "node-7",
                                new NodeQueues(
                                        "jobs",
                                        new QueueSettings(
                                                3,
                                                2,
                                                Duration.ofSeconds(4),
                                                new AttemptPolicy(
                                                        5,
                                                        new Backoff(
                                                                Duration.ofMillis(7), Duration.ofSeconds(8), 9.5, 0),
                                                        Duration.ofSeconds(6),
                                                        Duration.ofMinutes(7),
                                                        new ExceptionRules(
                                                                Set.of(IOException.class), Set.of(Exception.class))),
                                                8,
                                                new Retention(Duration.ofDays(9), 10),
                                                new Replication(2, Duration.ofSeconds(3))),
                                        Map.of()),
                                new SubmitSettings(1024, Duration.ofSeconds(1), true),
                                new ConsumeSettings(false, Duration.ZERO, Duration.ofSeconds(3)))));
    }

    @Test
    void bindsWhatDiffersForAQueueAndTakesTheRestFromAllQueues() {
        Backoff all = new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(10), 2, 0.2);
        runner.withPropertyValues(
                        "delayjob.concurrency=2",
                        "delayjob.max-attempts=3",
                        "delayjob.timeout=1m",
                        "delayjob.backoff.initial=1s",
                        "delayjob.queues.orders.concurrency=50",
                        "delayjob.queues.orders.timeout=5s",
                        "delayjob.queues.mail.backoff.initial=9s",
                        "delayjob.queues.mail.lease=2s",
                        "delayjob.queues[Mixed_Case.v1].shards=4",
                        "delayjob.queues.default.max-attempts=1")
                .run(context -> assertThat(
                                context.getBean(EngineSettings.class).queues().named())
                        .containsOnly(
                                Map.entry("orders", with(50, 1, Duration.ofSeconds(9), 3, all, Duration.ofSeconds(5))),
                                Map.entry(
                                        "mail",
                                        with(
                                                2,
                                                1,
                                                Duration.ofSeconds(2),
                                                3,
                                                new Backoff(Duration.ofSeconds(9), Duration.ofMinutes(10), 2, 0.2),
                                                Duration.ofMinutes(1))),
                                Map.entry(
                                        "Mixed_Case.v1",
                                        with(2, 4, Duration.ofSeconds(9), 3, all, Duration.ofMinutes(1))),
                                Map.entry(
                                        "default", with(2, 1, Duration.ofSeconds(9), 1, all, Duration.ofMinutes(1)))));
    }

    @Test
    void mergesWhatDiffersForAQueueWithTheRestOfTheKind() {
        runner.withPropertyValues(
                        "delayjob.time-to-live=1h",
                        "delayjob.quarantine-after=4",
                        "delayjob.retry-for=java.io.FileNotFoundException",
                        "delayjob.no-retry-for=java.io.IOException",
                        "delayjob.retention.count=5",
                        "delayjob.queues.orders.time-to-live=2h",
                        "delayjob.queues.orders.quarantine-after=6",
                        "delayjob.priority-boost=3s",
                        "delayjob.queues.orders.priority-boost=0s",
                        "delayjob.queues.orders.index=orderId,customer.id,tag",
                        "delayjob.queues.orders.retry-for=java.io.IOException",
                        "delayjob.queues.orders.no-retry-for=java.lang.Error",
                        "delayjob.queues.orders.retention.time=3h",
                        "delayjob.replication.replicas=1",
                        "delayjob.replication.timeout=4s",
                        "delayjob.queues.orders.replication.replicas=0",
                        "delayjob.queues.mail.replication.timeout=5s",
                        "delayjob.queues.mail.concurrency=1")
                .run(context -> {
                    EngineSettings settings = context.getBean(EngineSettings.class);
                    QueueSettings orders =
                            Objects.requireNonNull(settings.queues().named().get("orders"));
                    assertThat(orders.attempts().timeToLive()).isEqualTo(Duration.ofHours(2));
                    assertThat(orders.quarantineAfter()).isEqualTo(6);
                    assertThat(orders.priorityBoost()).isZero();
                    assertThat(orders.index()).containsExactly("orderId", "customer.id", "tag");
                    assertThat(orders.attempts().exceptions())
                            .isEqualTo(new ExceptionRules(
                                    Set.of(IOException.class, FileNotFoundException.class), Set.of(Error.class)));
                    assertThat(orders.retention()).isEqualTo(new Retention(Duration.ofHours(3), 5));
                    assertThat(orders.replication()).isEqualTo(new Replication(0, Duration.ofSeconds(4)));
                    assertThat(settings.queues().named().get("mail"))
                            .extracting(
                                    queue -> queue.attempts().timeToLive(),
                                    QueueSettings::quarantineAfter,
                                    QueueSettings::priorityBoost,
                                    queue -> queue.attempts().exceptions(),
                                    QueueSettings::retention,
                                    QueueSettings::replication)
                            .containsExactly(
                                    Duration.ofHours(1),
                                    4,
                                    Duration.ofSeconds(3),
                                    new ExceptionRules(Set.of(FileNotFoundException.class), Set.of(IOException.class)),
                                    new Retention(Duration.ofDays(7), 5),
                                    new Replication(1, Duration.ofSeconds(5)));
                });
    }

    @ParameterizedTest
    @CsvSource({"time=2h, PT2H, 10000", "count=3, PT168H, 3", "time=0s, PT0S, 10000", "count=0, PT168H, 0"})
    void keepsFinishedJobsOnceTimeOrCountIsSet(String property, Duration time, int count) {
        runner.withPropertyValues("delayjob.retention." + property)
                .run(context -> assertThat(context.getBean(EngineSettings.class)
                                .queues()
                                .defaults()
                                .retention())
                        .isEqualTo(new Retention(time, count)));
    }

    @Test
    void refusesAnExceptionInBothListsOfAQueue() {
        assertThat(descriptionOfFailure(runner.withPropertyValues(
                        "delayjob.queues.orders.retry-for=java.io.IOException",
                        "delayjob.queues.orders.no-retry-for=java.io.IOException")))
                .isEqualTo("delayjob cannot start: delayjob.queues.orders.retry-for: "
                        + "java.io.IOException is in both retryFor and noRetryFor; remove it from one of them");
    }

    /** Waits a second for each attempt. */
    @Configuration(proxyBeanMethods = false)
    static class Patience {

        @Bean
        BackoffPolicy patience(DelayJobProducer producer) {
            return (attempt, failure) -> Duration.ofSeconds(attempt);
        }
    }

    @Test
    void asksAPolicyBeanEvenIfItNeedsTheProducer() {
        runner.withUserConfiguration(Patience.class)
                .withPropertyValues(
                        "delayjob.backoff.policy=patience",
                        "delayjob.queues.orders.backoff.initial=1s",
                        "delayjob.queues.mail.concurrency=1")
                .run(context -> {
                    EngineSettings settings = context.getBean(EngineSettings.class);
                    BackoffPolicy policy = settings.queues().defaults().backoff();
                    assertThat(policy.waitAfter(7, new Exception())).isEqualTo(Duration.ofSeconds(7));
                    assertThat(policy).hasToString("BackoffPolicy bean 'patience'");
                    assertThat(settings.queues().named().get("mail"))
                            .extracting(QueueSettings::backoff)
                            .isEqualTo(policy);
                    assertThat(settings.queues().named().get("orders"))
                            .extracting(QueueSettings::backoff)
                            .isEqualTo(new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(10), 2, 0.2));
                });
    }

    @Test
    void lowersAPolicyBeanToOneQueue() {
        runner.withUserConfiguration(Patience.class)
                .withPropertyValues("delayjob.queues.orders.backoff.policy=patience")
                .run(context -> {
                    EngineSettings settings = context.getBean(EngineSettings.class);
                    assertThat(settings.queues().defaults().backoff()).isEqualTo(Backoff.DEFAULT);
                    assertThat(settings.queues().named().get("orders"))
                            .extracting(QueueSettings::backoff)
                            .hasToString("BackoffPolicy bean 'patience'");
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"delayjob.", "delayjob.queues.orders."})
    void refusesAPolicyBesideOtherValues(String prefix) {
        assertThat(descriptionOfFailure(runner.withUserConfiguration(Patience.class)
                        .withPropertyValues(prefix + "backoff.policy=patience", prefix + "backoff.max=1h")))
                .isEqualTo("delayjob cannot start: " + prefix
                        + "backoff.policy: the bean 'patience' computes the wait alone;"
                        + " remove the other values of backoff");
    }

    @Test
    void takesAQueueThatIsOnlyNamed() {
        runner.withPropertyValues("delayjob.queues.orders=").run(context -> {
            EngineSettings settings = context.getBean(EngineSettings.class);
            assertThat(settings.queues().named())
                    .containsOnly(Map.entry("orders", settings.queues().defaults()));
        });
    }

    private static QueueSettings with(
            int concurrency,
            int shards,
            Duration lease,
            int maxAttempts,
            BackoffPolicy backoff,
            @Nullable Duration timeout) {
        return new QueueSettings(
                shards,
                concurrency,
                lease,
                new AttemptPolicy(maxAttempts, backoff, timeout, null, ExceptionRules.NONE),
                3,
                Retention.NONE,
                Replication.NONE);
    }

    private static QueueSettings queueSettings(
            int shards, int concurrency, Duration lease, int maxAttempts, Backoff backoff) {
        return with(concurrency, shards, lease, maxAttempts, backoff, null);
    }

    @ParameterizedTest
    @CsvSource({"10s, 8s", "2s, 0s", "1s, 0s", "0s, 0s"})
    void stopsTwoSecondsBeforeTheShutdownPhaseEnds(String phase, String expected) {
        runner.withPropertyValues("spring.lifecycle.timeout-per-shutdown-phase=" + phase)
                .run(context -> assertThat(context.getBean(EngineSettings.class)
                                .consuming()
                                .shutdownTimeout())
                        .isEqualTo(Duration.parse("PT" + expected)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
                    delayjob.concurrency=0                               | delayjob.concurrency must be at least 1: 0
                    delayjob.shards=-1                                   | delayjob.shards must be 1 to 1024: -1
                    delayjob.max-attempts=0                              | delayjob.max-attempts must be at least 1: 0
                    delayjob.lease=999ms                                 | delayjob.lease must be at least PT1S: PT0.999S
                    delayjob.lease=-1s                                   | delayjob.lease must be positive, at least 1 ms and at most 8000 years: PT-1S
                    delayjob.lease=4000000d                              | delayjob.lease must be positive, at least 1 ms and at most 8000 years: PT96000000H
                    delayjob.timeout=0s                                  | delayjob.timeout must be positive, at least 1 ms and at most 8000 years: PT0S
                    delayjob.time-to-live=0s                             | delayjob.time-to-live must be positive, at least 1 ms and at most 8000 years: PT0S
                    delayjob.quarantine-after=0                          | delayjob.quarantine-after must be at least 1: 0
                    delayjob.priority-boost=-1ms                         | delayjob.priority-boost must be 0 to PT24H: PT-0.001S
                    delayjob.priority-boost=25h                          | delayjob.priority-boost must be 0 to PT24H: PT25H
                    delayjob.queues.a.index=a b                          | delayjob.queues.a.index must name fields of params, such as orderId or customer.id, or 'tag', each with at most 64 characters and without white space, commas, colons and quotation marks: 'a b'
                    delayjob.queues.a.index=a..b                         | delayjob.queues.a.index must name fields of params, such as orderId or customer.id, or 'tag', each with at most 64 characters and without white space, commas, colons and quotation marks: 'a..b'
                    delayjob.queues.a.index=1,2,3,4,5,6,7,8,9            | delayjob.queues.a.index must have at most 8 words, because each costs memory in Redis for every job: 1, 2, 3, 4, 5, 6, 7, 8, 9
                    delayjob.retention.count=-1                          | delayjob.retention.count must be zero or more: -1
                    delayjob.retention.time=-1s                          | delayjob.retention.time must be zero or more, at most 8000 years: PT-1S
                    delayjob.replication.replicas=-1                     | delayjob.replication.replicas must be zero or more: -1
                    delayjob.replication.timeout=0s                      | delayjob.replication.timeout must be 1 ms to 1 h: PT0S
                    delayjob.replication.timeout=61m                     | delayjob.replication.timeout must be 1 ms to 1 h: PT1H1M
                    delayjob.retry-for=java.lang.String                  | delayjob.retry-for must name exceptions: java.lang.String
                    delayjob.no-retry-for=java.lang.String               | delayjob.no-retry-for must name exceptions: java.lang.String
                    delayjob.submit-timeout=0s                           | delayjob.submit-timeout must be positive, at least 1 ms and at most 8000 years: PT0S
                    delayjob.no-handler-timeout=-1s                          | delayjob.no-handler-timeout must be zero or more, at most 8000 years: PT-1S
                    delayjob.shutdown-timeout=-1s                        | delayjob.shutdown-timeout must be zero or more, at most 8000 years: PT-1S
                    delayjob.backoff.initial=0s                          | delayjob.backoff.initial must be positive, at least 1 ms and at most 8000 years: PT0S
                    delayjob.backoff.max=1s                              | delayjob.backoff.max must be at least its initial PT2S: PT1S
                    delayjob.backoff.initial=1h                          | delayjob.backoff.max must be at least its initial PT1H: PT10M; raise delayjob.backoff.max too
                    delayjob.queues.orders.backoff.initial=1h            | delayjob.queues.orders.backoff.max must be at least its initial PT1H: PT10M; raise delayjob.queues.orders.backoff.max too
                    delayjob.backoff.multiplier=0.5                      | delayjob.backoff.multiplier must be 1 to 100: 0.5
                    delayjob.backoff.jitter=2                            | delayjob.backoff.jitter must be 0 to 1: 2.0
                    delayjob.backoff.policy=none                         | delayjob.backoff.policy: no BackoffPolicy bean is named 'none'; there are []
                    delayjob.node=two words                              | delayjob.node must have 1 to 128 of the characters A-Z a-z 0-9 . _ : -, found 'two words'
                    delayjob.max-param-size=0B                           | delayjob.max-param-size must be 1B to 2147483647B: 0B
                    delayjob.max-param-size=3GB                          | delayjob.max-param-size must be 1B to 2147483647B: 3221225472B
                    delayjob.default-queue={orders}                      | delayjob.default-queue must be 1 to 64 of the characters A-Z a-z 0-9 . _ - (a brace would break the Redis hash tag): '{orders}'
                    delayjob.key-prefix={app}                            | delayjob.key-prefix must have 1 to 64 characters without braces and white space: '{app}'
                    delayjob.queues.orders.concurrency=0                 | delayjob.queues.orders.concurrency must be at least 1: 0
                    delayjob.queues.orders.max-attempts=0                | delayjob.queues.orders.max-attempts must be at least 1: 0
                    delayjob.queues.orders.lease=10ms                    | delayjob.queues.orders.lease must be at least PT1S: PT0.01S
                    delayjob.queues.orders.time-to-live=0s               | delayjob.queues.orders.time-to-live must be positive, at least 1 ms and at most 8000 years: PT0S
                    delayjob.queues.orders.backoff.jitter=-1             | delayjob.queues.orders.backoff.jitter must be 0 to 1: -1.0
                    delayjob.queues.orders.backoff.policy=none           | delayjob.queues.orders.backoff.policy: no BackoffPolicy bean is named 'none'; there are []
                    delayjob.queues.orders.retention.count=-1            | delayjob.queues.orders.retention.count must be zero or more: -1
                    delayjob.queues.orders.replication.timeout=0s        | delayjob.queues.orders.replication.timeout must be 1 ms to 1 h: PT0S
                    delayjob.queues.orders.limits.concurrency=0          | delayjob.queues.orders.limits.concurrency must be at least 1: 0
                    delayjob.queues.orders.limits.rate.permits=0         | delayjob.queues.orders.limits.rate.permits must be at least 1: 0
                    delayjob.queues.orders.limits.rate.burst=-1          | delayjob.queues.orders.limits.rate.permits must be set where rate.burst is: -1
                    delayjob.queues.orders.limits.rate.per=1s            | delayjob.queues.orders.limits.rate.permits must be set where rate.per is: PT1S
                    delayjob.queues.orders.limits.per-key.concurrency=0  | delayjob.queues.orders.limits.per-key.concurrency must be at least 1: 0
                    delayjob.queues.orders.limits.per-key.rate.permits=0 | delayjob.queues.orders.limits.per-key.rate.permits must be at least 1: 0
                    delayjob.queues.orders.limits.per-key.rate.per=1m    | delayjob.queues.orders.limits.per-key.rate.permits must be set where rate.per is: PT1M
                    delayjob.journal.mode=always                         | delayjob.journal.mode asks for a journal, and the application has none: add the dependency io.delayjob:delayjob-journal, or remove the property
                    delayjob.queues.orders.journal.mode=transactional    | delayjob.queues.orders.journal.mode asks for a journal, and the application has none: add the dependency io.delayjob:delayjob-journal, or remove the property
                    delayjob.queues.orders.no-retry-for=java.lang.String | delayjob.queues.orders.no-retry-for must name exceptions: java.lang.String
                    delayjob.queues[or{ders].concurrency=1               | a name in delayjob.queues must be 1 to 64 of the characters A-Z a-z 0-9 . _ - (a brace would break the Redis hash tag): 'or{ders'
                    """)
    void refusesAValueOutOfRangeNamingPropertyValueAndRange(String assignment, String description) {
        assertThat(descriptionOfFailure(runner.withPropertyValues(assignment)))
                .isEqualTo("delayjob cannot start: " + description);
    }

    @Test
    void refusesLimitsThatCannotBeDividedAmongTheShardsOfTheirQueue() {
        ApplicationContextRunner sharded = runner.withPropertyValues("delayjob.queues.orders.shards=4");
        assertThat(descriptionOfFailure(sharded.withPropertyValues("delayjob.queues.orders.limits.concurrency=3")))
                .isEqualTo("delayjob cannot start: delayjob.queues.orders.limits.concurrency must be at least the"
                        + " number of shards, 4, because each has a share of it: 3; raise it, or use fewer shards");
        assertThat(descriptionOfFailure(sharded.withPropertyValues(
                        "delayjob.queues.orders.limits.rate.permits=1", "delayjob.queues.orders.limits.rate.per=92d")))
                .isEqualTo("delayjob cannot start: delayjob.queues.orders.limits.rate.per must be at most 366 days"
                        + " divided by the number of shards, 4: PT2208H");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    delayjob.queues.mail.concurency=3        | delayjob.queues.mail.concurency
                    delayjob.queues.x.y.concurrency=3        | delayjob.queues.x.y.concurrency
                    delayjob.queues.mail.backoff.inital=1s   | delayjob.queues.mail.backoff.inital
                    delayjob.queues.mail.concurrency.max=1   | delayjob.queues.mail.concurrency.max
                    """)
    void refusesAKeyOfAQueueThatMeansNothing(String assignment, String key) {
        assertThat(descriptionOfFailure(runner.withPropertyValues("delayjob.queues.mail.lease=5s", assignment)))
                .isEqualTo("delayjob cannot start: " + key
                        + " is not a property of a queue; the properties are concurrency, shards,"
                        + " lease, max-attempts, timeout, time-to-live, quarantine-after, priority-boost, index, retry-for, no-retry-for,"
                        + " limits.*, backoff.*, retention.*, replication.* and journal.mode; the name of a queue with a dot is written in brackets, as in"
                        + " delayjob.queues[a.b].concurrency");
    }

    @Test
    void refusesAKeyThatMeansNothing() {
        assertThat(descriptionOfFailure(runner.withPropertyValues("delayjob.leese=5s")))
                .isEqualTo("delayjob cannot start: delayjob.leese is not a property: did you mean delayjob.lease?");
    }

    @Test
    void takesKeysOfQueuesHoweverTheyAreWritten() {
        runner.withPropertyValues(
                        "delayjob.queues[x.y].concurrency=3",
                        "delayjob.queues.[v.w].backoff.initial=3s",
                        "delayjob.queues.a_b.maxAttempts=4",
                        "delayjob.queues.Upper.max_attempts=5",
                        "delayjob.queues.mail.retry-for[0]=java.io.IOException",
                        "delayjob.queues.mail.NO-RETRY-FOR=java.lang.Error,java.lang.IllegalStateException",
                        "delayjob.queues.mail.retention.time=${kept:1h}")
                .withSystemProperties("delayjob.queues.system.lease=7s", "delayjob.queues.system.unknown=1")
                .run(context -> {
                    Map<String, QueueSettings> queues =
                            context.getBean(EngineSettings.class).queues().named();
                    assertThat(queues).containsOnlyKeys("x.y", "v.w", "a_b", "Upper", "mail", "system");
                    assertThat(queues.get("x.y"))
                            .extracting(QueueSettings::concurrency)
                            .isEqualTo(3);
                    assertThat(queues.get("a_b"))
                            .extracting(queue -> queue.attempts().maxAttempts())
                            .isEqualTo(4);
                    assertThat(queues.get("Upper"))
                            .extracting(queue -> queue.attempts().maxAttempts())
                            .isEqualTo(5);
                });
    }

    @Test
    void takesKeysOfQueuesFromTheEnvironment() {
        runner.withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .replace(
                                StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                                new SystemEnvironmentPropertySource(
                                        StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                                        Map.of(
                                                "DELAYJOB_QUEUES_MAIL_MAXATTEMPTS",
                                                "4",
                                                "DELAYJOB_QUEUES_MAIL_X",
                                                "1"))))
                .run(context -> assertThat(
                                context.getBean(EngineSettings.class).queues().named())
                        .containsOnlyKeys("mail")
                        .extracting("mail")
                        .extracting("attempts.maxAttempts")
                        .isEqualTo(4));
    }

    /** Reads durations as nobody else does. */
    @ConfigurationPropertiesBinding
    static final class Fortnights implements Converter<String, Duration> {

        @Override
        public Duration convert(String text) {
            return text.startsWith("i") ? Duration.ofDays(14L * text.length()) : DurationStyle.detectAndParse(text);
        }
    }

    @Test
    void takesKeysOfQueuesThatTheApplicationConverts() {
        runner.withBean(Fortnights.class)
                .withPropertyValues("delayjob.queues.mail.timeout=ii")
                .run(context -> assertThat(context.getBean(EngineSettings.class)
                                .queues()
                                .named()
                                .get("mail"))
                        .extracting(queue -> queue.attempts().timeout())
                        .isEqualTo(Duration.ofDays(28)));
    }

    @Test
    void refusesALambda() {
        assertThat(descriptionOfFailure(runner.withUserConfiguration(LambdaConfiguration.class)))
                .contains("DelayJob bean 'lambdaJob'", "does not state the type of its param", "make it a class");
    }

    @Configuration(proxyBeanMethods = false)
    static class LambdaConfiguration {

        @Bean
        DelayJob<Parcel> lambdaJob() {
            return execution -> {};
        }
    }

    /** Its jobs would be completed before their work is done, and a failure be lost. */
    @ParameterizedTest
    @ValueSource(classes = {AsyncJob.class, JobOfAnAsyncClass.class})
    void refusesAnAsynchronousBean(Class<? extends DelayJob<?>> job) {
        assertThat(descriptionOfFailure(runner.withBean(job)))
                .contains("execute of DelayJob bean", job.getName(), "is @Async", "remove @Async");
    }

    static class AsyncJob implements DelayJob<Parcel> {

        @Async
        @Override
        public void execute(JobExecution<Parcel> execution) {}
    }

    @Async
    static class JobOfAnAsyncClass extends QuietJob {}

    @Test
    void refusesABeanThatIsNotMadeYetAndOnlyKnownAsDelayJob() {
        assertThat(descriptionOfFailure(runner.withUserConfiguration(LazyInterfaceConfiguration.class)))
                .contains("DelayJob bean 'lazyJob'", "let a @Bean method return that class");
    }

    @Configuration(proxyBeanMethods = false)
    static class LazyInterfaceConfiguration {

        @Bean
        @Lazy
        DelayJob<Parcel> lazyJob() {
            return new QuietJob();
        }
    }

    @Test
    void takesABeanThatIsKnownAsDelayJobOnceItIsMade() {
        runner.withUserConfiguration(InterfaceConfiguration.class)
                .run(context -> assertThat(
                                context.getBean(HandlerRegistry.class).names())
                        .containsExactly(QuietJob.class.getName()));
    }

    @Configuration(proxyBeanMethods = false)
    static class InterfaceConfiguration {

        @Bean
        DelayJob<Parcel> quietJob() {
            return new QuietJob();
        }
    }

    @Test
    void takesAnAnonymousClassBecauseItStatesItsType() {
        runner.withUserConfiguration(AnonymousConfiguration.class)
                .run(context -> assertThat(
                                context.getBean(HandlerRegistry.class).names())
                        .singleElement()
                        .asString()
                        .startsWith(AnonymousConfiguration.class.getName() + "$"));
    }

    @Configuration(proxyBeanMethods = false)
    static class AnonymousConfiguration {

        @Bean
        DelayJob<Parcel> anonymousJob() {
            return new DelayJob<>() {
                @Override
                public void execute(JobExecution<Parcel> execution) {}
            };
        }
    }

    /** States no type of its own, as a raw one does not. */
    static class OpenJob<T> implements DelayJob<T> {

        @Override
        public void execute(JobExecution<T> execution) {}
    }

    @Test
    void refusesABeanWhoseParamTypeIsOpen() {
        assertThat(descriptionOfFailure(runner.withBean("openJob", OpenJob.class, () -> new OpenJob<Parcel>())))
                .contains("DelayJob bean 'openJob'", OpenJob.class.getName(), "does not state the type of its param");
    }

    @Test
    void refusesTwoBeansOfOneClassNamingBoth() {
        assertThat(descriptionOfFailure(runner.withBean("first", QuietJob.class).withBean("second", QuietJob.class)))
                .contains("'first'", "'second'", QuietJob.class.getName(), "keep one");
    }

    /** Shares its name with another. */
    @DelayJobName("shared")
    static class OneJob extends QuietJob {}

    /** Shares its name with another. */
    @DelayJobName("shared")
    static class OtherJob extends QuietJob {}

    @Test
    void refusesTwoBeansOfOneNameNamingBoth() {
        assertThat(descriptionOfFailure(runner.withBean("one", OneJob.class).withBean("other", OtherJob.class)))
                .contains("'shared'", "'one'", "'other'", OneJob.class.getName(), OtherJob.class.getName());
    }

    /** Has a name that cannot be stored. */
    @DelayJobName(" ")
    static class NamelessJob extends QuietJob {}

    /** Has a name that cannot be stored. */
    @DelayJobName("a\nb")
    static class BrokenNameJob extends QuietJob {}

    @Test
    void refusesABadJobNameNamingTheBean() {
        assertThat(descriptionOfFailure(runner.withBean("nameless", NamelessJob.class)))
                .contains("@DelayJobName of bean 'nameless'", NamelessJob.class.getName())
                .contains("job name must have 1 to 256 characters: ' '");
        assertThat(descriptionOfFailure(runner.withBean("broken", BrokenNameJob.class)))
                .contains("@DelayJobName of bean 'broken'", "control characters: 'a\\u000ab'");
    }

    @Test
    void storesAJobUnderItsNameInsteadOfItsClass() {
        runner.withBean(OneJob.class)
                .withBean(QuietJob.class)
                .run(context -> assertThat(
                                context.getBean(HandlerRegistry.class).names())
                        .containsExactly(QuietJob.class.getName(), "shared"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"prototype", "singleton"})
    void findsBeansOfEveryScope(String scope) {
        runner.withBean("job", QuietJob.class, QuietJob::new, definition -> {
                    definition.setScope(scope);
                    definition.setLazyInit(true);
                })
                .run(context -> assertThat(
                                context.getBean(HandlerRegistry.class).names())
                        .containsExactly(QuietJob.class.getName()));
    }

    @Test
    void letsRedissonStartWithoutRedisOnlyIfAskedTo() {
        runner.run(context -> assertThat(context).doesNotHaveBean(RedissonAutoConfigurationCustomizer.class));
        runner.withPropertyValues("delayjob.fail-fast=false").run(context -> {
            Config config = new Config();
            context.getBean(RedissonAutoConfigurationCustomizer.class).customize(config);
            assertThat(config.isLazyInitialization()).isTrue();
        });
    }

    private static String descriptionOfFailure(ApplicationContextRunner runner) {
        StringBuilder description = new StringBuilder();
        runner.run(context -> {
            assertThat(context).hasFailed();
            Throwable failure = Objects.requireNonNull(context.getStartupFailure());
            FailureAnalysis analysis = new InvalidConfigurationFailureAnalyzer().analyze(failure);
            assertThat(analysis).as("analysis of %s", failure).isNotNull();
            description.append(Objects.requireNonNull(analysis).getDescription());
        });
        return description.toString();
    }
}
