package io.delayjob.spring.internal.listener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.Mockito.mock;

import io.delayjob.AckMode;
import io.delayjob.Acknowledgment;
import io.delayjob.Backoff;
import io.delayjob.DelayJob;
import io.delayjob.DelayJobListener;
import io.delayjob.DelayJobPolicy;
import io.delayjob.DelayJobQueue;
import io.delayjob.JobBackoff;
import io.delayjob.JobExecution;
import io.delayjob.NonRetryableException;
import io.delayjob.engine.handler.Handler;
import io.delayjob.engine.settings.AttemptPolicy;
import io.delayjob.engine.settings.ConsumedQueue;
import io.delayjob.engine.settings.ExceptionRules;
import io.delayjob.spi.BackoffPolicy;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.framework.autoproxy.DefaultAdvisorAutoProxyCreator;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.NameMatchMethodPointcut;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.core.annotation.AliasFor;
import org.springframework.delayjob.ListeningComponent;
import org.springframework.delayjob.ListeningInfrastructure;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.annotation.Headers;
import org.springframework.messaging.handler.annotation.Payload;
import tools.jackson.databind.JsonNode;

/** Tests how listener methods are found and called. */
class ListenersTest {

    private static final Order ORDER = new Order(7);
    private static final Map<String, String> HEADERS = Map.of("tenant", "acme", "retries", "3", "wait", "10s");
    private static final TestExecution EXECUTION = new TestExecution(ORDER, HEADERS);

    /** Keeps what it was called with. */
    abstract static class Keeping {

        final List<@Nullable Object> seen = new ArrayList<>();

        void keep(@Nullable Object... values) {
            seen.addAll(Arrays.asList(values));
        }
    }

    static class PayloadOnly extends Keeping {
        @DelayJobListener(topic = "a")
        void on(Order order) {
            keep(order);
        }
    }

    static class Nothing extends Keeping {
        @DelayJobListener(topic = "a")
        void on() {
            keep("called");
        }
    }

    static class MarkedPayload extends Keeping {
        @DelayJobListener(topic = "a")
        void on(@Payload Order order) {
            keep(order);
        }
    }

    static class ExecutionOnly extends Keeping {
        @DelayJobListener(topic = "a")
        void on(JobExecution<Order> execution) {
            keep(execution);
        }
    }

    static class EverythingOneWay extends Keeping {
        @DelayJobListener(topic = "a", ackMode = AckMode.MANUAL)
        void on(
                Order order,
                JobExecution<Order> execution,
                Acknowledgment acknowledgment,
                @Header("tenant") String tenant,
                @Headers Map<String, Object> headers) {
            keep(order, execution, acknowledgment, tenant, headers);
        }
    }

    static class EverythingTheOtherWay extends Keeping {
        @DelayJobListener(topic = "a", ackMode = AckMode.MANUAL)
        void on(
                @Headers Map<String, String> headers,
                @Header(name = "tenant") String tenant,
                Acknowledgment acknowledgment,
                JobExecution<?> execution,
                @Payload Order order) {
            keep(headers, tenant, acknowledgment, execution, order);
        }
    }

    private static List<@Nullable Object> seenBy(Class<? extends Keeping> type, TestExecution execution)
            throws Exception {
        try (TestBeans beans = TestBeans.of(type)) {
            beans.job().work().execute(execution, ACKNOWLEDGMENT);
            return beans.context.getBean(type).seen;
        }
    }

    private static final Acknowledgment ACKNOWLEDGMENT = mock(Acknowledgment.class);

    @Test
    void givesAMethodWhatItTakesInAnyOrder() throws Exception {
        assertThat(seenBy(PayloadOnly.class, EXECUTION)).containsExactly(ORDER);
        assertThat(seenBy(Nothing.class, EXECUTION)).containsExactly("called");
        assertThat(seenBy(MarkedPayload.class, EXECUTION)).containsExactly(ORDER);
        assertThat(seenBy(ExecutionOnly.class, EXECUTION)).containsExactly(EXECUTION);
        assertThat(seenBy(EverythingOneWay.class, EXECUTION))
                .containsExactly(ORDER, EXECUTION, ACKNOWLEDGMENT, "acme", HEADERS);
        assertThat(seenBy(EverythingTheOtherWay.class, EXECUTION))
                .containsExactly(HEADERS, "acme", ACKNOWLEDGMENT, EXECUTION, ORDER);
    }

    @Test
    void givesAJobUpThatHasNotThePayloadItTakes() {
        assertThatExceptionOfType(NonRetryableException.class)
                .isThrownBy(() -> seenBy(PayloadOnly.class, new TestExecution(null, Map.of())))
                .withMessageContaining(" takes a payload, and job 'job-1' of queue 'orders' has none");
    }

    static class Converted extends Keeping {
        @DelayJobListener(topic = "a")
        void on(
                @Header int retries,
                @Header("wait") Duration pause,
                @Header(name = "absent", required = false) @Nullable String absent,
                @Header("absent") Optional<String> optional,
                @Header(name = "absent", defaultValue = "${fallback:5}") long fallback) {
            keep(retries, pause, absent, optional, fallback);
        }
    }

    @Test
    void convertsHeadersAsSpringDoes() throws Exception {
        assertThat(seenBy(Converted.class, EXECUTION))
                .containsExactly(3, Duration.ofSeconds(10), null, Optional.empty(), 5L);
    }

    static class IdTaker extends Keeping {
        @DelayJobListener(topic = "a")
        void on(@Header("id") String id, @Header("timestamp") String timestamp, @Headers Map<String, Object> all) {
            keep(id, timestamp, all);
        }
    }

    @Test
    void addsNoHeadersOfAMessageAndHidesNone() throws Exception {
        Map<String, String> headers = Map.of("id", "i", "timestamp", "t");
        assertThat(seenBy(IdTaker.class, new TestExecution(null, headers))).containsExactly("i", "t", headers);
    }

    @Test
    void givesAJobUpWhoseHeaderIsMissing() {
        assertThatExceptionOfType(NonRetryableException.class)
                .isThrownBy(() -> seenBy(IdTaker.class, new TestExecution(null, Map.of())))
                .withMessage(
                        "listener 'a' (" + IdTaker.class.getName() + ".on) requires the header 'id', which its job"
                                + " lacks, or has empty, and always will; submit it, or state required = false or a defaultValue");
    }

    @Test
    void givesAJobUpWhoseHeaderDoesNotConvert() {
        assertThatExceptionOfType(NonRetryableException.class)
                .isThrownBy(
                        () -> seenBy(Converted.class, new TestExecution(null, Map.of("retries", "3", "wait", "long"))))
                .withMessageStartingWith("listener 'a' (" + Converted.class.getName()
                        + ".on) cannot be given the header 'wait' as java.time.Duration: its value cannot be converted")
                .withMessageEndingWith("; submit it as such, or take a String and convert that")
                .withNoCause();
    }

    static class ConvertedInManyWays extends Keeping {
        @DelayJobListener(topic = "a")
        void on(
                @Header("retries") Object any,
                @Header("retries") CharSequence text,
                @Header("retries") Optional<Integer> optional,
                @Header("names") List<String> names,
                @Header("mode") AckMode mode,
                @Header(name = "absent", required = false) @Nullable Integer absent,
                @Header(name = "absent", required = false) boolean flag,
                @Header("wait") @Nullable Duration pause) {
            keep(any, text, optional, names, mode, absent, flag, pause);
        }
    }

    @Test
    void takesHeadersOfEveryTypeThatAStringConvertsTo() throws Exception {
        Map<String, String> headers = Map.of("retries", "3", "names", "a,b", "mode", "MANUAL", "wait", "1s");
        assertThat(seenBy(ConvertedInManyWays.class, new TestExecution(null, headers)))
                .containsExactly(
                        "3",
                        "3",
                        Optional.of(3),
                        List.of("a", "b"),
                        AckMode.MANUAL,
                        null,
                        false,
                        Duration.ofSeconds(1));
    }

    @SuppressWarnings("unused")
    static class Failing {
        @DelayJobListener(topic = "a")
        private void on(Order order) throws IOException {
            throw new IOException("order " + order.id());
        }
    }

    @Test
    void throwsWhatThePrivateMethodThrows() {
        try (TestBeans beans = TestBeans.of(Failing.class)) {
            Handler job = beans.job();
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> TestBeans.run(job, EXECUTION))
                    .withMessage("order 7");
        }
    }

    abstract static class Base<T, L extends List<T>> {
        @DelayJobListener(topic = "a")
        void on(L list) {}
    }

    static class Derived extends Base<Order, ArrayList<Order>> {}

    abstract static class BaseOfLists<T> {
        @DelayJobListener(topic = "a")
        void on(Map<String, List<T>> lists) {}
    }

    static class DerivedOfLists extends BaseOfLists<Order> {}

    static class ListTaker {
        @DelayJobListener(topic = "a")
        void on(List<Order> list) {}
    }

    static class ListExecution {
        @DelayJobListener(topic = "a")
        void on(JobExecution<List<Order>> execution) {}
    }

    static class Agreeing {
        @DelayJobListener(topic = "a")
        void on(int number, JobExecution<Integer> execution) {}
    }

    static class Bounded {
        @DelayJobListener(topic = "a")
        void on(JobExecution<? extends Order> execution) {}
    }

    static class AnyPayload {
        @DelayJobListener(topic = "a")
        void on(JobExecution<?> execution) {}
    }

    static class Tree {
        @DelayJobListener(topic = "a")
        void on(JsonNode tree) {}
    }

    interface Contract<T> {
        @DelayJobListener(topic = "a")
        void on(T order, @Header("tenant") String tenant);
    }

    static class Contracted extends Keeping implements Contract<Order> {
        @Override
        public void on(Order order, String tenant) {
            keep(order, tenant);
        }
    }

    @Test
    void readsTheTypeOfThePayloadFromTheSignature() {
        String order = Order.class.getName();
        assertThat(payloadOf(PayloadOnly.class)).isEqualTo(order);
        assertThat(payloadOf(ListTaker.class)).isEqualTo("java.util.List<" + order + ">");
        assertThat(payloadOf(ListExecution.class)).isEqualTo("java.util.List<" + order + ">");
        assertThat(payloadOf(Derived.class)).isEqualTo("java.util.ArrayList<" + order + ">");
        assertThat(payloadOf(DerivedOfLists.class))
                .isEqualTo("java.util.Map<java.lang.String,java.util.List<" + order + ">>");
        assertThat(payloadOf(Agreeing.class)).isEqualTo("java.lang.Integer");
        assertThat(payloadOf(Bounded.class)).isEqualTo(order);
        assertThat(payloadOf(AnyPayload.class)).isEqualTo("java.lang.Object");
        assertThat(payloadOf(Nothing.class)).isEqualTo("java.lang.Object");
        assertThat(payloadOf(Tree.class)).isEqualTo(JsonNode.class.getName());
        assertThat(payloadOf(Contracted.class)).isEqualTo(order);
    }

    private static String payloadOf(Class<?> type) {
        try (TestBeans beans = TestBeans.of(type)) {
            return beans.job().paramType().toCanonical();
        }
    }

    @Test
    void takesAnnotationsOfAnInterface() throws Exception {
        assertThat(seenBy(Contracted.class, EXECUTION)).containsExactly(ORDER, "acme");
    }

    static class Plain {
        @DelayJobListener(topic = "close-order")
        void close(Order order) {}
    }

    @Test
    void leavesToTheQueueWhatItDoesNotState() {
        try (TestBeans beans = TestBeans.of(Plain.class)) {
            Handler job = beans.job();
            assertThat(job.name()).isEqualTo("close-order");
            assertThat(job.label()).isEqualTo("listener 'close-order' (" + Plain.class.getName() + ".close)");
            assertThat(job.jobClass()).isNull();
            assertThat(job.ackMode()).isEqualTo(AckMode.ON_SUCCESS);
            assertThat(job.attempts()).isEqualTo(AttemptPolicy.NONE);
            assertThat(job.priority()).isNull();
            assertThat(job.consumed()).isEqualTo(new ConsumedQueue("close-order", null, null, null, null));
        }
    }

    static class Full {
        @DelayJobListener(
                topic = "${app.topic}",
                queue = "#{'or' + 'ders'}",
                id = "${app.id:closer}",
                concurrency = " ${app.concurrency} ",
                lease = "PT1M",
                autoStartup = "#{1 > 2}",
                ackMode = AckMode.ALWAYS,
                maxAttempts = "#{2 * ${app.concurrency}}",
                timeout = "#{T(java.time.Duration).ofMinutes(3)}",
                timeToLive = "${app.none:}",
                priority = "#{${app.concurrency} + 3}",
                backoff = @JobBackoff(initial = "${app.initial}"),
                retryFor = FileNotFoundException.class,
                noRetryFor = {IOException.class, IllegalStateException.class})
        void close(Order order) {}
    }

    @Test
    void resolvesPlaceholdersAndExpressionsInEveryText() {
        try (TestBeans beans = TestBeans.of(Full.class)
                .property("app.topic", "close")
                .property("app.concurrency", "4")
                .property("app.initial", "5s")) {
            Handler job = beans.job();
            assertThat(job.name()).isEqualTo("close");
            assertThat(job.ackMode()).isEqualTo(AckMode.ALWAYS);
            assertThat(job.consumed())
                    .isEqualTo(new ConsumedQueue("closer", "orders", 4, Duration.ofMinutes(1), false));
            assertThat(job.priority()).isEqualTo(7);
            assertThat(job.attempts())
                    .isEqualTo(new AttemptPolicy(
                            8,
                            new Backoff(Duration.ofSeconds(5), Duration.ofSeconds(30), 3, 0.3),
                            Duration.ofMinutes(3),
                            null,
                            new ExceptionRules(
                                    Set.of(FileNotFoundException.class),
                                    Set.of(IOException.class, IllegalStateException.class))));
        }
    }

    /** An application's own annotation, with the name that it had for a topic. */
    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @DelayJobListener(maxAttempts = "3")
    @interface OnMessage {

        @AliasFor(annotation = DelayJobListener.class, attribute = "topic")
        String value();

        @AliasFor(annotation = DelayJobListener.class)
        AckMode ackMode() default AckMode.ON_SUCCESS;
    }

    static class OwnAnnotation extends Keeping {
        @OnMessage("${app.topic}")
        void on(Order order) {
            keep(order);
        }
    }

    static class OwnAnnotationByHand extends Keeping {
        @OnMessage(value = "b", ackMode = AckMode.MANUAL)
        void on(Order order, Acknowledgment acknowledgment) {
            keep(order, acknowledgment);
        }
    }

    @Test
    void takesAnAnnotationOfTheApplicationThatCarriesIt() throws Exception {
        try (TestBeans beans = TestBeans.of(OwnAnnotation.class).property("app.topic", "close")) {
            Handler job = beans.job();
            assertThat(job.name()).isEqualTo("close");
            assertThat(job.ackMode()).isEqualTo(AckMode.ON_SUCCESS);
            assertThat(job.attempts().maxAttempts()).isEqualTo(3);
            TestBeans.run(job, EXECUTION);
            assertThat(beans.context.getBean(OwnAnnotation.class).seen).containsExactly(ORDER);
        }
        assertThat(seenBy(OwnAnnotationByHand.class, EXECUTION)).containsExactly(ORDER, ACKNOWLEDGMENT);
    }

    static class NamedAfterItsQueue {
        @DelayJobListener(queue = "orders")
        void close(Order order) {}
    }

    @Test
    void isNamedAfterItsQueueWithoutATopic() {
        try (TestBeans beans = TestBeans.of(NamedAfterItsQueue.class)) {
            Handler job = beans.job();
            assertThat(job.name()).isEqualTo("orders");
            assertThat(job.consumed()).isEqualTo(new ConsumedQueue("orders", "orders", null, null, null));
        }
    }

    static class OnPolicedQueue {
        @DelayJobListener(queue = "policed", backoff = @JobBackoff(max = "1h"))
        void close(Order order) {}
    }

    @Test
    void takesTheDefaultBackoffForWhatAQueueWithAPolicyBeanCannotSay() {
        try (TestBeans beans = TestBeans.of(OnPolicedQueue.class)) {
            assertThat(beans.job().attempts().backoff())
                    .isEqualTo(new Backoff(Duration.ofSeconds(2), Duration.ofHours(1), 2, 0.2));
        }
    }

    /** Waits a second for each attempt. */
    static class Patience implements BackoffPolicy {
        @Override
        public Duration waitAfter(int attempt, Throwable failure) {
            return Duration.ofSeconds(attempt);
        }
    }

    static class WithPolicyBean {
        @DelayJobListener(topic = "a", backoff = @JobBackoff(policy = "${policy}"))
        void close(Order order) {}
    }

    @Test
    void asksThePolicyBeanItNames() {
        try (TestBeans beans =
                TestBeans.of(WithPolicyBean.class, Patience.class).property("policy", "patience")) {
            BackoffPolicy policy = Objects.requireNonNull(beans.job().attempts().backoff());
            assertThat(policy.waitAfter(3, new Exception())).isEqualTo(Duration.ofSeconds(3));
        }
    }

    @DelayJobPolicy(
            maxAttempts = "${attempts:4}",
            timeout = "1m",
            timeToLive = "2m",
            priority = "9",
            backoff = @JobBackoff(jitter = "0"),
            noRetryFor = IOException.class)
    static class PolicedJob implements DelayJob<Order> {
        @Override
        public void execute(JobExecution<Order> execution) {}
    }

    static class InheritingJob extends PolicedJob {}

    @ParameterizedTest
    @ValueSource(classes = {PolicedJob.class, InheritingJob.class})
    void readsThePolicyOfAClassAndOfItsSuperclasses(Class<?> type) {
        try (TestBeans beans = TestBeans.of(type)) {
            Handler job = beans.job();
            assertThat(job.label()).endsWith("' (" + type.getName() + ")").startsWith("bean '");
            assertThat(job.consumed()).isNull();
            assertThat(job.priority()).isEqualTo(9);
            assertThat(job.attempts())
                    .isEqualTo(new AttemptPolicy(
                            4,
                            new Backoff(Duration.ofSeconds(2), Duration.ofMinutes(10), 2, 0),
                            Duration.ofMinutes(1),
                            Duration.ofMinutes(2),
                            new ExceptionRules(Set.of(), Set.of(IOException.class))));
        }
    }

    @DelayJobQueue("${app.queue:orders}")
    @DelayJobPolicy(backoff = @JobBackoff(jitter = "0"))
    static class OrdersJob implements DelayJob<Order> {
        @Override
        public void execute(JobExecution<Order> execution) {}
    }

    static class InheritingOrdersJob extends OrdersJob {}

    @ParameterizedTest
    @ValueSource(classes = {OrdersJob.class, InheritingOrdersJob.class})
    void readsTheQueueOfAClassAndOfItsSuperclasses(Class<?> type) {
        try (TestBeans beans = TestBeans.of(type)) {
            Handler job = beans.job();
            assertThat(job.consumed()).isEqualTo(ConsumedQueue.ofBean("orders"));
            assertThat(job.attempts().backoff())
                    .isEqualTo(new Backoff(
                            TestBeans.ORDERS.initial(), TestBeans.ORDERS.max(), TestBeans.ORDERS.multiplier(), 0));
        }
    }

    /** Several in one class, of every visibility. */
    static class Several {
        @DelayJobListener(topic = "one")
        public void one(Order order) {}

        @DelayJobListener(topic = "two")
        protected void two(Order order) {}

        @DelayJobListener(topic = "three")
        void three(Order order) {}

        void none(Order order) {}
    }

    @Test
    void findsEveryListenerOfAClass() {
        try (TestBeans beans = TestBeans.of(Several.class, PolicedJob.class)) {
            assertThat(beans.jobs())
                    .extracting(Handler::name)
                    .containsExactlyInAnyOrder("one", "two", "three", PolicedJob.class.getName());
        }
    }

    /** Says when one of its beans is made. */
    @Configuration(proxyBeanMethods = false)
    static class Makers {

        static final List<String> made = new ArrayList<>();

        @Bean
        @Lazy
        PayloadOnly lazy() {
            made.add("lazy");
            return new PayloadOnly();
        }

        @Bean
        @Scope(scopeName = "prototype", proxyMode = ScopedProxyMode.TARGET_CLASS)
        Several scoped() {
            made.add("scoped");
            return new Several();
        }
    }

    @Test
    void makesNoBeanToFindListeners() throws Exception {
        Makers.made.clear();
        try (TestBeans beans = TestBeans.of(Makers.class)) {
            List<Handler> jobs = beans.jobs();
            assertThat(jobs).extracting(Handler::name).containsExactlyInAnyOrder("a", "one", "two", "three");
            assertThat(Makers.made).isEmpty();
            for (Handler job : jobs) {
                TestBeans.run(job, EXECUTION);
            }
            assertThat(Makers.made).containsExactlyInAnyOrder("lazy", "scoped", "scoped", "scoped");
        }
    }

    /** Notes every call of a proxy before the bean's own code, as a transaction would begin. */
    @Configuration(proxyBeanMethods = false)
    static class Advice {

        static final List<String> calls = new ArrayList<>();

        @Bean
        static DefaultAdvisorAutoProxyCreator proxies() {
            return new DefaultAdvisorAutoProxyCreator();
        }

        @Bean
        static DefaultPointcutAdvisor advisor() {
            NameMatchMethodPointcut methods = new NameMatchMethodPointcut();
            methods.setClassFilter(type -> Keeping.class.isAssignableFrom(type));
            methods.addMethodName("on");
            MethodInterceptor advice = call -> {
                calls.add(call.getMethod().getName());
                return call.proceed();
            };
            return new DefaultPointcutAdvisor(methods, advice);
        }
    }

    /** Of a public method that an interface has, so that a proxy of interfaces has it too. */
    interface Closing {
        void on(Order order, String tenant);
    }

    static class BehindAnInterface extends Keeping implements Closing {

        static final List<Object> closed = new ArrayList<>();

        @Override
        @DelayJobListener(topic = "a")
        public void on(Order order, @Header("tenant") String tenant) {
            closed.add(order);
            closed.add(tenant);
        }
    }

    static Stream<Class<?>> proxied() {
        return Stream.of(PayloadOnly.class, BehindAnInterface.class);
    }

    @ParameterizedTest
    @MethodSource("proxied")
    void callsAProxiedBeanThroughItsProxy(Class<?> type) throws Exception {
        Advice.calls.clear();
        BehindAnInterface.closed.clear();
        try (TestBeans beans = TestBeans.of(Advice.class, type)) {
            TestBeans.run(beans.job(), EXECUTION);
            assertThat(Advice.calls).containsExactly("on");
        }
        if (type == BehindAnInterface.class) {
            assertThat(BehindAnInterface.closed).containsExactly(ORDER, "acme");
        }
    }

    @Test
    void findsListenersInPackagesOfSpringInComponentsOnly() {
        try (TestBeans beans = TestBeans.of(ListeningComponent.class, ListeningInfrastructure.class)) {
            assertThat(beans.jobs()).extracting(Handler::name).containsExactly("component");
        }
    }

    @Test
    void findsListenersBeforeTheirBeansAreMade() {
        try (TestBeans beans = TestBeans.of(Plain.class)) {
            assertThat(beans.find()).extracting(Handler::name).containsExactly("close-order");
        }
    }
}
