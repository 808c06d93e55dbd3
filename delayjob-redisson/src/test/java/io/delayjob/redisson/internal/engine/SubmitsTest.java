package io.delayjob.redisson.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.SubmitResult;
import io.delayjob.SubmitResult.Outcome;
import io.delayjob.redisson.internal.ledger.Call;
import io.delayjob.redisson.internal.ledger.LedgerException;
import io.delayjob.redisson.internal.ledger.NewJob;
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
    private final Submits submits = new Submits(this::lane);

    @AfterEach
    void close() {
        scheduler.shutdownNow();
    }

    @Test
    void sendsTheSameCallAgainForASubmitOfUnknownOutcome() {
        answering = false;
        submit(job("a", "{}"), job("b", "{}"))
                .forEach(answer -> assertThat(answer).isCompletedExceptionally());
        answering = true;
        submit(job("other", "{}"));
        List<CompletableFuture<SubmitResult>> answers = submit(job("new", "{}"), job("b", "{}"), job("a", "{}"));

        assertThat(answers).extracting(answer -> answer.join().id()).containsExactly("new", "b", "a");
        Call lost = calls.get(0);
        assertThat(calls.stream().filter(lost::equals)).hasSize(2);
        assertThat(calls).hasSize(4);
    }

    @Test
    void asksOnceOnlyAndThenForgets() {
        answering = false;
        submit(job("a", "{}"));
        answering = true;
        submit(job("a", "{}"));
        submit(job("a", "{}"));

        assertThat(calls.get(1)).isEqualTo(calls.get(0));
        assertThat(calls.get(2)).isNotEqualTo(calls.get(0));
    }

    @Test
    void asksAgainWhenTheAnswerWasLostAgain() {
        answering = false;
        submit(job("a", "{}"));
        submit(job("a", "{}"));
        answering = true;
        assertThat(submit(job("a", "{}")).get(0)).isCompleted();

        assertThat(calls).hasSize(3).containsOnly(calls.get(0));
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
        return answering
                ? CompletableFuture.completedFuture(jobs.stream()
                        .map(job -> new SubmitResult(job.id(), Outcome.STORED))
                        .toList())
                : CompletableFuture.failedFuture(
                        new LedgerException(LedgerException.Kind.UNKNOWN, "lost", new IllegalStateException()));
    }
}
