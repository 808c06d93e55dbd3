package io.delayjob.engine.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.ActionResult;
import io.delayjob.Dedupe;
import io.delayjob.JobState;
import io.delayjob.SubmitResult.Outcome;
import io.delayjob.engine.TestSettings;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Ledger contract: jobs with a dedupe key. */
public abstract class DedupeContract extends JobsContract {

    private static final Dedupe STARTED = Dedupe.untilStarted("k");
    private static final Dedupe FINISHED = Dedupe.untilFinished("k");
    private static final Dedupe WINDOW = Dedupe.within("k", Duration.ofMillis(100));

    @Test
    void theFirstJobOfAKeyIsKept() {
        for (Dedupe dedupe : List.of(STARTED, FINISHED, WINDOW)) {
            Dedupe own = new Dedupe("k" + dedupe.scope(), dedupe.scope(), dedupe.mode(), dedupe.window());
            assertThat(submit("a" + dedupe.scope(), 5, own)).isEqualTo(result("a" + dedupe.scope(), Outcome.STORED));
            assertThat(submit("b", 6, own)).isEqualTo(result("a" + dedupe.scope(), Outcome.KEPT));
            assertThat(find("b")).isEmpty();
        }
    }

    @Test
    void anotherKeyOrNoneIsNoMatch() {
        submit("a", 5, STARTED);
        assertThat(submit("b", 5, Dedupe.untilStarted("K")).outcome()).isEqualTo(Outcome.STORED);
        assertThat(submit("c", 5, null).outcome()).isEqualTo(Outcome.STORED);
    }

    @Test
    void aKeyUntilStartedIsFreeOnceTheFirstAttemptBegins() {
        submit("a", 0, STARTED);
        Lease lease = claimOne();
        assertThat(submit("b", 5, STARTED)).isEqualTo(result("b", Outcome.STORED));
        retry(lease, 0);
        assertThat(submit("c", 5, STARTED)).isEqualTo(result("b", Outcome.KEPT));
        complete(claimOne());
        assertThat(submit("d", 5, STARTED)).isEqualTo(result("b", Outcome.KEPT));
    }

    @Test
    void aKeyUntilStartedIsFreeWhileTheJobWaitsForARetry() {
        submit("a", 0, STARTED);
        retry(claimOne(), 50);
        assertThat(submit("b", 5, STARTED)).isEqualTo(result("b", Outcome.STORED));
    }

    @Test
    void aJobThatIsReleasedHasItsKeyUntilStartedAgain() {
        submit("a", 0, STARTED);
        release(claimOne(), 10L);
        assertThat(submit("b", 5, STARTED)).isEqualTo(result("a", Outcome.KEPT));
    }

    @Test
    void aKeyUntilFinishedIsKeptOverRetriesAndFreeWhenTheJobEnds() {
        submit("a", 0, FINISHED);
        Lease lease = claimOne();
        assertThat(submit("b", 5, FINISHED)).isEqualTo(result("a", Outcome.KEPT));
        retry(lease, 0);
        assertThat(submit("b", 5, FINISHED)).isEqualTo(result("a", Outcome.KEPT));
        complete(claimOne());
        assertThat(submit("b", 0, FINISHED)).isEqualTo(result("b", Outcome.STORED));
        bury(claimOne());
        assertThat(submit("c", 0, FINISHED)).isEqualTo(result("c", Outcome.STORED));
        cancel("c");
        assertThat(submit("d", 0, FINISHED)).isEqualTo(result("d", Outcome.STORED));
        claimOne();
        cancel("d");
        assertThat(submit("e", 0, FINISHED)).isEqualTo(result("e", Outcome.STORED));
    }

    @Test
    void aRedrivenJobDoesNotTakeItsKeyBack() {
        bringToDeath("a", FINISHED);
        redrive("a");
        assertThat(submit("b", 0, FINISHED)).isEqualTo(result("b", Outcome.STORED));
        complete(claimOne());
        assertThat(submit("c", 0, FINISHED)).isEqualTo(result("b", Outcome.KEPT));
    }

    @Test
    void aWindowIsKeptWhateverBecomesOfTheJob() {
        submit("a", 0, WINDOW);
        complete(claimOne());
        time(99);
        assertThat(submit("b", 0, WINDOW)).isEqualTo(result("a", Outcome.KEPT));
        assertThat(submit("b", 0, WINDOW.replacing())).isEqualTo(result("a", Outcome.KEPT));
        assertThat(submit("b", 0, WINDOW.postponing())).isEqualTo(result("a", Outcome.KEPT));
        time(100);
        assertThat(submit("b", 0, WINDOW)).isEqualTo(result("b", Outcome.STORED));
    }

    @Test
    void aWindowEndsAlsoWhileItsJobStands() {
        submit("a", 5000, WINDOW);
        time(100);
        assertThat(submit("b", 5000, WINDOW)).isEqualTo(result("b", Outcome.STORED));
        assertThat(found("a").state()).isEqualTo(JobState.DELAYED);
    }

    @Test
    void theScopeOfTheFirstJobIsTheOneThatCounts() {
        submit("a", 0, FINISHED);
        claimOne();
        assertThat(submit("b", 0, STARTED)).isEqualTo(result("a", Outcome.KEPT));
        time(1000);
        assertThat(submit("b", 0, WINDOW)).isEqualTo(result("a", Outcome.KEPT));
    }

    @Test
    void theSecondJobReplacesOneThatHasNotBegun() {
        submit("a", 5, STARTED);
        assertThat(submit("b", 7, STARTED.replacing())).isEqualTo(result("b", Outcome.REPLACED));
        assertThat(find("a")).isEmpty();
        assertThat(found("b").atMillis()).isEqualTo(START + 7);
        assertThat(submit("c", 0, STARTED)).isEqualTo(result("b", Outcome.KEPT));
        assertThat(ledger.counts().join().delayed()).isEqualTo(1);
    }

    @Test
    void aJobIsReplacedInPlaceByOneOfItsId() {
        ledger.submit(call(), List.of(new NewJob("a", new NewJob.Due(5, true), new JobContent(BODY, 700L, STARTED))))
                .join();
        NewJob other = new NewJob("a", new NewJob.Due(9, true), new JobContent("\"x\":1}", null, WINDOW.replacing()));
        assertThat(submit(other)).containsExactly(result("a", Outcome.REPLACED));
        assertThat(found("a").record()).endsWith("\"x\":1}");
        assertThat(found("a").atMillis()).isEqualTo(START + 9);
        time(9);
        assertThat(claimJob().leaseMillis()).isNull();
        assertThat(submit("b", 0, STARTED)).isEqualTo(result("a", Outcome.KEPT));
    }

    @Test
    void aReplacedJobLeavesNothingToTheOneThatReplacesIt() {
        bringToDeath("a", WINDOW);
        redrive("a");
        assertThat(submit("a", 9, WINDOW.replacing())).isEqualTo(result("a", Outcome.REPLACED));
        assertThat(found("a").error()).isNull();
        assertThat(found("a").attempt().number()).isZero();
    }

    @Test
    void aJobThatHasBegunIsNotReplaced() {
        submit("a", 0, FINISHED);
        Lease lease = claimOne();
        assertThat(submit("b", 0, FINISHED.replacing())).isEqualTo(result("a", Outcome.KEPT));
        assertThat(submit("b", 0, FINISHED.postponing())).isEqualTo(result("a", Outcome.KEPT));
        retry(lease, 50);
        assertThat(submit("b", 0, FINISHED.replacing())).isEqualTo(result("a", Outcome.KEPT));
        assertThat(submit("b", 0, FINISHED.postponing())).isEqualTo(result("a", Outcome.KEPT));
        assertThat(found("a").atMillis()).isEqualTo(START + 50);
    }

    @Test
    void theSecondJobPostponesOneThatHasNotBegun() {
        submit("a", 5, STARTED);
        time(3);
        assertThat(submit("b", 7, STARTED.postponing())).isEqualTo(result("a", Outcome.POSTPONED));
        assertThat(found("a").atMillis()).isEqualTo(START + 10);
        assertThat(find("b")).isEmpty();
    }

    @Test
    void aPostponedJobHasTheRecordAndTheLeaseOfTheSecond() {
        submit("a", 5, STARTED);
        time(3);
        String body = "\"job\":\"j\",\"param\":\"newest\"}";
        submit(new NewJob("b", new NewJob.Due(7, true), new JobContent(body, 1234L, STARTED.postponing())));
        assertThat(found("a").record()).isEqualTo("{\"v\":1,\"at\":" + (START + 3) + "," + body);
        time(10);
        Claimed.Job claimed = claimJob();
        assertThat(claimed.leaseMillis()).isEqualTo(1234L);
        assertThat(claimed.record()).contains("newest");
        assertThat(submit("c", 0, STARTED)).isEqualTo(result("c", Outcome.STORED));
    }

    @Test
    void postponingOneThatWasRedrivenForgetsItsError() {
        submit("a", 0, WINDOW);
        bury(claimOne());
        redrive("a");
        assertThat(submit("b", 7, WINDOW.postponing())).isEqualTo(result("a", Outcome.POSTPONED));
        assertThat(found("a").error()).isNull();
    }

    @Test
    void theDueTimeOfASecondJobIsThatOfAJobThatNoNodeWasAbleToRun() {
        submit("a", 0, FINISHED);
        release(claimOne(), 1000L);
        submit("b", 5000, FINISHED.postponing());
        assertThat(found("a").attempt().noHandlerSinceMillis()).isNull();
        time(5500);
        assertThat(claimJob().dueMillis()).isEqualTo(START + 5000);
        assertThat(submit("c", 0, FINISHED)).isEqualTo(result("a", Outcome.KEPT));
    }

    @Test
    void replacingAndPostponingTakeTheKeyInTheScopeOfTheSecondJob() {
        submit("a", 0, STARTED);
        submit("b", 0, FINISHED.postponing());
        claimOne();
        assertThat(submit("c", 0, STARTED)).isEqualTo(result("a", Outcome.KEPT));
        cancel("a");
        submit("d", 5000, WINDOW);
        time(60);
        submit("e", 5000, WINDOW.replacing());
        time(120);
        submit("f", 5000, WINDOW.postponing());
        time(219);
        assertThat(submit("g", 0, WINDOW)).isEqualTo(result("e", Outcome.KEPT));
        time(220);
        assertThat(submit("g", 0, WINDOW)).isEqualTo(result("g", Outcome.STORED));
    }

    @Test
    void aKeyThatWasAWindowOnceIsKeptAsLongAsItsNewScopeSays() {
        submit("a", 5000, WINDOW);
        submit("b", 5000, FINISHED.replacing());
        time(200);
        feedOften();
        assertThat(submit("c", 0, FINISHED)).isEqualTo(result("b", Outcome.KEPT));
    }

    @Test
    void anIdThatExistsTakesNoKey() {
        submit("a", 5, null);
        assertThat(submit("a", 9, STARTED)).isEqualTo(result("a", Outcome.EXISTS));
        assertThat(submit("b", 5, STARTED)).isEqualTo(result("b", Outcome.STORED));
        for (Dedupe dedupe : List.of(STARTED, STARTED.replacing(), STARTED.postponing())) {
            assertThat(submit("a", 9, dedupe)).isEqualTo(result("a", Outcome.EXISTS));
        }
        assertThat(submit("b", 9, STARTED)).isEqualTo(result("b", Outcome.EXISTS));
        assertThat(submit("b", 9, STARTED.postponing())).isEqualTo(result("b", Outcome.EXISTS));
        assertThat(found("b").atMillis()).isEqualTo(START + 5);
    }

    @Test
    void anotherJobUnderTheIdOfTheFirstHasNotItsKey() {
        submit("a", 5, WINDOW);
        cancel("a");
        submit("a", 5, null);
        assertThat(submit("b", 9, WINDOW.replacing())).isEqualTo(result("a", Outcome.KEPT));
        assertThat(submit("b", 9, WINDOW.postponing())).isEqualTo(result("a", Outcome.KEPT));
        assertThat(found("a").atMillis()).isEqualTo(START + 5);
        assertThat(submit("a", 9, WINDOW.replacing())).isEqualTo(result("a", Outcome.EXISTS));
    }

    @Test
    void jobsOfOneCallSeeTheOnesBeforeThem() {
        assertThat(submit(
                        job("a", 5, STARTED),
                        job("b", 6, STARTED),
                        job("plain", 1),
                        job("c", 7, STARTED.replacing()),
                        job("a", 8),
                        job("d", 9, STARTED.postponing()),
                        job("c", 10),
                        job("plain", 11, Dedupe.untilStarted("other")),
                        job("e", 12, Dedupe.untilStarted("other"))))
                .containsExactly(
                        result("a", Outcome.STORED),
                        result("a", Outcome.KEPT),
                        result("plain", Outcome.STORED),
                        result("c", Outcome.REPLACED),
                        result("a", Outcome.STORED),
                        result("c", Outcome.POSTPONED),
                        result("c", Outcome.EXISTS),
                        result("plain", Outcome.EXISTS),
                        result("e", Outcome.STORED));
        assertThat(found("a").atMillis()).isEqualTo(START + 8);
        assertThat(found("c").atMillis()).isEqualTo(START + 9);
        assertThat(found("plain").atMillis()).isEqualTo(START + 1);
        assertThat(ledger.counts().join().delayed()).isEqualTo(4);
    }

    @Test
    void aRepeatedSubmitWithAKeyGetsTheFirstAnswer() {
        submit("a", 5, STARTED);
        Call call = call();
        List<NewJob> jobs = List.of(job("b", 5, STARTED), job("c", 6, STARTED.replacing()));
        List<?> first = ledger.submit(call, jobs).join();
        assertThat(first).isEqualTo(List.of(result("a", Outcome.KEPT), result("c", Outcome.REPLACED)));
        assertThat(ledger.submit(call, jobs).join()).isEqualTo(first);
    }

    @Test
    void keysAndIdsMayHoldAnyCharacterButControls() {
        for (String key :
                List.of("|", "a|b|", "s", "|s", "x|f", "ключ 😀", " : ", "1|2|3|4|5|6|7|8|9", "|key=a|id=b")) {
            Dedupe dedupe = Dedupe.untilFinished(key);
            String id = "id|" + key;
            assertThat(submit(id, 0, dedupe)).isEqualTo(result(id, Outcome.STORED));
            assertThat(submit("b", 0, dedupe)).isEqualTo(result(id, Outcome.KEPT));
            Lease lease = claimOne();
            assertThat(lease.id()).isEqualTo(id);
            assertThat(submit("b", 0, dedupe)).isEqualTo(result(id, Outcome.KEPT));
            assertThat(complete(lease)).isTrue();
            assertThat(submit("b", 0, dedupe)).isEqualTo(result("b", Outcome.STORED));
            assertThat(cancel("b")).isEqualTo(ActionResult.done(JobState.READY));
        }
    }

    /** Calls what removes windows that are over, as often as it may need. */
    protected final void feedOften() {
        for (int i = 0; i < 3; i++) {
            ledger.feed(TestSettings.feed(new Feed.Presence("n", 5000, 1, 1, null)))
                    .join();
        }
    }
}
