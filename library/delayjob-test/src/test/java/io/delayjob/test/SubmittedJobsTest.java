package io.delayjob.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobRequest;
import io.delayjob.JobEvent;
import io.delayjob.SubmitResult;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

@DelayJobTest(classes = {Notes.class, Letters.class})
class SubmittedJobsTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    @Autowired
    private DelayJobProducer producer;

    @Autowired
    private Notes notes;

    @Autowired
    private VirtualClock clock;

    @Autowired
    private SubmittedJobs jobs;

    @BeforeEach
    void start() {
        notes.clear();
        clock.startAt(Instant.parse("2030-01-01T00:00:00Z"));
    }

    private void submit(String text, Duration delay) {
        producer.submitDelayJob(DelayJobRequest.of(Notes.class, text).withId("id-" + text), delay);
    }

    private static void assertFails(ThrowingCallable assertion, String... lines) {
        assertThatThrownBy(assertion).isInstanceOf(AssertionError.class).hasMessage(String.join("\n", lines));
    }

    @Test
    void takesAnyNumberOfJobsInOneSubmit() {
        // More than may wait for answers at once.
        List<DelayJobRequest<String>> requests = Collections.nCopies(60_000, DelayJobRequest.of(Notes.class, "tea"));
        List<String> ids = producer.submitDelayJobs(requests, MINUTE);
        assertThat(ids).hasSize(60_000);
        assertThat(Set.copyOf(ids)).hasSize(60_000);
    }

    @Test
    void holdsForWhatWasSubmitted() {
        producer.submitDelayJob(
                DelayJobRequest.of(Notes.class, "tea")
                        .withId("1")
                        .withQueue("other")
                        .withHeader("tenant", "acme"),
                Duration.ofNanos(1));

        jobs.assertSubmitted(Notes.class)
                .withParam("tea")
                .withParamSatisfying(text -> assertThat(text).startsWith("t"))
                .satisfying(job -> assertThat(job.submittedAt()).isEqualTo(clock.now()))
                .withId("1")
                .inQueue("other")
                .withHeader("tenant", "acme")
                .dueIn(Duration.ofMillis(1))
                .dueIn(Duration.ofNanos(1))
                .dueAt(clock.now().plusMillis(1))
                .withOutcome(SubmitResult.Outcome.STORED)
                .times(1);
        jobs.assertSubmitted(Notes.class.getName()).withParam("tea");
        jobs.assertNotSubmitted("letters");
    }

    @Test
    void countsFromTheSubmitToADueTime() {
        producer.submitDelayJob(Notes.class, "tea", clock.now().plus(MINUTE));

        jobs.assertSubmitted(Notes.class).dueIn(MINUTE).dueAt(clock.now().plus(MINUTE));
    }

    @Test
    void recordsSubmitsThatAddNothing() {
        submit("tea", MINUTE);
        submit("tea", MINUTE);

        jobs.assertSubmitted(Notes.class).times(2);
        jobs.assertSubmitted(Notes.class)
                .withOutcome(SubmitResult.Outcome.EXISTS)
                .times(1);
        assertThat(jobs.all()).extracting(SubmittedJob::outcome).endsWith(SubmitResult.Outcome.EXISTS);
    }

    @Test
    void recordsAsynchronousSubmitsWhenTheyReturn() {
        for (int i = 0; i < 100; i++) {
            producer.submitDelayJobAsync(DelayJobRequest.of(Notes.class, "tea"), MINUTE);
            assertThat(jobs.all()).hasSize(i + 1);
        }
    }

    @Test
    void saysThatNothingWasSubmitted() {
        jobs.assertNothingSubmitted();
        assertFails(
                () -> jobs.assertSubmitted(Notes.class),
                "Expected one of the submitted jobs to be Notes.",
                "There are no submitted jobs.");
    }

    @Test
    void listsWhatWasSubmittedWhenTheClassIsAnother() {
        submit("tea", MINUTE);

        assertFails(
                () -> jobs.assertSubmitted("letters"),
                "Expected one of the submitted jobs to be letters.",
                "None of the 1 is letters:",
                "  1. Notes, param tea, due in PT1M (2030-01-01T00:01:00Z), queue 'default', id 'id-tea'");
    }

    @Test
    void listsWhatFittedUntilThen() {
        submit("tea", MINUTE);
        submit("milk", MINUTE.multipliedBy(2));
        producer.submitDelayJob("letters", "hello", MINUTE);

        assertFails(
                () -> jobs.assertSubmitted(Notes.class).withParam("milk").dueIn(MINUTE),
                "Expected one of the submitted jobs to be Notes, with param milk, due in PT1M.",
                "Of the 1 that are Notes, with param milk, none is due in PT1M:",
                "  1. Notes, param milk, due in PT2M (2030-01-01T00:02:00Z), queue 'default', id 'id-milk'");
    }

    @Test
    void saysHowManyThereAreInsteadOfSo() {
        submit("tea", MINUTE);
        submit("tea", MINUTE);

        assertFails(
                () -> jobs.assertSubmitted(Notes.class).withParam("tea").times(1),
                "Expected 1 of the submitted jobs to be Notes, with param tea, found 2:",
                "  1. Notes, param tea, due in PT1M (2030-01-01T00:01:00Z), queue 'default', id 'id-tea'",
                "  2. Notes, param tea, due in PT1M (2030-01-01T00:01:00Z), queue 'default', id 'id-tea',"
                        + " outcome EXISTS");
    }

    @Test
    void listsWhatShouldNotBeThere() {
        submit("tea", MINUTE);

        String job = "  1. Notes, param tea, due in PT1M (2030-01-01T00:01:00Z), queue 'default', id 'id-tea'";
        assertFails(() -> jobs.assertNothingSubmitted(), "Expected no submitted jobs, found 1:", job);
        assertFails(() -> jobs.assertNotSubmitted(Notes.class), "Expected no submitted job to be Notes, found 1:", job);
    }

    @Test
    void handsOnWhyAParamDoesNotSatisfy() {
        submit("tea", MINUTE);

        assertThatThrownBy(() -> jobs.assertSubmitted(Notes.class)
                        .withParamSatisfying(text -> assertThat(text).isEqualTo("milk")))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("with a param that satisfies the requirements")
                .hasRootCauseInstanceOf(AssertionError.class)
                .rootCause()
                .hasMessageContaining("\"milk\"");
    }

    @Test
    void findsFailures() {
        notes.on("bad", execution -> {
            throw new IllegalArgumentException("no good");
        });
        submit("bad", Duration.ZERO);
        jobs.assertNoneFailed();
        clock.runDue();

        assertThatThrownBy(() -> jobs.assertNoneFailed())
                .isInstanceOf(AssertionError.class)
                .hasMessage("Expected no attempt to fail, found 1:\n  1. Notes 'id-bad' in queue 'default', attempt 1:"
                        + " Retried, java.lang.IllegalArgumentException: no good")
                .hasRootCauseMessage("no good");
    }

    @Test
    void findsAssertionsThatFailInsideJobs() {
        notes.on("tea", execution -> assertThat(1).isEqualTo(2));
        submit("tea", Duration.ZERO);
        clock.runDue();

        assertThatThrownBy(() -> jobs.assertNoneFailed()).hasRootCauseInstanceOf(AssertionError.class);
    }

    @Test
    void saysWhatElseBecameOfAJob() {
        notes.on("bad", execution -> {
            throw new IllegalArgumentException("no good");
        });
        submit("bad", Duration.ZERO);
        assertFails(
                () -> jobs.assertCompleted(Notes.class),
                "Expected one of the attempts that succeeded to be Notes.",
                "There are no attempts that succeeded.",
                "No attempt at Notes was made: jobs run when the clock is moved.");
        clock.runDue();

        assertFails(
                () -> jobs.assertCompleted(Notes.class),
                "Expected one of the attempts that succeeded to be Notes.",
                "There are no attempts that succeeded.",
                "The attempts at Notes:",
                "  1. Notes 'id-bad' in queue 'default', attempt 1: Retried, java.lang.IllegalArgumentException: no"
                        + " good");
    }

    @Test
    void hasEveryStepInOrder() {
        submit("tea", Duration.ZERO);
        clock.runDue();

        assertThat(jobs.events())
                .extracting(event -> (Object) event.getClass())
                .containsExactly(JobEvent.Submitted.class, JobEvent.Claimed.class, JobEvent.Completed.class);
    }
}
