package io.delayjob.redisson.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobRequest;
import io.delayjob.JobSubmissionException;
import io.delayjob.JobSubmissionException.Outcome;
import io.delayjob.SubmitResult;
import io.delayjob.engine.Note;
import io.delayjob.engine.NoteJob;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Submits 2 000 jobs a second, each due within two, and keeps what its caller was told of each. */
final class Flow {

    private static final long PERIOD_MILLIS = 5;
    private static final int JOBS_A_PERIOD = 10;
    private static final int LONGEST_DELAY_MILLIS = 2000;

    private final DelayJobProducer producer;
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
    private final Map<String, Long> earliestDue = new ConcurrentHashMap<>();
    private final Map<String, Long> confirmed = new ConcurrentHashMap<>();
    private final Map<String, Outcome> failed = new ConcurrentHashMap<>();

    private Flow(DelayJobProducer producer) {
        this.producer = producer;
    }

    /** Begins to submit to the producer's default queue. */
    static Flow start(DelayJobProducer producer) {
        Flow flow = new Flow(producer);
        var unused = flow.clock.scheduleAtFixedRate(flow::submitSome, 0, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
        return flow;
    }

    private void submitSome() {
        for (int i = 0; i < JOBS_A_PERIOD; i++) {
            int number = earliestDue.size();
            submit("flow-" + number, number, 7919L * number % LONGEST_DELAY_MILLIS);
        }
    }

    private void submit(String id, int number, long delayMillis) {
        earliestDue.put(id, System.currentTimeMillis() + delayMillis);
        CompletableFuture<SubmitResult> answer = producer.submitAsync(
                DelayJobRequest.of(NoteJob.class, new Note("flow", number)).withId(id), Duration.ofMillis(delayMillis));
        var unused = answer.whenComplete((result, failure) -> answered(id, failure));
    }

    private void answered(String id, @Nullable Throwable failure) {
        if (failure == null) {
            confirmed.put(id, System.nanoTime());
        } else if (failure instanceof JobSubmissionException known) {
            failed.put(id, known.outcome());
        } else if (failure.getCause() instanceof JobSubmissionException known) {
            failed.put(id, known.outcome());
        }
        // Anything else is a fault, and keeps end() waiting in vain.
    }

    /** Returns when so many more jobs have been confirmed. */
    void awaitConfirmed(int more) {
        int goal = confirmed.size() + more;
        await().atMost(Duration.ofMinutes(3)).until(() -> confirmed.size() >= goal);
    }

    /** Returns when so many more jobs have been submitted, whatever becomes of them. */
    void awaitSubmitted(int more) {
        int goal = earliestDue.size() + more;
        await().atMost(Duration.ofMinutes(3)).until(() -> earliestDue.size() >= goal);
    }

    /** No job is submitted any more. */
    void stop() {
        clock.shutdown();
    }

    /** Ends it; returns when its caller has been told of every job. */
    void end() {
        stop();
        await().until(clock::isTerminated);
        await().atMost(Duration.ofMinutes(3)).until(() -> confirmed.size() + failed.size() == earliestDue.size());
    }

    Set<String> confirmed() {
        return confirmed(nanos -> true);
    }

    /** The jobs whose caller was told that they are stored, at times by {@link System#nanoTime}. */
    Set<String> confirmed(Predicate<Long> time) {
        return confirmed.entrySet().stream()
                .filter(entry -> time.test(entry.getValue()))
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    Set<String> failed(Outcome outcome) {
        return failed.entrySet().stream()
                .filter(entry -> entry.getValue() == outcome)
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    /** No job began before its time, by the ledger's word and by the clock of the one who submitted it. */
    void assertNoneEarly(NoteJob job) {
        assertThat(job.seen()).allMatch(seen -> seen.latenessMillis() >= 0);
        assertThat(job.seen())
                .filteredOn(seen -> earliestDue.containsKey(seen.id()))
                .allMatch(seen -> seen.dueAt().toEpochMilli() >= earliestDue.getOrDefault(seen.id(), 0L));
    }

    /** Asserts that confirmed jobs ran, jobs that were not stored did not, and no job ran twice. */
    void assertEachRanOnce(NoteJob job) {
        assertThat(job.ids()).doesNotHaveDuplicates();
        // Sets: AssertJ would compare each of fifty thousand ids with each.
        Set<String> ran = Set.copyOf(job.ids());
        Set<String> lost = new HashSet<>(confirmed());
        lost.removeAll(ran);
        assertThat(lost).as("confirmed and did not run").isEmpty();
        Set<String> never = failed(Outcome.NOT_STORED);
        never.retainAll(ran);
        assertThat(never).as("refused and ran").isEmpty();
    }

    @Override
    public String toString() {
        return "%d submitted, %d confirmed, %d unknown, %d not stored"
                .formatted(
                        earliestDue.size(),
                        confirmed.size(),
                        failed(Outcome.UNKNOWN).size(),
                        failed(Outcome.NOT_STORED).size());
    }
}
