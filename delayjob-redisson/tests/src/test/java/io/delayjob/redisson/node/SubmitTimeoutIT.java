package io.delayjob.redisson.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.DelayJobRequest;
import io.delayjob.JobSubmissionException;
import io.delayjob.JobSubmissionException.Outcome;
import io.delayjob.engine.Note;
import io.delayjob.engine.NoteJob;
import io.delayjob.engine.TestSettings;
import io.delayjob.engine.extension.Extensions;
import io.delayjob.testing.OwnRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.redisson.config.Config;

/** Redis is frozen: every caller is told what is known by the end of the submit timeout, however many others wait beside it. */
class SubmitTimeoutIT {

    /** Of a {@link TestNode}. */
    private static final Duration SUBMIT_TIMEOUT = Duration.ofSeconds(5);

    /**
     * For a machine that is busy with something else. Far less than the client waits for one answer here, and than callers wait that
     * take turns.
     */
    private static final Duration LIMIT = SUBMIT_TIMEOUT.plusSeconds(40);

    private static final Duration ONE_ANSWER = Duration.ofMinutes(10);

    private static final Executor THREADS = work -> {
        Thread thread = new Thread(work);
        thread.setDaemon(true);
        thread.start();
    };

    private final OwnRedis redis = OwnRedis.start();
    private final String queue = TestSettings.queue();
    private final NoteJob job = new NoteJob();
    private final Map<String, Duration> answeredAfter = new ConcurrentHashMap<>();
    private final Map<String, Outcome> outcomes = new ConcurrentHashMap<>();

    @AfterEach
    void close() {
        redis.close();
    }

    @Test
    void fiftyThreadsAreAnsweredInTimeAndWhatTheyAreToldHolds() {
        submitToAFrozenRedis(50, this::submit);
    }

    @Tag("proof")
    @Test
    void aThousandThreadsAreAnsweredInTimeAndWhatTheyAreToldHolds() {
        submitToAFrozenRedis(1000, this::submit);
    }

    @Tag("proof")
    @Test
    void fiveThousandAsynchronousSubmitsAreAnsweredInTimeAndWhatTheyAreToldHolds() {
        submitToAFrozenRedis(5000, (node, id) -> node.producer().submitAsync(request(id), Duration.ZERO));
    }

    @Tag("proof")
    @Test
    void actionsOnJobsAreAnsweredInTime() {
        try (TestNode node = start()) {
            warmUp(node);
            redis.pause();
            List<CompletableFuture<?>> answers = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                answers.add(timed("cancel-" + i, node.engine.asyncAdmin().cancel(queue, "any")));
                answers.add(timed("redrive-" + i, node.engine.asyncAdmin().redrive(queue, "any")));
                answers.add(timed(
                        "reschedule-" + i, node.engine.asyncAdmin().reschedule(queue, "any", Duration.ofSeconds(1))));
            }
            awaitAnswers(answers);
            assertThat(answers).allSatisfy(answer -> assertThat(answer).isCompletedExceptionally());
        }
    }

    private interface Submit extends BiFunction<TestNode, String, CompletableFuture<?>> {}

    private CompletableFuture<?> submit(TestNode node, String id) {
        return CompletableFuture.runAsync(() -> node.producer().submit(request(id), Duration.ZERO), THREADS);
    }

    private void submitToAFrozenRedis(int count, Submit submit) {
        List<String> ids = IntStream.range(0, count).mapToObj(i -> "job-" + i).toList();
        try (TestNode node = start()) {
            warmUp(node);
            redis.pause();
            awaitAnswers(
                    ids.stream().map(id -> timed(id, submit.apply(node, id))).toList());
            assertThat(outcomes).containsOnlyKeys(ids).doesNotContainValue(Outcome.NOT_REPLICATED);
            redis.resume();
            Set<String> notStored = told(Outcome.NOT_STORED);
            Set<String> unknown = told(Outcome.UNKNOWN);
            unknown.forEach(id -> node.producer().submit(request(id), Duration.ZERO));
            node.producer().submit(request("last"), Duration.ZERO);
            await().atMost(TestSettings.SOON)
                    .until(() -> job.ids().contains("last") && job.ids().containsAll(unknown));
            assertThat(job.ids()).doesNotHaveDuplicates().doesNotContainAnyElementsOf(notStored);
            assertThat(node.admin().counts(queue).delayed()).isZero();
        }
    }

    private TestNode start() {
        Config config = TestNode.config(redis.url());
        config.useSingleServer().setTimeout((int) ONE_ANSWER.toMillis());
        return TestNode.start(config, queue, TestNode.patient(), Extensions.NONE, TestSettings.registered(job));
    }

    /** So that Redis knows the script: of a call that it does not know, it would execute nothing later. */
    private void warmUp(TestNode node) {
        node.producer().submit(request("first"), Duration.ZERO);
        await().atMost(TestSettings.SOON).until(() -> job.ids().contains("first"));
    }

    private void awaitAnswers(List<? extends CompletableFuture<?>> answers) {
        await().atMost(Duration.ofMinutes(2)).until(() -> answers.stream().allMatch(CompletableFuture::isDone));
        assertThat(answeredAfter.values()).allMatch(after -> after.compareTo(LIMIT) < 0);
    }

    private CompletableFuture<?> timed(String id, CompletableFuture<?> answer) {
        long begun = System.nanoTime();
        return answer.whenComplete((done, failure) -> {
            answeredAfter.put(id, Duration.ofNanos(System.nanoTime() - begun));
            note(id, failure);
        });
    }

    private void note(String id, @Nullable Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        if (cause instanceof JobSubmissionException told) {
            outcomes.put(id, told.outcome());
        }
    }

    private Set<String> told(Outcome outcome) {
        return outcomes.entrySet().stream()
                .filter(entry -> entry.getValue() == outcome)
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    private static DelayJobRequest<Note> request(String id) {
        return DelayJobRequest.of(NoteJob.class, new Note(id, 1)).withId(id);
    }
}
