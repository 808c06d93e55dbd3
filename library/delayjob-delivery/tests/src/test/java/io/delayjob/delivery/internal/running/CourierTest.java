package io.delayjob.delivery.internal.running;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.Mockito.RETURNS_DEEP_STUBS;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.delayjob.ClaimedJob;
import io.delayjob.DelayJobClaims;
import io.delayjob.JobClaim;
import io.delayjob.JobOptions;
import io.delayjob.JobSettlement;
import io.delayjob.delivery.Binding;
import io.delayjob.delivery.BindingStatus.Origin;
import io.delayjob.delivery.internal.binding.Bound;
import io.delayjob.delivery.spi.DeliveryOutcome;
import io.delayjob.delivery.spi.Transport;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.Codec;
import org.redisson.misc.CompletableFutureWrapper;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Jobs that are claimed, and calls that end, at once. */
@Execution(ExecutionMode.CONCURRENT)
class CourierTest {

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final DueJobs due = new DueJobs();
    private final Target target = new Target();
    private Duration callTimeout = Binding.DEFAULT_TIMEOUT;
    private final RedissonClient redisson = mock(RedissonClient.class, RETURNS_DEEP_STUBS);

    @AfterEach
    void close() {
        timer.shutdownNow();
    }

    private Courier courier(int calls, @Nullable Courier before) {
        return courier(calls, Duration.ofHours(1), before);
    }

    private Courier courier(int calls, Duration obstacleTimeout, @Nullable Courier before) {
        Binding binding = Binding.of("t", "target:t").withCalls(calls).withTimeout(callTimeout);
        return new Courier(
                new Bound(binding, Origin.RUN_TIME, null, target, null, false, null),
                target,
                due,
                timer,
                obstacleTimeout,
                new Sightings(redisson, "p", Duration.ofHours(1)),
                (gone, why) -> {},
                CallObserver.NONE,
                before);
    }

    @Test
    void callsThatEndWhileOthersOfTheirClaimHaveYetToBeginMakeNoRoomForMore() {
        due.add("a", "b", "c", "d", "e", "f");
        target.answerAtOnce.addAll(Set.of("a", "c"));
        courier(2, null).claim();

        assertThat(target.most).isEqualTo(2);
        assertThat(target.underWay.keySet()).containsExactlyInAnyOrder("b", "d");
        target.answer("b");
        target.answer("d");
        assertThat(target.most).isEqualTo(2);
        assertThat(target.underWay.keySet()).containsExactlyInAnyOrder("e", "f");
    }

    @Test
    void jobsAreNotDeliveredThatAreCancelledBeforeTheirLeaseIsExtended() {
        due.lease = Duration.ofSeconds(1);
        due.cancelled.add("a");
        due.add("a", "b");

        courier(2, null).claim();

        assertThat(target.underWay.keySet()).containsExactly("b");
    }

    @Test
    void whatRedisDoesNotAnswerIsNoFailureOfTheTarget() {
        due.lease = Duration.ofSeconds(1);
        due.failsToExtend = true;
        due.add("a", "b", "c", "d", "e");

        Courier courier = courier(5, null);
        courier.claim();

        assertThat(courier.held()).isNull();
        assertThat(courier.underWay()).isZero();
        assertThat(target.underWay).isEmpty();
        due.failsToExtend = false;
        await().until(() -> target.underWay.size() == 5);
    }

    @Test
    void aJobThatIsGivenBackSpendsNoAttemptAndComesAgain() {
        due.add("a");
        Courier courier = courier(1, null);
        courier.claim();

        target.answer("a", new DeliveryOutcome.GivenBack("Redis did not answer"));

        assertThat(due.released).containsExactly("a");
        await().until(() -> target.underWay.containsKey("a"));
        assertThat(courier.held()).isNull();
    }

    @Test
    void leasesLastAsLongAsRedisSaysWhateverTheClockOfTheNode() {
        due.ahead = Duration.ofHours(1);
        due.lease = Duration.ofSeconds(1);
        due.cancelled.add("short");
        due.add("short");
        courier(1, null).claim();
        assertThat(target.underWay).isEmpty();

        due.ahead = Duration.ofHours(-1);
        due.lease = Duration.ofMinutes(1);
        due.failsToExtend = true;
        due.add("long");
        courier(1, null).claim();
        assertThat(target.underWay).containsOnlyKeys("long");
    }

    @Test
    void jobsThatNobodyTakesAreGivenUpByRedisClock() {
        when(redisson.getBucket(anyString(), any(Codec.class)).isExistsAsync())
                .thenReturn(new CompletableFutureWrapper<>(false));
        target.absent = true;
        Duration timeout = Duration.ofMillis(100);
        due.ahead = Duration.ofHours(-1);
        due.add("fresh");
        courier(1, timeout, null).claim();
        await().until(() -> due.released.contains("fresh"));
        assertThat(due.buried).isEmpty();

        due.ahead = Duration.ofHours(1);
        due.overdue = timeout;
        due.add("old");
        courier(1, timeout, null).claim();
        await().until(() -> due.buried.contains("old"));
    }

    @Test
    void aCallThatDoesNotEndInItsTimeKeepsItsPlaceUntilItDoes() {
        callTimeout = Duration.ofMillis(100);
        due.add("a", "b");
        Courier courier = courier(1, null);
        courier.claim();

        await().untilAsserted(() -> assertThat(courier.held()).isEqualTo("its calls have not ended in their time: 1"));
        assertThat(target.underWay).containsOnlyKeys("a");
        assertThat(courier.underWay()).isEqualTo(1);

        target.answer("a");
        await().until(() -> target.underWay.containsKey("b"));
        assertThat(courier.held()).isNull();
    }

    @Test
    void callsOfTheStoppedCourierOfTheTargetCountUntilTheyEnd() {
        due.add("a", "b", "c", "d");
        Courier first = courier(2, null);
        first.claim();
        var unused = first.stop();
        Courier second = courier(2, first);

        second.claim();

        assertThat(target.underWay.keySet()).containsExactlyInAnyOrder("a", "b");
        assertThat(second.underWay()).isEqualTo(2);
        target.answer("a");
        await().until(() -> target.underWay.containsKey("c"));
        target.answer("b");
        await().until(() -> target.underWay.containsKey("d"));
        assertThat(target.most).isEqualTo(2);
    }

    @Test
    void aStopIsOverWhenTheCallsOfTheStoppedCourierBeforeItAreToo() {
        due.add("a", "b");
        Courier first = courier(1, null);
        first.claim();
        var unused = first.stop();
        Courier second = courier(2, first);
        second.claim();

        CompletableFuture<Void> stop = second.stop();

        target.answer("b");
        assertThat(stop).isNotDone();
        target.answer("a");
        assertThat(stop).isDone();
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void answersOfATargetForgeNoLineOfTheLog(CapturedOutput output) {
        due.add("a", "b", "c", "d", "e", "f");
        courier(1, null).claim();

        for (String id : List.of("a", "b", "c", "d", "e")) {
            await().until(() -> target.underWay.containsKey(id));
            target.answer(id, new DeliveryOutcome.Failed("HTTP 500: x\n2030-01-01 ERROR forged"));
        }
        await().until(() -> output.toString().contains("forged"));

        assertThat(output).contains("the jobs of topic 't' wait");
        assertThat(output.toString().lines()).noneMatch(line -> line.startsWith("2030-01-01 ERROR"));
    }

    /** Answers calls at once, or when a test says. */
    private static final class Target implements Transport {

        final Map<String, CompletableFuture<DeliveryOutcome>> underWay = new ConcurrentHashMap<>();
        final List<String> answerAtOnce = new ArrayList<>();
        volatile int most;
        volatile boolean absent;

        @Override
        public Set<String> schemes() {
            return Set.of("target");
        }

        @Override
        public void check(Binding binding) {}

        @Override
        public Optional<String> obstacle(Binding binding) {
            return absent ? Optional.of("nobody is there") : Optional.empty();
        }

        @Override
        public boolean isAbsent(Binding binding) {
            return absent;
        }

        @Override
        public CompletionStage<DeliveryOutcome> deliver(Binding binding, ClaimedJob job) {
            CompletableFuture<DeliveryOutcome> call = new CompletableFuture<>();
            underWay.put(job.id(), call);
            most = Math.max(most, underWay.size());
            if (answerAtOnce.contains(job.id())) {
                answer(job.id());
            }
            return call;
        }

        void answer(String id) {
            answer(id, new DeliveryOutcome.Delivered(null));
        }

        void answer(String id, DeliveryOutcome outcome) {
            Objects.requireNonNull(underWay.remove(id)).complete(outcome);
        }
    }

    /** Hands out jobs at once while there are any. */
    private static final class DueJobs implements DelayJobClaims {

        final List<String> cancelled = new ArrayList<>();
        final Set<String> released = ConcurrentHashMap.newKeySet();
        final Set<String> buried = ConcurrentHashMap.newKeySet();
        volatile boolean failsToExtend;
        volatile Duration lease = Duration.ofHours(1);
        volatile Duration overdue = Duration.ZERO;

        /** By how much Redis' clock is ahead of the node's. */
        volatile Duration ahead = Duration.ZERO;

        private final Deque<String> ids = new ConcurrentLinkedDeque<>();

        void add(String... more) {
            ids.addAll(List.of(more));
        }

        @Override
        public CompletableFuture<List<ClaimedJob>> claimAsync(JobClaim claim) {
            return ids.isEmpty()
                    ? new CompletableFuture<>()
                    : CompletableFuture.completedFuture(IntStream.range(0, Math.min(claim.max(), ids.size()))
                            .mapToObj(i -> job(ids.remove()))
                            .toList());
        }

        private ClaimedJob job(String id) {
            Instant now = Instant.now().plus(ahead);
            Instant dueAt = now.minus(overdue);
            JobOptions options = JobOptions.NONE.withLease(lease);
            return new ClaimedJob("t", id, "t", "{}", Map.of(), 1, dueAt, dueAt, now.plus(lease), options, id);
        }

        @Override
        public CompletableFuture<List<Boolean>> settleAsync(List<? extends JobSettlement> settlements) {
            if (failsToExtend && settlements.stream().anyMatch(JobSettlement.Extend.class::isInstance)) {
                return CompletableFuture.failedFuture(new IllegalStateException("Redis did not answer"));
            }
            settlements.forEach(this::settled);
            return CompletableFuture.completedFuture(settlements.stream()
                    .map(settlement -> !cancelled.contains(settlement.handle()))
                    .toList());
        }

        private void settled(JobSettlement settlement) {
            if (settlement instanceof JobSettlement.Release) {
                ids.add(settlement.handle());
                released.add(settlement.handle());
            } else if (settlement instanceof JobSettlement.Bury) {
                buried.add(settlement.handle());
            }
        }

        @Override
        public List<ClaimedJob> claim(JobClaim claim) {
            return claimAsync(claim).join();
        }

        @Override
        public List<Boolean> settle(List<? extends JobSettlement> settlements) {
            return settleAsync(settlements).join();
        }
    }
}
