package io.delayjob.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.delayjob.Backoff;
import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

@DelayJobTest(classes = Notes.class, mode = DelayJobMode.INLINE)
class InlineModeTest {

    private static final Duration DAY = Duration.ofDays(1);

    @Autowired
    private DelayJobProducer producer;

    @Autowired
    private Notes notes;

    @Autowired
    private VirtualClock clock;

    @Autowired
    private SubmittedJobs jobs;

    @Autowired
    private HandRuns runs;

    @BeforeEach
    void forget() {
        notes.clear();
    }

    @Test
    void runsAJobOnTheThreadThatSubmitsItBeforeTheSubmitReturns() {
        List<Thread> threads = new ArrayList<>();
        notes.on("tea", execution -> threads.add(Thread.currentThread()));

        producer.submitDelayJob(Notes.class, "tea", DAY);

        assertThat(threads).containsExactly(Thread.currentThread());
        jobs.assertSubmitted(Notes.class).dueIn(DAY);
    }

    @Test
    void retriesAtOnceAndKeepsFailuresFromTheSubmitter() {
        notes.on("bad", execution -> {
            throw new IllegalArgumentException("no good");
        });

        producer.submitDelayJob(
                DelayJobRequest.of(Notes.class, "bad").withMaxAttempts(4).withBackoff(Backoff.fixed(DAY)), DAY);

        assertThat(notes.taken()).hasSize(4);
        jobs.assertDead(Notes.class).inAttempt(4);
    }

    @Test
    void runsWhatAJobSubmitsWhenThatHasEnded() {
        notes.on("a", execution -> {
            producer.submitDelayJob(Notes.class, "b", DAY);
            notes.taken().add("end of a");
        });

        producer.submitDelayJob(Notes.class, "a", DAY);

        assertThat(notes.taken()).containsExactly("a", "end of a", "b");
    }

    @Test
    void leavesWhatAnotherThreadOfAJobSubmitsToTheRunThatIsUnderWay() {
        notes.on(
                "a",
                execution -> CompletableFuture.runAsync(() -> producer.submitDelayJob(Notes.class, "b", DAY))
                        .join());

        producer.submitDelayJob(Notes.class, "a", DAY);

        assertThat(notes.taken()).containsExactly("a", "b");
    }

    @Test
    void runsManyInTheOrderOfTheirDueTimes() {
        producer.submitDelayJobs(
                List.of(DelayJobRequest.of(Notes.class, "later"), DelayJobRequest.of(Notes.class, "sooner")),
                request -> "later".equals(request.param()) ? DAY.multipliedBy(2) : DAY);

        assertThat(notes.taken()).containsExactly("sooner", "later");
    }

    @Test
    void refusesToGoOnForEver() {
        runs.refuseMoreThan(500);
        notes.on("again", execution -> producer.submitDelayJob(Notes.class, "again", DAY));

        assertThatIllegalStateException().isThrownBy(() -> producer.submitDelayJob(Notes.class, "again", DAY));
    }

    @Test
    @WithDelayJobMode(DelayJobMode.MANUAL)
    void givesWayToTheModeOfAMethod() {
        producer.submitDelayJob(Notes.class, "tea", Duration.ZERO);

        assertThat(notes.taken()).isEmpty();
        assertThat(clock.runDue()).isEqualTo(1);
    }

    @Nested
    class InANestedClass {

        @Test
        void isTheModeOfTheOuterClass() {
            producer.submitDelayJob(Notes.class, "tea", DAY);

            assertThat(notes.taken()).containsExactly("tea");
        }
    }

    @Nested
    @WithDelayJobMode(DelayJobMode.MANUAL)
    class InANestedClassOfAnotherMode {

        @Test
        void isTheNearest() {
            producer.submitDelayJob(Notes.class, "tea", DAY);

            assertThat(notes.taken()).isEmpty();
        }
    }
}
