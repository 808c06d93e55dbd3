package io.delayjob.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.AckMode;
import io.delayjob.ClaimedJob;
import io.delayjob.DelayJobRequest;
import io.delayjob.JobClaim;
import io.delayjob.JobSettlement;
import io.delayjob.NonRetryableException;
import io.delayjob.engine.extension.WorkerThreads;
import io.delayjob.engine.handler.Handler;
import io.delayjob.engine.handler.HandlerRegistry;
import io.delayjob.engine.handler.ParamCodec;
import io.delayjob.engine.memory.MemoryBackend;
import io.delayjob.engine.settings.ConsumedQueue;
import io.delayjob.engine.settings.QueueSettings;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import tools.jackson.databind.json.JsonMapper;

/** Measurements that the engine reports, on an in-memory ledger whose clock the test sets. */
@Isolated("reads what the whole JVM prints")
@ExtendWith(OutputCaptureExtension.class)
class TelemetryTest {

    private static final String TOPIC = "close-order";
    private static final Duration ANY = Duration.ofSeconds(30);

    /** By the clock of the machine, no attempt begins after it. */
    private static final Duration LEASE = Duration.ofMinutes(5);

    private static final QueueSettings QUEUE =
            TestSettings.defaults().with(new ConsumedQueue("any", null, null, LEASE, null));

    private final AtomicLong clock = new AtomicLong(1_700_000_000_000L);
    private final MemoryBackend backend = new MemoryBackend(clock::get, true);
    private final TelemetryLog log = new TelemetryLog();
    private Handler.Work work = (execution, acknowledgment) -> {};
    private final DelayJobEngine engine = engine();
    private final ManualRuns runs = engine.manualRuns();
    private final ManualClaims claims = engine.manualClaims();

    private DelayJobEngine engine() {
        return new DelayJobEngine(
                TestSettings.node("q", QUEUE, ANY),
                backend,
                new HandlerRegistry(() -> List.of(TestSettings.listener(
                        TOPIC,
                        AckMode.ON_SUCCESS,
                        (execution, acknowledgment) -> work.execute(execution, acknowledgment)))),
                new ParamCodec(JsonMapper.builder().build(), 1000),
                WorkerThreads.PLATFORM,
                log.extensions());
    }

    @AfterEach
    void close() {
        engine.close();
    }

    private void submit(Object payload) {
        engine.producer()
                .submitDelayJob(
                        DelayJobRequest.toTopic(TOPIC, payload).withId("a").withQueue("q"), Duration.ZERO);
    }

    @Test
    void measuresAnAttemptThatSucceedsAndHowLateItBegan() {
        submit(new Note("a", 1));
        clock.addAndGet(250);
        runs.runOne();
        assertThat(log.lines())
                .containsExactly("q submitted STORED", "q ended close-order COMPLETED", "q completed close-order");
        assertThat(log.latenessNanos())
                .singleElement()
                .satisfies(nanos -> assertThat(nanos).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(250)));
    }

    @Test
    void measuresSubmitsByWhatTheyLedTo() {
        submit(new Note("a", 1));
        submit(new Note("a", 1));
        assertThat(log.lines()).containsExactly("q submitted STORED", "q submitted EXISTS");
    }

    @Test
    void measuresRetriesAndDeath() {
        work = (execution, acknowledgment) -> {
            if (execution.attempt() == 2) {
                throw new NonRetryableException("never");
            }
            throw new IllegalStateException("again");
        };
        submit(new Note("a", 1));
        runs.runOne();
        clock.addAndGet(50);
        runs.runOne();
        assertThat(log.lines())
                .containsExactly(
                        "q submitted STORED",
                        "q ended close-order RETRIED",
                        "q retried close-order",
                        "q ended close-order DEAD",
                        "q buried close-order");
    }

    @Test
    void whatDoesNotBeginIsNoAttempt() {
        submit(new Note("a", 1));
        engine.producer().submitDelayJob(DelayJobRequest.toTopic("unknown", 1).withQueue("q"), Duration.ZERO);
        engine.admin().cancel("q", "a");
        engine.producer().submitDelayJob(DelayJobRequest.toTopic(TOPIC, new Note("b", 2)), Duration.ofDays(1));
        runs.runOne();
        assertThat(log.latenessNanos()).isEmpty();
        assertThat(log.lines()).containsOnly("q submitted STORED");
    }

    @Test
    void measuresAnAttemptThatEndsAfterItsLease() {
        work = (execution, acknowledgment) -> {
            if (execution.attempt() == 1) {
                clock.addAndGet(LEASE.toMillis());
                engine.manualRuns().runOne();
            }
        };
        submit(new Note("a", 1));
        runs.runOne();
        assertThat(log.lines())
                .containsExactly(
                        "q submitted STORED",
                        "q expired",
                        "q ended close-order COMPLETED",
                        "q completed close-order",
                        "q ended close-order COMPLETED",
                        "q stale close-order",
                        "q lost close-order");
    }

    @Test
    void measuresAnAttemptThatIsInterruptedBecauseItsLeaseIsLost() {
        work = (execution, acknowledgment) -> {
            if (execution.attempt() == 1) {
                clock.addAndGet(LEASE.toMillis());
                runs.runOne();
                throw new InterruptedException();
            }
        };
        submit(new Note("a", 1));
        runs.runOne();
        assertThat(log.lines())
                .containsExactly(
                        "q submitted STORED",
                        "q expired",
                        "q ended close-order COMPLETED",
                        "q completed close-order",
                        "q ended close-order LOST",
                        "q lost close-order");
    }

    private ClaimedJob claim() {
        return claims.claim(JobClaim.of("q")).get(0);
    }

    private void settle(JobSettlement settlement) {
        engine.claims().settle(List.of(settlement));
    }

    @Test
    void measuresTheAttemptsOfWorkersElsewhereAsThoseOfBeans() {
        submit(new Note("a", 1));
        clock.addAndGet(250);
        settle(new JobSettlement.Retry(claim().handle(), Duration.ZERO, "busy"));
        settle(new JobSettlement.Release(claim().handle()));
        settle(new JobSettlement.Bury(claim().handle(), "no such order"));
        assertThat(log.lines())
                .containsExactly(
                        "q submitted STORED",
                        "q claimed 1",
                        "q ended close-order RETRIED",
                        "q retried close-order",
                        "q claimed 1",
                        "q ended close-order RELEASED",
                        "q claimed 1",
                        "q ended close-order DEAD",
                        "q buried close-order");
        assertThat(log.latenessNanos())
                .hasSize(3)
                .first()
                .satisfies(nanos -> assertThat(nanos).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(250)));
    }

    @Test
    void measuresAnAttemptElsewhereThatIsSettledTooLateAndLogsNothingOfIt(CapturedOutput output) {
        submit(new Note("a", 1));
        String first = claim().handle();
        clock.addAndGet(LEASE.toMillis());
        String second = claim().handle();
        settle(new JobSettlement.Complete(first, null));
        settle(new JobSettlement.Complete(second, null));
        settle(new JobSettlement.Bury(second, "too late"));
        assertThat(output).doesNotContain("too late");
        assertThat(log.lines())
                .containsExactly(
                        "q submitted STORED",
                        "q claimed 1",
                        "q claimed 1",
                        "q expired",
                        "q ended close-order COMPLETED",
                        "q stale close-order",
                        "q ended close-order COMPLETED",
                        "q completed close-order",
                        "q ended close-order DEAD",
                        "q stale close-order");
    }

    @Test
    void errorsOfAWorkerForgeNoLineOfTheLog(CapturedOutput output) {
        work = (execution, acknowledgment) -> {
            throw new IllegalStateException("x\n2030-01-01 ERROR forged");
        };
        submit(new Note("a", 1));
        runs.runOne();
        clock.addAndGet(50);
        settle(new JobSettlement.Bury(claim().handle(), "x\n2030-01-01 ERROR forged"));

        assertThat(output).contains("failed attempt 1", "is dead", "forged");
        assertThat(output.toString().lines()).noneMatch(line -> line.startsWith("2030-01-01 ERROR"));
    }

    @Test
    void aJobThatIsRefusedIsNoAttemptOfAWorkerElsewhere() {
        engine.producer()
                .submitDelayJob(
                        DelayJobRequest.toTopic("unknown", 1).withQueue("q").withTimeToLive(Duration.ofMillis(10)),
                        Duration.ZERO);
        clock.addAndGet(250);
        assertThat(claims.claim(JobClaim.of("q"))).isEmpty();
        assertThat(log.lines()).containsExactly("q submitted STORED", "q claimed 1", "q buried (other)");
        assertThat(log.latenessNanos()).isEmpty();
    }

    @Test
    void queuesThatThisNodeIsNotForCountAsOne() {
        for (String queue : List.of("theirs", "others")) {
            engine.producer()
                    .submitDelayJob(
                            DelayJobRequest.toTopic(TOPIC, new Note("a", 1)).withQueue(queue), Duration.ZERO);
        }
        assertThat(log.lines()).containsExactly("(other) submitted STORED", "(other) submitted STORED");
    }
}
