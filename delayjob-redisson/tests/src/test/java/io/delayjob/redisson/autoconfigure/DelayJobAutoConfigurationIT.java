package io.delayjob.redisson.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.delayjob.DelayJob;
import io.delayjob.DelayJobAdmin;
import io.delayjob.DelayJobName;
import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobRequest;
import io.delayjob.JobExecution;
import io.delayjob.JobSnapshot;
import io.delayjob.JobState;
import io.delayjob.QueueCounts;
import io.delayjob.testing.RealRedis;
import jakarta.annotation.PostConstruct;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.autoproxy.DefaultAdvisorAutoProxyCreator;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.NameMatchMethodPointcut;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.core.env.Environment;

/** Beans of every kind run their jobs. */
@RealRedis
class DelayJobAutoConfigurationIT {

    private final String queue = TestApplication.queue();
    private final ApplicationContextRunner runner = TestApplication.runner(queue);

    @Test
    void runsAJobOfABean() {
        runner.withBean(ParcelJob.class).run(context -> {
            DelayJobProducer producer = context.getBean(DelayJobProducer.class);
            producer.submitDelayJob(ParcelJob.class, new Parcel("later", 2), 200, TimeUnit.MILLISECONDS);
            producer.submitDelayJob(ParcelJob.class, new Parcel("now", 1), 0, TimeUnit.SECONDS);
            context.getBean(Inbox.class).awaitExactly(new Parcel("now", 1), new Parcel("later", 2));
        });
    }

    /** A param with getters and setters. */
    static final class Letter {

        private String to = "";
        private List<Parcel> enclosed = List.of();

        public String getTo() {
            return to;
        }

        public void setTo(String to) {
            this.to = to;
        }

        public List<Parcel> getEnclosed() {
            return enclosed;
        }

        public void setEnclosed(List<Parcel> enclosed) {
            this.enclosed = enclosed;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Letter letter && letter.to.equals(to) && letter.enclosed.equals(enclosed);
        }

        @Override
        public int hashCode() {
            return Objects.hash(to, enclosed);
        }
    }

    /** A param full of times. */
    record Times(
            Instant instant,
            Duration duration,
            LocalDate date,
            LocalDateTime local,
            OffsetDateTime offset,
            ZoneId zone) {}

    /** A param that is itself generic. */
    record Pair<A, B>(A first, B second) {}

    /** States T one step further up than a bean does. */
    abstract static class PairJob<B> extends KeepingJob<Pair<UUID, B>> {

        PairJob(Inbox inbox) {
            super(inbox);
        }
    }

    static class LetterJob extends KeepingJob<Letter> {

        LetterJob(Inbox inbox) {
            super(inbox);
        }
    }

    static class ListJob extends KeepingJob<List<Parcel>> {

        ListJob(Inbox inbox) {
            super(inbox);
        }
    }

    static class MapJob extends KeepingJob<Map<String, Parcel>> {

        MapJob(Inbox inbox) {
            super(inbox);
        }
    }

    static class TimesJob extends KeepingJob<Times> {

        TimesJob(Inbox inbox) {
            super(inbox);
        }
    }

    static class OptionalPairJob extends PairJob<Optional<LocalDate>> {

        OptionalPairJob(Inbox inbox) {
            super(inbox);
        }
    }

    static class TextJob extends KeepingJob<String> {

        TextJob(Inbox inbox) {
            super(inbox);
        }
    }

    static class LongJob extends KeepingJob<Long> {

        LongJob(Inbox inbox) {
            super(inbox);
        }
    }

    static class AmountJob extends KeepingJob<BigDecimal> {

        AmountJob(Inbox inbox) {
            super(inbox);
        }
    }

    static class StateJob extends KeepingJob<JobState> {

        StateJob(Inbox inbox) {
            super(inbox);
        }
    }

    @Test
    void bindsParamsOfEveryKindThroughGenericSuperclasses() {
        Letter letter = new Letter();
        letter.setTo("Zoë \"Z\" 😀\n");
        letter.setEnclosed(List.of(new Parcel("p", 1)));
        Times times = new Times(
                Instant.parse("2026-02-28T23:59:59.123456789Z"),
                Duration.ofNanos(1_500_000_001),
                LocalDate.parse("2028-02-29"),
                LocalDateTime.parse("2026-03-29T02:30:00"),
                OffsetDateTime.parse("2026-01-01T00:00:00Z"),
                ZoneId.of("Europe/Berlin"));
        List<Parcel> list = List.of(new Parcel("a", 1), new Parcel("b", 2));
        Map<String, Parcel> map = Map.of("key", new Parcel("c", 3));
        Pair<UUID, Optional<LocalDate>> pair = new Pair<>(UUID.randomUUID(), Optional.of(LocalDate.EPOCH));
        BigDecimal amount = new BigDecimal("12345678901234567890.10");
        runner.withBean(LetterJob.class)
                .withBean(ListJob.class)
                .withBean(MapJob.class)
                .withBean(TimesJob.class)
                .withBean(OptionalPairJob.class)
                .withBean(TextJob.class)
                .withBean(LongJob.class)
                .withBean(AmountJob.class)
                .withBean(StateJob.class)
                .run(context -> {
                    DelayJobProducer producer = context.getBean(DelayJobProducer.class);
                    producer.submitDelayJob(LetterJob.class, letter, Duration.ZERO);
                    producer.submitDelayJob(ListJob.class, list, Duration.ZERO);
                    producer.submitDelayJob(MapJob.class, map, Duration.ZERO);
                    producer.submitDelayJob(TimesJob.class, times, Duration.ZERO);
                    producer.submitDelayJob(OptionalPairJob.class, pair, Duration.ZERO);
                    producer.submitDelayJob(TextJob.class, "text", Duration.ZERO);
                    producer.submitDelayJob(LongJob.class, Long.MAX_VALUE, Duration.ZERO);
                    producer.submitDelayJob(AmountJob.class, amount, Duration.ZERO);
                    producer.submitDelayJob(StateJob.class, JobState.READY, Duration.ZERO);
                    context.getBean(Inbox.class)
                            .awaitExactly(
                                    letter, list, map, times, pair, "text", Long.MAX_VALUE, amount, JobState.READY);
                });
    }

    /** Notes every execution of a DelayJob before the bean's own code, as a transaction would begin. */
    @Configuration(proxyBeanMethods = false)
    static class Advice {

        @Bean
        static DefaultAdvisorAutoProxyCreator proxies(Environment environment) {
            DefaultAdvisorAutoProxyCreator creator = new DefaultAdvisorAutoProxyCreator();
            creator.setProxyTargetClass(environment.getRequiredProperty("test.cglib", Boolean.class));
            return creator;
        }

        @Bean
        static Advisor advisor(ObjectProvider<Inbox> inbox) {
            NameMatchMethodPointcut executions = new NameMatchMethodPointcut();
            executions.setClassFilter(DelayJob.class::isAssignableFrom);
            executions.addMethodName("execute");
            MethodInterceptor advice = call -> {
                inbox.getObject().add("advice");
                return call.proceed();
            };
            return new DefaultPointcutAdvisor(executions, advice);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void runsAProxiedBeanThroughItsProxy(boolean cglib) {
        runner.withUserConfiguration(Advice.class)
                .withPropertyValues("test.cglib=" + cglib)
                .withBean("parcelJob", ParcelJob.class)
                .run(context -> {
                    Object bean = context.getBean("parcelJob");
                    assertThat(cglib ? AopUtils.isCglibProxy(bean) : AopUtils.isJdkDynamicProxy(bean))
                            .isTrue();
                    String id = context.getBean(DelayJobProducer.class)
                            .submitDelayJob(ParcelJob.class, new Parcel("proxied", 1), Duration.ofHours(1));
                    DelayJobAdmin admin = context.getBean(DelayJobAdmin.class);
                    assertThat(admin.find(queue, id).map(JobSnapshot::job)).contains(ParcelJob.class.getName());
                    admin.runNow(queue, id);
                    context.getBean(Inbox.class).awaitExactly("advice", new Parcel("proxied", 1));
                });
    }

    /** Has jobs that outlive its class name. */
    @DelayJobName("renamed")
    static class RenamedJob extends ParcelJob {

        RenamedJob(Inbox inbox) {
            super(inbox);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void findsTheNameOfAProxiedBean(boolean cglib) {
        runner.withUserConfiguration(Advice.class)
                .withPropertyValues("test.cglib=" + cglib)
                .withBean(RenamedJob.class)
                .run(context -> {
                    String id = context.getBean(DelayJobProducer.class)
                            .submitDelayJob(RenamedJob.class, new Parcel("renamed", 1), Duration.ofHours(1));
                    DelayJobAdmin admin = context.getBean(DelayJobAdmin.class);
                    assertThat(admin.find(queue, id).map(JobSnapshot::job)).contains("renamed");
                    admin.runNow(queue, id);
                    context.getBean(Inbox.class).awaitExactly("advice", new Parcel("renamed", 1));
                });
    }

    @Test
    void runsABeanBehindAScopedProxyOnANewInstanceEachTime() {
        runner.withUserConfiguration(Scoped.class).run(context -> {
            submitParcel(context.getBean(DelayJobProducer.class), ScopedJob.class, "scoped");
            context.getBean(Inbox.class).awaitExactly("made", new Parcel("scoped", 1));
            submitParcel(context.getBean(DelayJobProducer.class), ScopedJob.class, "again");
            context.getBean(Inbox.class).awaitExactly("made", new Parcel("scoped", 1), "made", new Parcel("again", 1));
        });
    }

    /** Notes when it is made. */
    static class ScopedJob implements DelayJob<Parcel> {

        private final Inbox inbox;

        ScopedJob(Inbox inbox) {
            this.inbox = inbox;
            inbox.add("made");
        }

        @Override
        public void execute(JobExecution<Parcel> execution) {
            inbox.add(execution.param());
        }
    }

    /** A job behind a scoped proxy. */
    @Configuration(proxyBeanMethods = false)
    static class Scoped {

        @Bean
        @Scope(scopeName = "prototype", proxyMode = ScopedProxyMode.TARGET_CLASS)
        ScopedJob scopedJob(Inbox inbox) {
            return new ScopedJob(inbox);
        }
    }

    /** Submits itself when it is made, and once more when it runs. */
    static class ChainJob implements DelayJob<Integer> {

        private final DelayJobProducer producer;
        private final Inbox inbox;

        ChainJob(DelayJobProducer producer, Inbox inbox) {
            this.producer = producer;
            this.inbox = inbox;
        }

        @PostConstruct
        void begin() {
            producer.submitDelayJob(ChainJob.class, 1, Duration.ofMillis(50));
        }

        @Override
        public void execute(JobExecution<Integer> execution) {
            Integer link = execution.param();
            inbox.add(link);
            if (link < 3) {
                producer.submitDelayJob(ChainJob.class, link + 1, Duration.ofMillis(50));
            }
        }
    }

    @Test
    void letsABeanSubmitItselfWhenItIsMadeAndWhenItRuns() {
        runner.withBean(ChainJob.class)
                .run(context -> context.getBean(Inbox.class).awaitExactly(1, 2, 3));
    }

    @Test
    void runsNoJobsOnANodeThatDoesNotConsume() {
        runner.withBean(ParcelJob.class)
                .withPropertyValues("delayjob.consume=false")
                .run(submitter -> {
                    submitParcel(submitter.getBean(DelayJobProducer.class), ParcelJob.class, "elsewhere");
                    assertThat(submitter.getBean(DelayJobAdmin.class).counts(queue))
                            .isEqualTo(new QueueCounts(0, 1, 0, 0, 0, false));
                    runner.withBean(ParcelJob.class)
                            .run(consumer -> consumer.getBean(Inbox.class).awaitExactly(new Parcel("elsewhere", 1)));
                    assertThat(submitter.getBean(Inbox.class).seen()).isEmpty();
                });
    }

    @Test
    void consumesTheDefaultQueueAndThoseWithSettings() {
        String named = TestApplication.queue();
        String unnamed = TestApplication.queue();
        runner.withBean(ParcelJob.class)
                .withPropertyValues("delayjob.queues." + named + ".shards=3")
                .run(context -> {
                    DelayJobProducer producer = context.getBean(DelayJobProducer.class);
                    submitParcel(producer, ParcelJob.class, "default");
                    producer.submitDelayJob(parcel("named").withQueue(named), Duration.ZERO);
                    producer.submitDelayJob(parcel("unnamed").withQueue(unnamed).withId("waits"), Duration.ZERO);
                    context.getBean(Inbox.class).awaitExactly(new Parcel("default", 1), new Parcel("named", 1));
                    assertThat(context.getBean(DelayJobAdmin.class)
                                    .find(unnamed, "waits")
                                    .map(JobSnapshot::state))
                            .contains(JobState.READY);
                });
    }

    @Test
    void refusesToSubmitAClassThatIsNoBeanAndAParamThatIsTooLong() {
        runner.withBean(ParcelJob.class)
                .withPropertyValues("delayjob.max-param-size=64B")
                .run(context -> {
                    DelayJobProducer producer = context.getBean(DelayJobProducer.class);
                    assertThatIllegalArgumentException()
                            .isThrownBy(() -> producer.submitDelayJob(TextJob.class, "text", Duration.ZERO))
                            .withMessageContainingAll(
                                    "no DelayJob bean of class " + TextJob.class.getName(), ParcelJob.class.getName());
                    assertThatIllegalArgumentException()
                            .isThrownBy(() -> submitParcel(producer, ParcelJob.class, "x".repeat(64)))
                            .withMessageContainingAll("delayjob.max-param-size", "(64)", "86 bytes");
                    assertThat(context.getBean(DelayJobAdmin.class).counts(queue))
                            .isEqualTo(new QueueCounts(0, 0, 0, 0, 0, false));
                });
    }

    /** Notes which thread it runs on. */
    static class ThreadJob implements DelayJob<String> {

        private final Inbox inbox;

        ThreadJob(Inbox inbox) {
            this.inbox = inbox;
        }

        @Override
        public void execute(JobExecution<String> execution) {
            inbox.add(Thread.currentThread());
        }
    }

    @Test
    void runsJobsOnVirtualThreadsIfTheApplicationUsesThem() {
        int jdk = Runtime.version().feature();
        if (jdk < 21) {
            System.out.println("skipped: virtual threads need JDK 21 or later, this is JDK " + jdk);
        }
        assumeTrue(jdk >= 21, "virtual threads need JDK 21 or later, this is JDK " + jdk);
        assertThat(threadOfAJob("spring.threads.virtual.enabled=true"))
                .asString()
                .startsWith("VirtualThread[")
                .contains("delayjob-" + queue + "-worker-");
    }

    @Test
    void runsJobsOnDaemonThreadsWithTheNameOfTheQueueOtherwise() {
        Thread thread = threadOfAJob("spring.threads.virtual.enabled=false");
        assertThat(thread.isDaemon()).isTrue();
        assertThat(thread.getName()).startsWith("delayjob-" + queue + "-worker-");
        assertThat(thread.toString()).startsWith("Thread[");
    }

    private Thread threadOfAJob(String property) {
        Inbox inbox = new Inbox();
        runner.withPropertyValues(property)
                .withBean("threadJob", ThreadJob.class, () -> new ThreadJob(inbox))
                .run(context -> {
                    context.getBean(DelayJobProducer.class).submitDelayJob(ThreadJob.class, "", Duration.ZERO);
                    await().until(() -> inbox.seen().size() == 1);
                });
        return (Thread) inbox.seen().get(0);
    }

    private static DelayJobRequest<Parcel> parcel(String text) {
        return DelayJobRequest.of(ParcelJob.class, new Parcel(text, 1));
    }

    private static void submitParcel(
            DelayJobProducer producer, Class<? extends DelayJob<Parcel>> jobClass, String text) {
        producer.submitDelayJob(jobClass, new Parcel(text, 1), Duration.ZERO);
    }
}
