package io.delayjob.spring.internal.listener;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.delayjob.AckMode;
import io.delayjob.Acknowledgment;
import io.delayjob.DelayJob;
import io.delayjob.DelayJobListener;
import io.delayjob.DelayJobName;
import io.delayjob.DelayJobPolicy;
import io.delayjob.DelayJobQueue;
import io.delayjob.JobBackoff;
import io.delayjob.JobExecution;
import io.delayjob.spring.InvalidConfigurationException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.reactivestreams.Publisher;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageHeaders;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.annotation.Headers;
import org.springframework.messaging.handler.annotation.Payload;
import org.springframework.scheduling.annotation.Async;

/** Tests invalid listeners: each mistake fails the start and names bean, method, attribute, value and range. */
class ListenerErrorsTest {

    private static final String ALLOWED = "a listener takes, in any order:";

    static class NoTopic {
        @DelayJobListener
        void on(Order order) {}
    }

    static class BlankTopic {
        @DelayJobListener(topic = " ")
        void on(Order order) {}
    }

    static class ControlTopic {
        @DelayJobListener(topic = "a\nb")
        void on(Order order) {}
    }

    static class BadQueue {
        @DelayJobListener(queue = "{orders}")
        void on(Order order) {}
    }

    static class BadId {
        @DelayJobListener(topic = "a", id = "\t")
        void on(Order order) {}
    }

    static class NoNumber {
        @DelayJobListener(topic = "a", maxAttempts = "many")
        void on(Order order) {}
    }

    static class LowNumber {
        @DelayJobListener(topic = "a", concurrency = "${low}")
        void on(Order order) {}
    }

    static class HighPriority {
        @DelayJobListener(topic = "a", priority = "10")
        void on(Order order) {}
    }

    static class NoPriority {
        @DelayJobListener(topic = "a", priority = "high")
        void on(Order order) {}
    }

    static class NoDuration {
        @DelayJobListener(topic = "a", timeout = "soon")
        void on(Order order) {}
    }

    static class LowDuration {
        @DelayJobListener(topic = "a", timeToLive = "0s")
        void on(Order order) {}
    }

    static class LongDuration {
        @DelayJobListener(topic = "a", timeout = "99999999999999999999d")
        void on(Order order) {}
    }

    static class ShortLease {
        @DelayJobListener(topic = "a", lease = "999ms")
        void on(Order order) {}
    }

    static class NoFlag {
        @DelayJobListener(topic = "a", autoStartup = "later")
        void on(Order order) {}
    }

    static class MissingPlaceholder {
        @DelayJobListener(topic = "${missing}")
        void on(Order order) {}
    }

    static class BrokenExpression {
        @DelayJobListener(topic = "a", lease = "#{1 +}")
        void on(Order order) {}
    }

    static class LowInitial {
        @DelayJobListener(topic = "a", backoff = @JobBackoff(initial = "0s"))
        void on(Order order) {}
    }

    static class LowMax {
        @DelayJobListener(queue = "orders", backoff = @JobBackoff(max = "1s"))
        void on(Order order) {}
    }

    static class NoMultiplier {
        @DelayJobListener(topic = "a", backoff = @JobBackoff(multiplier = "double"))
        void on(Order order) {}
    }

    static class HighJitter {
        @DelayJobListener(topic = "a", backoff = @JobBackoff(jitter = "2"))
        void on(Order order) {}
    }

    static class NoPolicy {
        @DelayJobListener(topic = "a", backoff = @JobBackoff(policy = "patience"))
        void on(Order order) {}
    }

    static class PolicyAndValues {
        @DelayJobListener(topic = "a", backoff = @JobBackoff(policy = "patience", max = "1h"))
        void on(Order order) {}
    }

    static class RetriedAndNot {
        @DelayJobListener(topic = "a", retryFor = IOException.class, noRetryFor = IOException.class)
        void on(Order order) {}
    }

    static class UncalledFor {
        @DelayJobListener(topic = "a")
        void on(Order order, Acknowledgment acknowledgment) {}
    }

    static class AlwaysAcknowledged {
        @DelayJobListener(topic = "a", ackMode = AckMode.ALWAYS)
        void on(Acknowledgment acknowledgment) {}
    }

    static class Unacknowledged {
        @DelayJobListener(topic = "a", ackMode = AckMode.MANUAL)
        void on(Order order) {}
    }

    static class TwoPayloads {
        @DelayJobListener(topic = "a")
        void on(Order order, @Payload String text) {}
    }

    static class TwoTypes {
        @DelayJobListener(topic = "a")
        void on(List<Order> orders, JobExecution<List<Long>> execution) {}
    }

    static class MessageTaker {
        @DelayJobListener(topic = "a")
        void on(Message<Order> message) {}
    }

    static class MessageHeadersTaker {
        @DelayJobListener(topic = "a")
        void on(Order order, MessageHeaders headers) {}
    }

    static class HeadersOfNoMap {
        @DelayJobListener(topic = "a")
        void on(@Headers List<String> headers) {}
    }

    static class HeadersOfNumbers {
        @DelayJobListener(topic = "a")
        void on(@Headers Map<String, Integer> headers) {}
    }

    static class MarkedTwice {
        @DelayJobListener(topic = "a")
        void on(@Payload @Header("a") String text) {}
    }

    static class MarkedExecution {
        @DelayJobListener(topic = "a")
        void on(@Payload JobExecution<Order> execution) {}
    }

    static class PayloadExpression {
        @DelayJobListener(topic = "a")
        void on(@Payload("id") long id) {}
    }

    static class StaticMethod {
        @DelayJobListener(topic = "a")
        static void on(Order order) {}
    }

    static class Staged {
        @DelayJobListener(topic = "a")
        CompletableFuture<Void> on(Order order) {
            return new CompletableFuture<>();
        }
    }

    static class StagedByHand {
        @DelayJobListener(topic = "a", ackMode = AckMode.MANUAL)
        CompletionStage<Void> on(Order order, Acknowledgment acknowledgment) {
            return new CompletableFuture<>();
        }
    }

    static class Awaited {
        @DelayJobListener(topic = "a")
        Future<String> on(Order order) {
            return new CompletableFuture<>();
        }
    }

    /** A reactive type, like Mono and Flux. */
    interface Reactive extends Publisher<String> {}

    static class Published {
        @DelayJobListener(topic = "a")
        @Nullable Reactive on(Order order) {
            return null;
        }
    }

    static class Flowing {
        @DelayJobListener(topic = "a")
        Flow.@Nullable Publisher<String> on(Order order) {
            return null;
        }
    }

    abstract static class Returning<R> {
        @DelayJobListener(topic = "a")
        @Nullable R on(Order order) {
            return null;
        }
    }

    static class ReturningAStage extends Returning<CompletionStage<Void>> {}

    static class AsyncMethod {
        @Async
        @DelayJobListener(topic = "a")
        public void on(Order order) {}
    }

    @Async
    static class AsyncClass {
        @DelayJobListener(topic = "a")
        public void on(Order order) {}
    }

    static class OfAnAsyncClass extends AsyncClass {}

    /** Nothing makes one of a string. */
    interface Unmade {}

    static class HeaderOfUnmade {
        @DelayJobListener(topic = "a")
        void on(Order order, @Header("tenant") Unmade tenant) {}
    }

    static class OptionalHeaderOfUnmade {
        @DelayJobListener(topic = "a")
        void on(Order order, @Header("tenant") Optional<Unmade> tenant) {}
    }

    static class AbsentPrimitive {
        @DelayJobListener(topic = "a")
        void on(Order order, @Header(name = "retries", required = false) int retries) {}
    }

    private static String unseen(String type) {
        return ": it returns a " + type
                + ", whose outcome nobody would see; return when the work is done, or let it return"
                + " void, use ackMode MANUAL and acknowledge when the work completes";
    }

    static Stream<Arguments> mistakes() {
        return Stream.of(
                arguments(NoTopic.class, ": topic is empty, and queue is too; state the topic, or a queue"),
                arguments(BlankTopic.class, ": topic must have 1 to 256 characters: ' '"),
                arguments(ControlTopic.class, ": topic must not contain control characters: 'a\\u000ab'"),
                arguments(BadQueue.class, ": queue must be 1 to 64 of the characters A-Z a-z 0-9 . _ -"),
                arguments(BadId.class, ": id must have 1 to 256 characters: '\\u0009'"),
                arguments(NoNumber.class, ": maxAttempts must be a whole number, at least 1: 'many'"),
                arguments(LowNumber.class, ": concurrency must be at least 1: 0, stated as '${low}'"),
                arguments(
                        HighPriority.class,
                        ": priority must be 0 to 9, of which higher ones go first, or left out for 4: 10"),
                arguments(NoPriority.class, ": priority must be a whole number, 0 to 9: 'high'"),
                arguments(NoDuration.class, ": timeout must be a duration such as 30s, 10m or PT1H: 'soon'"),
                arguments(
                        LowDuration.class, ": timeToLive must be positive, at least 1 ms and at most 8000 years: PT0S"),
                arguments(LongDuration.class, ": timeout must be a duration such as 30s, 10m or PT1H: '9999"),
                arguments(ShortLease.class, ": lease must be at least PT1S: PT0.999S"),
                arguments(NoFlag.class, ": autoStartup must be true or false: 'later'"),
                arguments(MissingPlaceholder.class, ": topic: '${missing}' cannot be resolved: Could not resolve"),
                arguments(BrokenExpression.class, ": lease: '#{1 +}' cannot be resolved: "),
                arguments(LowInitial.class, ": backoff.initial must be positive, at least 1 ms"),
                arguments(LowMax.class, ": backoff max must be at least its initial PT3S: PT1S"),
                arguments(NoMultiplier.class, ": backoff.multiplier must be a number: 'double'"),
                arguments(HighJitter.class, ": backoff jitter must be 0 to 1: 2.0"),
                arguments(NoPolicy.class, ": backoff.policy: no BackoffPolicy bean is named 'patience'; there are []"),
                arguments(
                        PolicyAndValues.class,
                        ": backoff.policy: 'patience' computes the wait alone; leave the other values"),
                arguments(
                        RetriedAndNot.class,
                        ": retryFor: java.io.IOException is in both retryFor and noRetryFor; remove"),
                arguments(
                        UncalledFor.class,
                        ": a parameter of type Acknowledgment needs ackMode MANUAL, found ON_SUCCESS"),
                arguments(
                        AlwaysAcknowledged.class,
                        ": a parameter of type Acknowledgment needs ackMode MANUAL, found ALWAYS"),
                arguments(
                        Unacknowledged.class, ": ackMode MANUAL needs a parameter of type Acknowledgment; " + ALLOWED),
                arguments(TwoPayloads.class, ": it takes more than one payload; " + ALLOWED),
                arguments(
                        TwoTypes.class,
                        ": its payload is java.util.List<io.delayjob.spring.internal.listener.Order>,"
                                + " but its JobExecution has java.util.List<java.lang.Long>; state one type, or JobExecution<?>"),
                arguments(
                        MessageTaker.class,
                        ": its parameter 1 (org.springframework.messaging.Message<io.delayjob"
                                + ".spring.internal.listener.Order>) is a Spring messaging type, and a job is not a message; "
                                + ALLOWED),
                arguments(
                        MessageHeadersTaker.class,
                        ": its parameter 2 (org.springframework.messaging.MessageHeaders)"
                                + " is a Spring messaging type, and a job is not a message; " + ALLOWED),
                arguments(HeadersOfNoMap.class, " is marked @Headers and is no Map<String, Object>; " + ALLOWED),
                arguments(HeadersOfNumbers.class, " is marked @Headers and is no Map<String, Object>; " + ALLOWED),
                arguments(
                        MarkedTwice.class,
                        ": its parameter 1 (java.lang.String) is marked as more than one kind of argument"),
                arguments(MarkedExecution.class, " is marked as more than one kind of argument; " + ALLOWED),
                arguments(PayloadExpression.class, " has an expression in its @Payload, which is not supported"),
                arguments(
                        AbstractPayload.class,
                        ": a param of type " + Payment.class.getName() + " cannot be read from JSON ("),
                arguments(AbstractExecution.class, "; use a concrete type, or name its subtypes with @JsonTypeInfo"),
                arguments(StaticMethod.class, ": the method is static; a listener is a method of its bean"),
                arguments(Staged.class, unseen("CompletableFuture")),
                arguments(StagedByHand.class, unseen("CompletionStage")),
                arguments(Awaited.class, unseen("Future")),
                arguments(Published.class, unseen("Reactive")),
                arguments(Flowing.class, unseen("Publisher")),
                arguments(ReturningAStage.class, unseen("CompletionStage")),
                arguments(AsyncMethod.class, ": it is @Async, so that its job would be completed before"),
                arguments(AsyncClass.class, ": its class is @Async, so that its job would be completed before"),
                arguments(OfAnAsyncClass.class, ": its class is @Async, so that its job would be completed before"),
                arguments(
                        HeaderOfUnmade.class,
                        ": its parameter 2 (" + Unmade.class.getName()
                                + ") is a @Header of a type that Spring converts no string to; " + ALLOWED),
                arguments(
                        OptionalHeaderOfUnmade.class,
                        ") is a @Header of a type that Spring converts no string to; " + ALLOWED),
                arguments(
                        AbsentPrimitive.class,
                        ": its parameter 2 (int) is a primitive, and a @Header that may be absent; take an object, or"
                                + " state a defaultValue; " + ALLOWED));
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void refusesAMistakeNamingBeanMethodAttributeValueAndRange(Class<?> type, String message) {
        try (TestBeans beans = TestBeans.of().property("low", "0")) {
            beans.context.registerBean("mistaken", type);
            assertThatExceptionOfType(InvalidConfigurationException.class)
                    .isThrownBy(beans::jobs)
                    .withMessageContaining("@DelayJobListener on " + type.getName() + ".on of bean 'mistaken'")
                    .withMessageContaining(message);
        }
    }

    interface Payment {}

    static class AbstractPayload {
        @DelayJobListener(topic = "a")
        void on(Payment payment) {}
    }

    static class AbstractExecution {
        @DelayJobListener(topic = "a")
        void on(JobExecution<Payment> execution) {}
    }

    static class AbstractJob implements DelayJob<Payment> {
        @Override
        public void execute(JobExecution<Payment> execution) {}
    }

    @Test
    void refusesADelayJobWhoseParamCannotBeRead() {
        refused(
                "DelayJob bean 'abstractJob' of " + AbstractJob.class.getName() + ": a param of type "
                        + Payment.class.getName() + " cannot be read from JSON (",
                AbstractJob.class);
    }

    @DelayJobPolicy(priority = "-1")
    static class LowPriorityPolicy implements DelayJob<Order> {
        @Override
        public void execute(JobExecution<Order> execution) {}
    }

    @DelayJobPolicy(maxAttempts = "0")
    static class LowPolicy implements DelayJob<Order> {
        @Override
        public void execute(JobExecution<Order> execution) {}
    }

    static class LongInitial {
        @DelayJobListener(topic = "a", backoff = @JobBackoff(initial = "1h"))
        void on(Order order) {}
    }

    @Test
    void saysToRaiseTheLongestWaitThatIsNotStated() {
        refused(": backoff max must be at least its initial PT1H: PT10M; state its max too", LongInitial.class);
    }

    @Test
    void refusesAMistakeInThePolicyOfAClass() {
        refused(
                "@DelayJobPolicy of bean 'lowPolicy' (" + LowPolicy.class.getName()
                        + "): maxAttempts must be at least 1: 0",
                LowPolicy.class);
        refused(
                "@DelayJobPolicy of bean 'lowPriorityPolicy' (" + LowPriorityPolicy.class.getName()
                        + "): priority must be 0 to 9, of which higher ones go first, or left out for 4: -1",
                LowPriorityPolicy.class);
    }

    @DelayJobQueue("{orders}")
    static class BadQueueJob implements DelayJob<Order> {
        @Override
        public void execute(JobExecution<Order> execution) {}
    }

    @Test
    void refusesAMistakeInTheQueueOfAClass() {
        refused(
                "@DelayJobQueue of bean 'badQueueJob' (" + BadQueueJob.class.getName()
                        + "): value must be 1 to 64 of the characters",
                BadQueueJob.class);
    }

    static class First {
        @DelayJobListener(topic = "shared", id = "first")
        void on(Order order) {}
    }

    static class Second {
        @DelayJobListener(topic = "shared")
        void on(Order order) {}
    }

    @DelayJobName("shared")
    static class SharedJob implements DelayJob<Order> {
        @Override
        public void execute(JobExecution<Order> execution) {}
    }

    @Test
    void refusesTwoListenersOfOneTopic() {
        refused(
                "listener 'first' (" + First.class.getName() + ".on) of bean 'first' and listener 'shared' ("
                        + Second.class.getName()
                        + ".on) of bean 'second' share the name 'shared'; keep one bean of a class,"
                        + " and give each listener a topic of its own",
                First.class,
                Second.class);
    }

    @Test
    void refusesAListenerAndADelayJobOfOneName() {
        refused(
                "bean 'sharedJob' (" + SharedJob.class.getName() + ") and listener 'first' (" + First.class.getName()
                        + ".on) of bean 'first' share the name 'shared'; keep one bean of a class, and give each listener a"
                        + " topic of its own that is the name of no DelayJob",
                First.class,
                SharedJob.class);
    }

    @Test
    void refusesTwoBeansOfAClassWithAListener() {
        try (TestBeans beans = TestBeans.of()) {
            beans.context.registerBean("one", First.class);
            beans.context.registerBean("other", First.class);
            assertThatExceptionOfType(InvalidConfigurationException.class)
                    .isThrownBy(beans::jobs)
                    .withMessageContainingAll("of bean 'one'", "of bean 'other'", "keep one bean of a class");
        }
    }

    static class SameId {
        @DelayJobListener(topic = "other", id = "first")
        void on(Order order) {}
    }

    @Test
    void refusesTwoListenersOfOneId() {
        refused(
                "listener 'first' (" + First.class.getName() + ".on) of bean 'first' and listener 'first' ("
                        + SameId.class.getName()
                        + ".on) of bean 'sameId' share an id; give each listener an id of its own",
                First.class,
                SameId.class);
    }

    static class Slow {
        @DelayJobListener(topic = "slow", queue = "main", concurrency = "1", lease = "60s", autoStartup = "true")
        void on(Order order) {}
    }

    static class Silent {
        @DelayJobListener(topic = "silent")
        void on(Order order) {}
    }

    static class Busy {
        @DelayJobListener(topic = "busy", concurrency = "8")
        void on(Order order) {}
    }

    static class Brief {
        @DelayJobListener(topic = "brief", lease = "5s")
        void on(Order order) {}
    }

    static class Late {
        @DelayJobListener(topic = "late", autoStartup = "false")
        void on(Order order) {}
    }

    static Stream<Arguments> disagreements() {
        return Stream.of(
                arguments(Busy.class, "concurrency", "1 and 8"),
                arguments(Brief.class, "lease", "PT1M and PT5S"),
                arguments(Late.class, "autoStartup", "true and false"));
    }

    @ParameterizedTest
    @MethodSource("disagreements")
    void refusesListenersThatWantOneQueueDifferently(Class<?> second, String attribute, String values) {
        refused(
                " state different " + attribute + " for queue 'main': " + values
                        + "; it belongs to the queue, so state it once or the same",
                Slow.class,
                Silent.class,
                second);
    }

    interface Named {
        String name();
    }

    static class Hidden implements Named {
        @DelayJobListener(topic = "hidden")
        public void on(Order order) {}

        @Override
        public String name() {
            return "hidden";
        }
    }

    @Test
    void refusesAMethodThatAJdkProxyHides() {
        refusedBehindAProxy(
                Hidden::new,
                false,
                "the proxy of its bean has the methods of its interfaces only; put the method on one of them, or set"
                        + " spring.aop.proxy-target-class=true, which is Boot's default");
    }

    @SuppressWarnings("unused")
    static class PrivateListener {
        @DelayJobListener(topic = "private")
        private void on(Order order) {}
    }

    @Test
    void refusesAPrivateMethodOfAProxiedBean() {
        refusedBehindAProxy(PrivateListener::new, true, "Switch its visibility to package or protected");
    }

    static class FinalListener {
        @DelayJobListener(topic = "final")
        final void on(Order order) {}
    }

    @Test
    void refusesAFinalMethodOfAProxiedBean() {
        refusedBehindAProxy(
                FinalListener::new,
                true,
                "the method is final, so that the proxy of its bean cannot pass it on; let it not be final");
    }

    private static <B> void refusedBehindAProxy(Supplier<B> made, boolean cglib, String message) {
        B target = made.get();
        ProxyFactory proxies = new ProxyFactory(target);
        proxies.setProxyTargetClass(cglib);
        Object proxy = proxies.getProxy();
        try (TestBeans beans = TestBeans.of()) {
            beans.context.getBeanFactory().registerSingleton("proxied", proxy);
            assertThatExceptionOfType(InvalidConfigurationException.class)
                    .isThrownBy(beans::jobs)
                    .withMessageContaining(
                            "@DelayJobListener on " + target.getClass().getName() + ".on of bean 'proxied'")
                    .withMessageContaining(message);
        }
    }

    private static void refused(String message, Class<?>... types) {
        try (TestBeans beans = TestBeans.of(types)) {
            assertThatExceptionOfType(InvalidConfigurationException.class)
                    .isThrownBy(beans::jobs)
                    .withMessageContaining(message);
        }
    }
}
