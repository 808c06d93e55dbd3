package io.delayjob.engine.internal.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.SubmitResult;
import io.delayjob.SubmitResult.Outcome;
import io.delayjob.engine.TestSettings;
import io.delayjob.engine.ledger.Call;
import io.delayjob.engine.ledger.JobContent;
import io.delayjob.engine.ledger.LedgerException;
import io.delayjob.engine.ledger.NewJob;
import io.delayjob.engine.ledger.NotReplicatedException;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
class SubmitsTest {

    /** Ends before an answer comes only where a test waits for that. */
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
    private final List<Call> calls = new ArrayList<>();
    private boolean answering = true;
    private volatile @Nullable CompletableFuture<List<SubmitResult>> silent;
    private int names;
    private final List<Call> asked = new ArrayList<>();
    private final List<String> submitted = new ArrayList<>();
    private boolean ran;
    private final Submits submits = new Submits(this::lane, this::outcome, scheduler);

    @AfterEach
    void close() {
        scheduler.shutdownNow();
    }

    @Test
    void asksAfterTheCallOfASubmitOfUnknownOutcome() {
        answering = false;
        submit(job("a", "{}"), job("b", "{}"))
                .forEach(answer -> assertThat(answer).isCompletedExceptionally());
        answering = true;
        ran = true;
        List<CompletableFuture<SubmitResult>> answers = submit(job("new", "{}"), job("b", "{}"), job("a", "{}"));

        assertThat(answers).extracting(answer -> answer.join().id()).containsExactly("new", "b", "a");
        assertThat(asked).containsExactly(calls.get(0));
        assertThat(submitted).containsExactly("a", "b", "new");
    }

    @Test
    void submitsOnlyWhatIsSubmittedAgainIfTheCallDidNotRun() {
        answering = false;
        submit(job("a", "{}"), job("b", "{}"));
        answering = true;
        assertThat(submit(job("b", "{}")).get(0).join().id()).isEqualTo("b");

        assertThat(asked).containsExactly(calls.get(0));
        assertThat(submitted).containsExactly("a", "b", "b");
    }

    @Test
    void asksOnceOnlyAndThenForgets() {
        answering = false;
        submit(job("a", "{}"));
        answering = true;
        ran = true;
        submit(job("a", "{}"));
        submit(job("a", "{}"));

        assertThat(asked).hasSize(1);
        assertThat(submitted).containsExactly("a", "a");
    }

    @Test
    void asksAgainWhenNobodyAnswered() {
        answering = false;
        submit(job("a", "{}"));
        assertThat(failure(submit(job("a", "{}")).get(0)).mayHaveRun()).isTrue();
        answering = true;
        ran = true;
        assertThat(submit(job("a", "{}")).get(0)).isCompleted();

        assertThat(asked).hasSize(2).containsOnly(calls.get(0));
        assertThat(submitted).containsExactly("a");
    }

    @Test
    void doesNotKeepTheParamsOfWhatItRemembers() {
        answering = false;
        WeakReference<String> kept = submitLong();
        await().until(() -> {
            System.gc();
            return kept.refersTo(null);
        });
        answering = true;
        ran = true;
        submitLong();
        assertThat(asked).hasSize(1);
    }

    private WeakReference<String> submitLong() {
        String body = "x".repeat(1000);
        submit(job("a", body));
        return new WeakReference<>(body);
    }

    @Test
    void takesWhatDiffersForAnotherJob() {
        answering = false;
        submit(job("a", "{}"));
        answering = true;
        submit(job("a", "{\"other\":1}"));

        assertThat(calls.get(1)).isNotEqualTo(calls.get(0));
    }

    @Test
    void waitsForTheEndOfACallBeforeItAsksAfterItAndNoLongerThanASubmitMay() {
        CompletableFuture<List<SubmitResult>> first = new CompletableFuture<>();
        silent = first;
        CompletableFuture<SubmitResult> lost = submit(job("a", "{}")).get(0);
        await().atMost(TestSettings.SOON).until(lost::isCompletedExceptionally);
        CompletableFuture<SubmitResult> second = submit(job("a", "{}")).get(0);
        await().atMost(TestSettings.SOON).until(second::isCompletedExceptionally);
        assertThat(failure(second).kind()).isEqualTo(LedgerException.Kind.UNKNOWN);
        CompletableFuture<SubmitResult> third = submit(job("a", "{}")).get(0);
        silent = null;
        first.completeExceptionally(
                new LedgerException(LedgerException.Kind.UNKNOWN, "lost", new IllegalStateException()));
        assertThat(third.join().id()).isEqualTo("a");
        assertThat(asked).containsExactly(calls.get(0));
        assertThat(submitted).containsExactly("a", "a");
    }

    @Test
    void takesTheAnswerThatCameAfterItsCallerHadBeenTold() {
        silent = new CompletableFuture<>();
        CompletableFuture<SubmitResult> first = submit(job("a", "{}")).get(0);
        await().atMost(TestSettings.SOON).until(first::isCompletedExceptionally);
        SubmitResult result = new SubmitResult("q", "a", Outcome.STORED);
        silent.complete(List.of(result));
        assertThat(submit(job("a", "{}")).get(0)).isCompletedWithValue(result);
        assertThat(asked).isEmpty();
        assertThat(calls).hasSize(1);
    }

    @Test
    void submitsAnewWhatDidNotRunAfterAll() {
        silent = new CompletableFuture<>();
        CompletableFuture<SubmitResult> first = submit(job("a", "{}")).get(0);
        await().atMost(TestSettings.SOON).until(first::isCompletedExceptionally);
        silent.completeExceptionally(
                new LedgerException(LedgerException.Kind.NOT_RUN, "not sent", new IllegalStateException()));
        silent = null;
        assertThat(submit(job("a", "{}")).get(0)).isCompleted();
        assertThat(asked).isEmpty();
        assertThat(submitted).containsExactly("a", "a");
    }

    @Test
    void isIdleWhenNothingIsUnderWayOrRemembered() {
        assertThat(submits.idle()).isTrue();
        answering = false;
        submit(job("a", "{}"));
        assertThat(submits.idle()).isFalse();
        answering = true;
        submit(job("a", "{}"));
        assertThat(submits.idle()).isTrue();
    }

    private static LedgerException failure(CompletableFuture<?> answer) {
        LedgerException failure = Futures.failure(answer);
        assertThat(failure).isNotNull();
        return Objects.requireNonNull(failure);
    }

    private List<CompletableFuture<SubmitResult>> submit(NewJob... jobs) {
        return submits.addAll(List.of(jobs), submits.deadline());
    }

    private static NewJob job(String id, String body) {
        return new NewJob(id, new NewJob.Due(1000, true), JobContent.of(body));
    }

    private Lane<NewJob, SubmitResult> lane(BiConsumer<Batch<NewJob, SubmitResult>, BitSet> unknown) {
        return new Lane<>(
                () -> "lane-" + ++names, this::send, job -> 1, Lane.Terms.within(TIMEOUT), unknown, scheduler);
    }

    private CompletableFuture<List<SubmitResult>> send(Call call, List<NewJob> jobs) {
        calls.add(call);
        jobs.forEach(job -> submitted.add(job.id()));
        return silent != null ? silent : answer(jobs.stream().map(NewJob::id).toList());
    }

    private CompletableFuture<List<SubmitResult>> outcome(Call call, List<String> ids) {
        asked.add(call);
        return answer(ran ? ids : List.of());
    }

    private CompletableFuture<List<SubmitResult>> answer(List<String> ids) {
        return answering
                ? CompletableFuture.completedFuture(ids.stream()
                        .map(id -> new SubmitResult("q", id, Outcome.STORED))
                        .toList())
                // May have run, and is not repeated.
                : CompletableFuture.failedFuture(new NotReplicatedException(2, 1, "few"));
    }
}
