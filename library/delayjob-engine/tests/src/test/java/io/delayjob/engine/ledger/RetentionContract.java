package io.delayjob.engine.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.ActionResult;
import io.delayjob.JobState;
import io.delayjob.Progress;
import io.delayjob.SubmitResult.Outcome;
import io.delayjob.engine.TestSettings;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Ledger contract: finished jobs. */
public abstract class RetentionContract extends DedupeContract {

    @Test
    void aCompletedJobIsKeptWithItsResult() {
        ledger = open(keeping(1000, 10));
        submit(job("a", 0));
        retry(claimOne(), 0);
        Lease lease = claimOne();
        report(lease, 70, "almost|there: ä");
        time(30);
        assertThat(complete(lease, "{\"n\":1,\n\"t\":\"a|b 😀\"}")).isTrue();
        assertThat(find("a"))
                .contains(new StoredJob(
                        JobState.COMPLETED,
                        START + 30,
                        "{\"v\":1,\"at\":" + START + "," + BODY,
                        new Attempt(2, START, START, null),
                        null,
                        null,
                        new Progress(70, "almost|there: ä"),
                        "{\"n\":1,\n\"t\":\"a|b 😀\"}"));
        assertThat(ledger.counts().join().finished()).isEqualTo(1);
    }

    @Test
    void aCancelledJobIsKeptWithoutAResult() {
        ledger = open(keeping(1000, 10));
        submit(job("waits", 500), job("runs", 0));
        report(claimOne(), 0, "");
        ledger.cancel(call(), List.of("waits", "runs")).join();
        assertThat(found("waits").state()).isEqualTo(JobState.CANCELLED);
        assertThat(found("waits").attempt().number()).isZero();
        assertThat(found("waits").progress()).isNull();
        assertThat(found("runs").progress()).isEqualTo(new Progress(0, ""));
        assertThat(found("runs").attempt().number()).isEqualTo(1);
        assertThat(found("runs").node()).isNull();
        assertThat(found("runs").result()).isNull();
    }

    @Test
    void nothingIsKeptWithoutRetention() {
        for (Retention none : List.of(Retention.NONE, keeping(0, 5), new Retention(Duration.ofDays(1), 0))) {
            ledger = open(none);
            submit(job("a", 0), job("b", 0));
            complete(claimOne(), "1");
            cancel("b");
            assertThat(find("a")).isEmpty();
            assertThat(ledger.counts().join().finished()).isZero();
        }
    }

    @Test
    void aFinishedJobRefusesEveryAction() {
        ledger = open(keeping(1000, 10));
        submit(job("done", 0), job("off", 0));
        complete(claimOne());
        cancel("off");
        ActionResult done = ActionResult.refused(JobState.COMPLETED);
        ActionResult off = ActionResult.refused(JobState.CANCELLED);
        assertThat(ledger.cancel(call(), List.of("done", "off")).join()).containsExactly(done, off);
        assertThat(ledger.redrive(call(), List.of("done", "off")).join()).containsExactly(done, off);
        assertThat(reschedule("done", 1)).isEqualTo(done);
        assertThat(reschedule("off", 1)).isEqualTo(off);
    }

    @Test
    void theSecondCancelOfOneCallFindsTheJobCancelled() {
        ledger = open(keeping(1000, 10));
        submit(job("a", 0));
        assertThat(ledger.cancel(call(), List.of("a", "a")).join())
                .containsExactly(ActionResult.done(JobState.READY), ActionResult.refused(JobState.CANCELLED));
    }

    @Test
    void theIdOfAFinishedJobIsFreeAndItsNextJobIsSeenInItsPlace() {
        ledger = open(keeping(1000, 10));
        submit(job("a", 0));
        complete(claimOne(), "1");
        assertThat(submit(job("a", 0))).containsExactly(result("a", Outcome.STORED));
        assertThat(found("a").state()).isEqualTo(JobState.READY);
        assertThat(found("a").result()).isNull();
        time(5);
        cancel("a");
        assertThat(found("a").state()).isEqualTo(JobState.CANCELLED);
        assertThat(found("a").atMillis()).isEqualTo(START + 5);
        assertThat(found("a").result()).isNull();
        assertThat(ledger.counts().join().finished()).isEqualTo(1);
    }

    @Test
    void aDeadJobIsNotAFinishedOne() {
        ledger = open(keeping(1000, 10));
        bringToDeath("a", null);
        assertThat(ledger.counts().join().finished()).isZero();
        ledger.purgeDead(call(), 0, 1).join();
        assertThat(find("a")).isEmpty();
    }

    @Test
    void finishedJobsGoWhenTheirTimeIsOver() {
        ledger = open(keeping(1000, 10));
        finish("a");
        time(999);
        finish("b");
        assertThat(found("a").state()).isEqualTo(JobState.COMPLETED);
        time(1000);
        finish("c");
        assertThat(find("a")).isEmpty();
        assertThat(found("b").state()).isEqualTo(JobState.COMPLETED);
    }

    @Test
    void theLatestFinishedJobsStay() {
        ledger = open(keeping(1000, 2));
        for (int i = 0; i < 4; i++) {
            time(i);
            finish("job-" + i);
        }
        assertThat(find("job-0")).isEmpty();
        assertThat(find("job-1")).isEmpty();
        assertThat(found("job-2").state()).isEqualTo(JobState.COMPLETED);
        assertThat(found("job-3").state()).isEqualTo(JobState.COMPLETED);
    }

    @Test
    void oneCallRemovesABoundedNumberOfFinishedJobs() {
        ledger = open(keeping(1000, 1000));
        finishMany(40);
        ledger = open(keeping(1000, 1));
        finish("last");
        assertThat(ledger.counts().join().finished()).isEqualTo(41 - 12);
        submit(job("off", 0));
        cancel("off");
        assertThat(ledger.counts().join().finished()).isEqualTo(30 - 12);
    }

    @Test
    void theHoldersFeedRemovesWhatIsOverAndWithoutRetentionEverything() {
        ledger = open(keeping(1000, 2000));
        finishMany(400);
        feed();
        assertThat(ledger.counts().join().finished()).isEqualTo(400);
        ledger = open(keeping(1000, 350));
        feed();
        assertThat(ledger.counts().join().finished()).isEqualTo(350);
        ledger = open(Retention.NONE);
        feed();
        assertThat(ledger.counts().join().finished()).isEqualTo(350 - Ledger.MAX_BATCH);
        feed();
        assertThat(ledger.counts().join().finished()).isZero();
        assertThat(find("many-0")).isEmpty();
    }

    @Test
    void theFeedOfANodeThatIsNotTheHolderRemovesNothing() {
        feed();
        ledger = open(keeping(1000, 10));
        finish("a");
        ledger = open(Retention.NONE);
        ledger.feed(TestSettings.feed(new Feed.Presence("m", 5000, 1, 1, null))).join();
        assertThat(found("a").state()).isEqualTo(JobState.COMPLETED);
    }

    private void feed() {
        ledger.feed(TestSettings.feed(new Feed.Presence("n", 5000, 1, 1, null))).join();
    }

    private void finish(String id) {
        submit(job(id, 0));
        complete(claimOne());
    }

    private void finishMany(int many) {
        for (int from = 0; from < many; from += Ledger.MAX_BATCH) {
            int to = Math.min(many, from + Ledger.MAX_BATCH);
            ledger.submit(
                            call(),
                            IntStream.range(from, to)
                                    .mapToObj(i -> job("many-" + i, 0))
                                    .toList())
                    .join();
            List<Settlement.Complete> done = claim(Ledger.MAX_BATCH).jobs().stream()
                    .map(job -> new Settlement.Complete(job.lease(), null, 0))
                    .toList();
            ledger.settle(call(), done).join();
        }
    }
}
