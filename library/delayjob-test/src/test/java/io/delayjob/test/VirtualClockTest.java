package io.delayjob.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.delayjob.Backoff;
import io.delayjob.Dedupe;
import io.delayjob.DelayJobAdmin;
import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobRequest;
import io.delayjob.Explanation;
import io.delayjob.JobEvent;
import io.delayjob.JobSnapshot;
import io.delayjob.JobState;
import io.delayjob.Progress;
import io.delayjob.SubmitResult;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@DelayJobTest(
        classes = {Notes.class, Letters.class},
        properties = {"delayjob.queues.other.max-attempts=2", "delayjob.retention.time=1h", "delayjob.max-attempts=3"})
@ExtendWith(OutputCaptureExtension.class)
class VirtualClockTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    @Autowired
    private DelayJobProducer producer;

    @Autowired
    private DelayJobAdmin admin;

    @Autowired
    private Notes notes;

    @Autowired
    private Letters letters;

    @Autowired
    private VirtualClock clock;

    @Autowired
    private SubmittedJobs jobs;

    @Autowired
    private HandRuns runs;

    @BeforeEach
    void forget() {
        notes.clear();
        letters.clear();
    }

    private static DelayJobRequest<String> note(String text) {
        return DelayJobRequest.of(Notes.class, text).withId(text);
    }

    private JobSnapshot job(String id) {
        return admin.find("default", id).orElseThrow();
    }

    @Test
    void runsNothingEarlyAndEverythingAtItsTime() {
        producer.submitDelayJob(Notes.class, "tea", MINUTE);

        assertThat(clock.advance(MINUTE.minusMillis(1))).isZero();
        assertThat(notes.taken()).isEmpty();

        assertThat(clock.advance(Duration.ofNanos(1))).isEqualTo(1);
        assertThat(notes.taken()).containsExactly("tea");
    }

    @Test
    void runsInTheOrderOfDueTimesOverAllQueuesAndShowsEach() {
        List<Duration> times = new ArrayList<>();
        Instant start = clock.now();
        for (int minutes : new int[] {3, 1, 2}) {
            String text = String.valueOf(minutes);
            notes.on(text, execution -> times.add(Duration.between(start, clock.now())));
            DelayJobRequest<String> request = minutes == 2 ? note(text).withQueue("other") : note(text);
            producer.submitDelayJob(request, MINUTE.multipliedBy(minutes));
        }

        assertThat(clock.advance(Duration.ofHours(1))).isEqualTo(3);

        assertThat(times).containsExactly(MINUTE, MINUTE.multipliedBy(2), MINUTE.multipliedBy(3));
        assertThat(clock.now()).isEqualTo(start.plus(Duration.ofHours(1)));
    }

    @Test
    void runsTheHigherPriorityFirstOfWhatIsDue() {
        producer.submitDelayJob(note("low").withPriority(0), MINUTE);
        producer.submitDelayJob(note("usual"), MINUTE);
        producer.submitDelayJob(note("high").withPriority(9), MINUTE);
        assertThat(job("high").options().priority()).isEqualTo(9);

        assertThat(clock.advance(MINUTE)).isEqualTo(3);
        assertThat(notes.taken()).containsExactly("high", "usual", "low");
    }

    @Test
    void runsWhatJobsSubmitIfItIsDueByThen() {
        notes.on("tick", execution -> producer.submitDelayJob(Notes.class, "tick", MINUTE));
        producer.submitDelayJob(Notes.class, "tick", MINUTE);

        assertThat(clock.advance(Duration.ofMinutes(10))).isEqualTo(10);
    }

    @Test
    void retriesAtTheEndOfTheBackoffAndBuriesAfterTheLastAttempt() {
        Instant start = clock.now();
        List<Duration> times = new ArrayList<>();
        notes.on("bad", execution -> {
            times.add(Duration.between(start, clock.now()));
            throw new IllegalArgumentException("no good");
        });
        producer.submitDelayJob(note("bad").withBackoff(new Backoff(MINUTE, Duration.ofHours(1), 2, 0)), Duration.ZERO);

        clock.runDue();
        assertThat(job("bad").state()).isEqualTo(JobState.DELAYED);
        clock.advance(Duration.ofHours(1));

        assertThat(times).containsExactly(Duration.ZERO, MINUTE, MINUTE.multipliedBy(3));
        assertThat(job("bad").state()).isEqualTo(JobState.DEAD);
        jobs.assertDead(Notes.class).withId("bad").inAttempt(3).withReasonContaining("no good");
        jobs.assertRetried(Notes.class).times(2);
    }

    @Test
    void interruptsAnAttemptAfterItsTimeoutByTheClockOfTheMachine() {
        notes.on("slow", execution -> new CountDownLatch(1).await());
        producer.submitDelayJob(note("slow").withTimeout(Duration.ofMillis(20)).withMaxAttempts(1), Duration.ZERO);

        clock.runDue();

        jobs.assertDead(Notes.class).withFailure(TimeoutException.class);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void usesTheSettingsOfTheQueue() {
        notes.on("bad", execution -> {
            throw new IllegalArgumentException("no good");
        });
        producer.submitDelayJob(note("bad").withQueue("other"), Duration.ZERO);

        assertThat(clock.drain()).isEqualTo(2);
    }

    @Test
    void leavesPausedQueuesAlone() {
        admin.pause("default");
        producer.submitDelayJob(note("tea"), Duration.ZERO);

        assertThat(clock.advance(MINUTE)).isZero();
        assertThat(clock.drain()).isZero();
        assertThat(admin.explain("default", "tea").reason()).isEqualTo(Explanation.Reason.PAUSED);

        admin.resume("default");
        assertThat(clock.runDue()).isEqualTo(1);
    }

    @Test
    void buriesWhatHasNotBegunWithinItsTimeToLive() {
        admin.pause("default");
        producer.submitDelayJob(note("tea").withTimeToLive(MINUTE), Duration.ZERO);
        clock.advance(MINUTE.plusMillis(1));
        admin.resume("default");

        clock.runDue();

        assertThat(notes.taken()).isEmpty();
        jobs.assertDead(Notes.class).withReasonContaining("time to live of PT1M");
    }

    @Test
    void keepsADedupeKeyForItsWindow() {
        DelayJobRequest<String> request =
                DelayJobRequest.of(Notes.class, "tea").withDedupe(Dedupe.within("tea", MINUTE));

        assertThat(producer.submit(request, Duration.ZERO).outcome()).isEqualTo(SubmitResult.Outcome.STORED);
        assertThat(producer.submit(request, Duration.ZERO).outcome()).isEqualTo(SubmitResult.Outcome.KEPT);
        clock.advance(MINUTE);
        assertThat(producer.submit(request, Duration.ZERO).outcome()).isEqualTo(SubmitResult.Outcome.STORED);
    }

    @Test
    void postponesUntilTheLastOfManySubmits() {
        for (int i = 0; i < 3; i++) {
            producer.submit(
                    DelayJobRequest.of(Notes.class, "index")
                            .withDedupe(Dedupe.untilStarted("index").postponing()),
                    MINUTE);
            clock.advance(MINUTE.dividedBy(2));
        }
        assertThat(notes.taken()).isEmpty();

        clock.advance(MINUTE);

        assertThat(notes.taken()).containsExactly("index");
        jobs.assertSubmitted(Notes.class)
                .withOutcome(SubmitResult.Outcome.POSTPONED)
                .times(2);
    }

    @Test
    void runsNoCancelledJob() {
        producer.submitDelayJob(note("tea"), MINUTE);

        admin.cancel("default", "tea");

        assertThat(clock.drain()).isZero();
    }

    @Test
    void letsAJobThatCallsItselfOffGoOnWithoutEffect() {
        notes.on("tea", execution -> admin.cancel("default", "tea"));
        producer.submitDelayJob(note("tea"), Duration.ZERO);

        assertThat(clock.drain()).isEqualTo(1);

        assertThat(job("tea").state()).isEqualTo(JobState.CANCELLED);
        assertThat(jobs.events()).noneMatch(JobEvent.Completed.class::isInstance);
    }

    @Test
    void explainsWhyAJobDoesNotRun() {
        producer.submitDelayJob(note("tea"), MINUTE);
        assertThat(admin.explain("default", "tea").reason()).isEqualTo(Explanation.Reason.NOT_DUE);

        admin.runNow("default", "tea");

        assertThat(admin.explain("default", "tea").reason()).isEqualTo(Explanation.Reason.NO_CONSUMER);
    }

    @Test
    void showsProgressAndResult() {
        notes.on("tea", execution -> {
            execution.progress(50, "half of it");
            assertThat(job("tea").progress()).isEqualTo(new Progress(50, "half of it"));
            execution.result("done");
        });
        producer.submitDelayJob(note("tea"), Duration.ZERO);

        clock.runDue();

        jobs.assertNoneFailed();
        assertThat(job("tea").state()).isEqualTo(JobState.COMPLETED);
        assertThat(job("tea").result()).isEqualTo("\"done\"");
    }

    @Test
    void waitsForAnAcknowledgmentThatComesFromAnotherThread() {
        clock.awaitAcknowledgments(Duration.ofMinutes(2));
        letters.answerLater("slow", Duration.ofMillis(300));
        producer.submitDelayJob("letters", "slow", Duration.ZERO);

        assertThat(clock.advance(MINUTE)).isEqualTo(1);

        jobs.assertCompleted("letters").inAttempt(1);
    }

    @Test
    void runsWhatAnotherThreadSubmitsBeforeItAcknowledges() {
        clock.awaitAcknowledgments(Duration.ofMinutes(2));
        letters.answerLater("slow", Duration.ofMillis(300), () -> producer.submitDelayJob(note("reply"), MINUTE));
        producer.submitDelayJob("letters", "slow", Duration.ZERO);

        assertThat(clock.drain()).isEqualTo(2);

        assertThat(notes.taken()).containsExactly("reply");
    }

    @Test
    void saysThatItWaitedInVain(CapturedOutput output) {
        clock.awaitAcknowledgments(Duration.ofMillis(50));
        producer.submitDelayJob(DelayJobRequest.toTopic("letters", "lost").withId("lost"), Duration.ZERO);

        assertThat(clock.advance(Duration.ofSeconds(10))).isEqualTo(2);

        assertThat(output).contains("lost", "was not acknowledged within PT0.05S of real time");
    }

    @Test
    void handsAnUnacknowledgedJobOutAgainWhenItsLeaseIsOver() {
        clock.awaitAcknowledgments(Duration.ZERO);
        producer.submitDelayJob("letters", "lost", Duration.ZERO);

        clock.advance(Duration.ofSeconds(9));
        assertThat(letters.taken()).hasSize(1);

        clock.advance(Duration.ofSeconds(1));
        assertThat(letters.taken()).hasSize(2);
        jobs.assertCompleted("letters").inAttempt(2).inQueue("post");
    }

    @Test
    void drainsAJobThatIsNeverAcknowledgedToItsDeath() {
        clock.awaitAcknowledgments(Duration.ZERO);
        producer.submitDelayJob("letters", "ignored", MINUTE);

        assertThat(CompletableFuture.supplyAsync(clock::drain)).succeedsWithin(Duration.ofMinutes(2));

        assertThat(letters.taken()).hasSize(3);
        jobs.assertDead("letters");
    }

    @Test
    void forgetsFinishedJobsWhenTheirTimeIsOver() {
        for (int i = 0; i < 600; i++) {
            producer.submitDelayJob(note("note-" + i), Duration.ZERO);
        }
        clock.runDue();

        clock.advance(Duration.ofHours(1).minusMillis(1));
        assertThat(admin.counts("default").finished()).isEqualTo(600);
        clock.advance(Duration.ofMillis(1));

        assertThat(admin.counts("default").finished()).isZero();
        assertThat(admin.find("default", "note-0")).isEmpty();
        assertThat(admin.nodes("default")).isEmpty();
    }

    @Test
    void leavesOtherApplicationsQueuesAlone() {
        producer.submitDelayJob(DelayJobRequest.toTopic("elsewhere", "tea").withQueue("theirs"), Duration.ZERO);

        assertThat(clock.drain()).isZero();
        jobs.assertSubmitted("elsewhere").inQueue("theirs");
        assertThat(admin.counts("theirs").ready()).isEqualTo(1);
    }

    @Test
    void refusesToRunJobsThatSubmitThemselvesWithoutADelay() {
        notes.on("again", execution -> producer.submitDelayJob(Notes.class, "again", Duration.ZERO));
        producer.submitDelayJob(note("again"), Duration.ZERO);

        assertThatIllegalStateException()
                .isThrownBy(() -> clock.advance(MINUTE))
                .withMessageStartingWith("more than 10000 attempts ran until ")
                .withMessageContaining("the last at Notes '")
                .withMessageEndingWith("does it submit itself without a delay, or fail without a backoff?");
    }

    @Test
    void refusesToDrainJobsThatSubmitThemselves() {
        runs.refuseMoreThan(500);
        notes.on("again", execution -> producer.submitDelayJob(Notes.class, "again", MINUTE));
        producer.submitDelayJob(note("again"), Duration.ZERO);

        assertThatIllegalStateException()
                .isThrownBy(() -> clock.drain())
                .withMessageStartingWith("more than 500 attempts ran until ")
                .withMessageEndingWith("instead of draining.");
    }

    @Test
    void doesNotLetAJobMoveTheClock() {
        notes.on("tea", execution -> clock.advance(MINUTE));
        producer.submitDelayJob(note("tea").withMaxAttempts(1), Duration.ZERO);

        clock.runDue();

        jobs.assertDead(Notes.class).withReasonContaining("a job cannot move the clock that runs it");
    }

    @Test
    void drainsToTheDueTimeOfTheLast() {
        Instant start = clock.now();
        producer.submitDelayJob(Notes.class, "a", MINUTE);
        producer.submitDelayJob(Notes.class, "b", Duration.ofDays(400));

        assertThat(clock.drain()).isEqualTo(2);

        assertThat(clock.now()).isEqualTo(start.plus(Duration.ofDays(400)));
    }

    @Test
    void advancesToAnInstantButNotBack() {
        Instant start = clock.now();

        clock.advanceTo(start.plusSeconds(5));

        assertThat(clock.now()).isEqualTo(start.plusSeconds(5));
        assertThatIllegalArgumentException().isThrownBy(() -> clock.advanceTo(start));
        assertThatIllegalArgumentException().isThrownBy(() -> clock.advance(Duration.ofMillis(-1)));
    }

    @Test
    void beginsNow() {
        assertThat(Duration.between(clock.now(), Instant.now()).abs()).isLessThan(MINUTE);
    }

    @Test
    void beginsAtAnyTimeBeforeTheFirstSubmit() {
        Instant leapDay = Instant.parse("2000-02-29T12:00:00Z");

        clock.startAt(leapDay);
        producer.submitDelayJob(Notes.class, "tea", leapDay.plusSeconds(1));

        assertThat(clock.drain()).isEqualTo(1);
        assertThat(clock.now()).isEqualTo(leapDay.plusSeconds(1));
        assertThatIllegalStateException().isThrownBy(() -> clock.startAt(leapDay));
    }

    @Test
    void isAClockOfTheJdk() {
        Clock view = clock.asClock();
        clock.advance(MINUTE);

        assertThat(view.instant()).isEqualTo(clock.now());
        assertThat(view.millis()).isEqualTo(clock.now().toEpochMilli());
        ZoneId tokyo = ZoneId.of("Asia/Tokyo");
        assertThat(view.withZone(tokyo).getZone()).isEqualTo(tokyo);
        assertThat(view.withZone(tokyo).instant()).isEqualTo(clock.now());
    }
}
