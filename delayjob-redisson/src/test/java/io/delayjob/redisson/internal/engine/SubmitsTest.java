package io.delayjob.redisson.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.SubmitResult;
import io.delayjob.SubmitResult.Outcome;
import io.delayjob.redisson.internal.ledger.Call;
import io.delayjob.redisson.internal.ledger.LedgerException;
import io.delayjob.redisson.internal.ledger.NewJob;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SubmitsTest {

    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
    private final List<Call> calls = new ArrayList<>();
    private boolean answering = true;
    private int names;
    private final List<Call> asked = new ArrayList<>();
    private final List<String> submitted = new ArrayList<>();
    private boolean ran;
    private final Submits submits = new Submits(this::lane, this::outcome);

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
        LedgerException failure = Futures.failure(submit(job("a", "{}")).get(0));
        assertThat(failure).isNotNull().extracting(LedgerException::kind).isEqualTo(LedgerException.Kind.UNKNOWN);
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

    private List<CompletableFuture<SubmitResult>> submit(NewJob... jobs) {
        return submits.addAll(List.of(jobs));
    }

    private static NewJob job(String id, String body) {
        return new NewJob(id, new NewJob.Due(1000, true), null, null, body);
    }

    private Lane<NewJob, SubmitResult> lane(BiConsumer<Call, List<NewJob>> unknown) {
        return new Lane<>(() -> "lane-" + ++names, this::send, job -> 1, Duration.ofNanos(1), unknown, scheduler);
    }

    private CompletableFuture<List<SubmitResult>> send(Call call, List<NewJob> jobs) {
        calls.add(call);
        jobs.forEach(job -> submitted.add(job.id()));
        return answer(jobs.stream().map(NewJob::id).toList());
    }

    private CompletableFuture<List<SubmitResult>> outcome(Call call, List<String> ids) {
        asked.add(call);
        return answer(ran ? ids : List.of());
    }

    private CompletableFuture<List<SubmitResult>> answer(List<String> ids) {
        return answering
                ? CompletableFuture.completedFuture(ids.stream()
                        .map(id -> new SubmitResult(id, Outcome.STORED))
                        .toList())
                : CompletableFuture.failedFuture(
                        new LedgerException(LedgerException.Kind.UNKNOWN, "lost", new IllegalStateException()));
    }
}
