package io.delayjob.redisson.internal.redis;

import static io.delayjob.redisson.internal.redis.TestShard.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.ActionResult;
import io.delayjob.Dedupe;
import io.delayjob.JobState;
import io.delayjob.Limits;
import io.delayjob.Progress;
import io.delayjob.QueueCounts;
import io.delayjob.SubmitResult;
import io.delayjob.SubmitResult.Outcome;
import io.delayjob.engine.TestSettings;
import io.delayjob.engine.ledger.Attempt;
import io.delayjob.engine.ledger.Call;
import io.delayjob.engine.ledger.ClaimRequest;
import io.delayjob.engine.ledger.Claimed;
import io.delayjob.engine.ledger.Feed;
import io.delayjob.engine.ledger.Flow;
import io.delayjob.engine.ledger.JobContent;
import io.delayjob.engine.ledger.Lease;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.LedgerException;
import io.delayjob.engine.ledger.Listing;
import io.delayjob.engine.ledger.NewJob;
import io.delayjob.engine.ledger.Retention;
import io.delayjob.engine.ledger.Settlement;
import io.delayjob.engine.ledger.ShardLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.redisson.client.codec.StringCodec;

/** Each script: a state, one step, the whole state after it. */
class RedisLedgerIT {

    private static final String RECORD = "{\"v\":1,\"at\":" + START + ",\"job\":\"j\",\"param\":1}";
    private static final long LEASE = 30_000;

    private final TestShard shard = new TestShard();
    private Ledger ledger = shard.ledger;
    private long number;

    @AfterEach
    void close() {
        shard.close();
    }

    @Test
    void submitStoresTheRecordAndLetsItWait() {
        assertThat(submit("a", 500, null, null)).isTrue();
        assertThat(shard.state()).isEqualTo(Map.of("jobs", Map.of("a", RECORD), "waiting", Map.of("a", START + 500)));
    }

    @Test
    void submitKeepsALeaseOfTheJobsOwn() {
        submit("a", 500, 9000L);
        assertThat(shard.state())
                .isEqualTo(Map.of(
                        "jobs", Map.of("a", RECORD),
                        "waiting", Map.of("a", START + 500),
                        "facts", Map.of("a", "token=|attempt=0|due=|lease=9000|since=|node=|lost=|claimed=|key=")));
    }

    @Test
    void submitTakesATimeOfTheClockAsItIs() {
        NewJob job = new NewJob("a", new NewJob.Due(START - 5, false), JobContent.of("\"job\":\"j\",\"param\":1}"));
        assertThat(ledger.submit(call(), List.of(job)).join())
                .containsExactly(new SubmitResult(shard.keys.shard().queue(), "a", Outcome.STORED));
        assertThat(shard.state().get("waiting")).isEqualTo(Map.of("a", START - 5));
    }

    @Test
    void submitChangesNothingForAnIdThatExistsAlsoWithinOneCall() {
        submit("a", 500, null, null);
        NewJob again = new NewJob("a", new NewJob.Due(1, true), new JobContent("\"other\":1}", 1L, null));
        NewJob twin = new NewJob("b", new NewJob.Due(700, true), JobContent.of("\"job\":\"j\",\"param\":1}"));
        NewJob other = new NewJob("b", new NewJob.Due(1, true), JobContent.of("\"other\":1}"));
        assertThat(ledger.submit(call(), List.of(again, twin, other)).join())
                .extracting(SubmitResult::outcome)
                .containsExactly(Outcome.EXISTS, Outcome.STORED, Outcome.EXISTS);
        assertThat(shard.state())
                .isEqualTo(Map.of(
                        "jobs", Map.of("a", RECORD, "b", RECORD),
                        "waiting", Map.of("a", START + 500, "b", START + 700)));
    }

    @Test
    void submitRingsForANewHeadThatIsDueBeforeTheWatermark() {
        feed("n", 0);
        submit("later", 5000, null, null);
        submit("soon", 1000, null, null);
        submit("second", 1500, null, null);
        assertThat(shard.state().get("ready")).isEqualTo(List.of("soon"));
    }

    @Test
    void aJobThatIsDueAtTheWatermarkIsRungForOrNamedByTheNextFeed() {
        long watermark = feed("n", 0).watermarkMillis();
        submit("at", watermark - START, null, null);
        assertThat(shard.state().get("ready")).isEqualTo(List.of("at"));
        submit("behind", watermark + 1 - START, null, null);
        time(1000);
        assertThat(feed("n", watermark).next()).isEqualTo(new Feed.Ring("behind", 1001));
    }

    @Test
    void submitRingsOnceForWhoeverListensWhenNobodyArrangesDoorbells() {
        shard.redisson().getKeys().delete(shard.keys.of(Key.WATERMARK));
        submit("later", 5000, null, null);
        submit("soon", 1000, null, null);
        assertThat(shard.state().get("ready")).isEqualTo(List.of("later"));
        shard.redisson().getKeys().delete(shard.keys.of(Key.READY));
        submit("behind", 2000, null, null);
        submit("sooner", 500, null, null);
        assertThat(shard.state().get("ready")).isEqualTo(List.of("sooner"));
    }

    @Test
    void submitThatCannotWriteWritesNothing() {
        shard.redisson()
                .getBucket(shard.keys.of(Key.WAITING), StringCodec.INSTANCE)
                .set("not a sorted set");
        assertThatThrownBy(() -> submit("a", 500, null, null))
                .cause()
                .isInstanceOfSatisfying(LedgerException.class, e -> {
                    assertThat(e.kind()).isEqualTo(LedgerException.Kind.REFUSED);
                    assertThat(e).hasMessageContaining("WRONGTYPE");
                });
        assertThat(shard.state()).isEqualTo(Map.of("waiting", "not a sorted set"));
    }

    @Test
    void submitWithAKeySaysWhoHasItAndForHowLong() {
        submit("a", 500, Dedupe.untilStarted("s|"));
        submit("b", 500, Dedupe.untilFinished("f"));
        submit("c", 500, Dedupe.within("w", Duration.ofMillis(70)));
        assertThat(shard.state())
                .isEqualTo(Map.of(
                        "jobs", Map.of("a", RECORD, "b", RECORD, "c", RECORD),
                        "waiting", Map.of("a", START + 500, "b", START + 500, "c", START + 500),
                        "facts",
                                Map.of(
                                        "a",
                                        "token=|attempt=0|due=|lease=|since=|node=|lost=|claimed=|key=s|",
                                        "b",
                                        "token=|attempt=0|due=|lease=|since=|node=|lost=|claimed=|key=f",
                                        "c",
                                        "token=|attempt=0|due=|lease=|since=|node=|lost=|claimed=|key=w"),
                        "dedupe",
                                Map.of(
                                        "s|",
                                        "scope=s|id=a",
                                        "f",
                                        "scope=f|id=b",
                                        "w",
                                        "scope=" + (START + 70) + "|id=c"),
                        "windows", Map.of("w", START + 70)));
    }

    @Test
    void submitThatReplacesLeavesNothingOfTheFirst() {
        submit("a", 0, Dedupe.within("k", Duration.ofMillis(70)));
        Lease lease = claimOne();
        ledger.report(List.of(new Ledger.Report(lease, new Progress(1, "")))).join();
        ledger.settle(call(), List.of(new Settlement.Bury(lease, "e", true))).join();
        ledger.redrive(call(), List.of("a")).join();
        submit("b", 500, Dedupe.untilStarted("k").replacing());
        assertThat(shard.state())
                .isEqualTo(Map.of(
                        "jobs", Map.of("b", RECORD),
                        "waiting", Map.of("b", START + 500),
                        "facts", Map.of("b", "token=|attempt=0|due=|lease=|since=|node=|lost=|claimed=|key=k"),
                        "dedupe", Map.of("k", "scope=s|id=b"),
                        "epoch", "1"));
    }

    @Test
    void submitRingsForAJobThatWasPostponedToTheFront() {
        feed("n", 0);
        submit("a", 5000, Dedupe.untilStarted("k"));
        submit("b", 1000, Dedupe.untilStarted("k").postponing());
        assertThat(shard.state().get("ready")).isEqualTo(List.of("a"));
    }

    @Test
    void submitTakesAKeyWhoseEntryIsNoneOfOurs() {
        for (String entry : List.of(
                "",
                "|",
                "x",
                "a|s",
                "scope=|id=a",
                "scope=s",
                "scope=s|id=nobody",
                "scope=f|id=nobody",
                "scope=x|id=nobody")) {
            shard.redisson()
                    .<String, String>getMap(shard.keys.of(Key.DEDUPE), StringCodec.INSTANCE)
                    .fastPut("k", entry);
            String id = "id-" + number;
            assertThat(submit(id, 5, Dedupe.untilStarted("k"))).isTrue();
        }
    }

    @Test
    void submitWithAKeyThatCannotWriteWritesNothing() {
        shard.redisson()
                .getBucket(shard.keys.of(Key.WINDOWS), StringCodec.INSTANCE)
                .set("not a sorted set");
        assertThatThrownBy(() -> submit("a", 500, Dedupe.untilStarted("k")))
                .cause()
                .hasMessageContaining("WRONGTYPE");
        assertThat(shard.state()).isEqualTo(Map.of("windows", "not a sorted set"));
    }

    @Test
    void submitAndFeedRemoveAFewWindowsThatAreOver() {
        for (int i = 0; i < 250; i++) {
            submit("job-" + i, 500, Dedupe.within("key-" + i, Duration.ofMillis(70)));
        }
        time(70);
        submit("later", 500, Dedupe.within("later", Duration.ofMillis(70)));
        assertThat(size("windows")).isEqualTo(249);
        assertThat(size("dedupe")).isEqualTo(249);
        feed("n", 0);
        assertThat(size("windows")).isEqualTo(149);
        feed("n", 0);
        feed("n", 0);
        assertThat(shard.state().get("dedupe")).isEqualTo(Map.of("later", "scope=" + (START + 140) + "|id=later"));
        assertThat(shard.state().get("windows")).isEqualTo(Map.of("later", START + 140));
    }

    @Test
    void claimHandsOutDueJobsInOrderAndSaysWhenTheNextIsDue() {
        submit("c", 300, null, null);
        submit("b", 200, null, null);
        submit("a", 100, null, null);
        time(250);
        Claimed claimed = claim(10, "r");
        assertThat(claimed.mode()).isEqualTo(Claimed.Mode.QUIET);
        assertThat(claimed.nextMillis()).isEqualTo(50);
        assertThat(claimed.jobs())
                .containsExactly(
                        new Claimed.Job(
                                new Lease("a", "1:r"),
                                RECORD,
                                new Attempt(1, START + 100, START + 250, null),
                                null,
                                0,
                                false,
                                false,
                                (START + 250) * 1000),
                        new Claimed.Job(
                                new Lease("b", "1:r"),
                                RECORD,
                                new Attempt(1, START + 200, START + 250, null),
                                null,
                                0,
                                false,
                                false,
                                (START + 250) * 1000));
        assertThat(shard.state())
                .isEqualTo(Map.of(
                        "jobs", Map.of("a", RECORD, "b", RECORD, "c", RECORD),
                        "waiting", Map.of("c", START + 300),
                        "reserved", Map.of("a", START + 250 + LEASE, "b", START + 250 + LEASE),
                        "facts",
                                Map.of(
                                        "a",
                                                "token=1:r|attempt=1|due=" + (START + 100)
                                                        + "|lease=|since=|node=n|lost=|claimed=" + (START + 250)
                                                        + "|key=",
                                        "b",
                                                "token=1:r|attempt=1|due=" + (START + 200)
                                                        + "|lease=|since=|node=n|lost=|claimed=" + (START + 250)
                                                        + "|key="),
                        "epoch", "1"));
    }

    @Test
    void claimNeverHandsOutAJobAMillisecondEarly() {
        submit("a", 100, null, null);
        time(99);
        assertThat(claim(10, "r").jobs()).isEmpty();
        time(100);
        assertThat(claim(10, "r").jobs()).hasSize(1);
    }

    @Test
    void claimTakesNoMoreThanItsLimitAndSaysThatMoreIsDue() {
        submit("a", 0, null, null);
        submit("b", 0, null, null);
        Claimed claimed = claim(1, "r");
        assertThat(claimed.jobs()).hasSize(1);
        assertThat(claimed.nextMillis()).isZero();
    }

    @Test
    void claimReclaimsAnExpiredLeaseOnlyAtItsExpiry() {
        submit("a", 0, 2000L);
        claim(1, "r");
        time(1999);
        assertThat(claim(1, "s").jobs()).isEmpty();
        time(2000);
        Claimed.Job again = claim(1, "t").jobs().get(0);
        assertThat(again)
                .isEqualTo(new Claimed.Job(
                        new Lease("a", "2:t"),
                        RECORD,
                        new Attempt(2, START, START + 2000, null),
                        2000L,
                        1,
                        true,
                        false,
                        (START + 2000) * 1000));
    }

    @Test
    void claimRepeatedWithItsNumberHandsOutTheSameJobsAndNoOthers() {
        submit("a", 0, null, null);
        Call call = new Call("taker", 1);
        ClaimRequest request = new ClaimRequest("n", 1, LEASE, "r");
        Claimed first = ledger.claim(call, request).join();
        submit("b", 0, null, null);
        time(10);
        Claimed repeated = ledger.claim(call, request).join();
        assertThat(repeated.jobs())
                .extracting(Claimed.Job::lease)
                .containsExactly(first.jobs().get(0).lease());
        assertThat(repeated.jobs().get(0).attempt().number()).isEqualTo(1);
        assertThat(shard.state().get("reserved")).isEqualTo(Map.of("a", START + 10 + LEASE + 1));
    }

    @Test
    void claimRepeatedAfterAnotherNodeTookTheJobHandsOutNothing() {
        submit("a", 0, 1000L);
        Call call = new Call("taker", 1);
        ClaimRequest request = new ClaimRequest("n", 1, LEASE, "r");
        ledger.claim(call, request).join();
        time(1000);
        ledger.claim(new Call("other", 1), new ClaimRequest("m", 1, LEASE, "s")).join();
        assertThat(ledger.claim(call, request).join().jobs()).isEmpty();
    }

    @Test
    void claimThatWasOvertakenByALaterOneOfItsLaneFails() {
        submit("a", 0, null, null);
        Call old = call();
        claim(1, "r");
        assertThatThrownBy(() ->
                        ledger.claim(old, new ClaimRequest("n", 1, LEASE, "s")).join())
                .hasMessageContaining("overtaken");
    }

    @Test
    void claimHandsOutNothingWhilePaused() {
        submit("a", 0, null, null);
        ledger.pause(true).join();
        assertThat(claim(1, "r")).isEqualTo(new Claimed(List.of(), Claimed.Mode.PAUSED, null, 0, false));
        ledger.pause(false).join();
        assertThat(claim(1, "r").jobs()).hasSize(1);
        assertThat(shard.state().get("ready")).isEqualTo(List.of(""));
    }

    @Test
    void claimHandsOutAnIdWithoutRecordAndOneWithForeignFacts() {
        submit("a", 0, null, null);
        shard.redisson().getMap(shard.keys.of(Key.JOBS), StringCodec.INSTANCE).remove("a");
        submit("b", 0, null, null);
        shard.redisson()
                .<String, String>getMap(shard.keys.of(Key.FACTS), StringCodec.INSTANCE)
                .put("b", "no facts of ours");
        Claimed claimed = claim(10, "r");
        assertThat(claimed.jobs()).extracting(Claimed.Job::record).containsExactly(null, RECORD);
        assertThat(claimed.jobs()).extracting(job -> job.attempt().number()).containsExactly(1, 1);
        assertThat(ledger.settle(
                                call(),
                                claimed.jobs().stream()
                                        .map(job -> new Settlement.Bury(job.lease(), "why", true))
                                        .toList())
                        .join())
                .containsExactly(true, true);
    }

    @Test
    void completeRemovesEverythingOfAJob() {
        submit("a", 0, 5000L);
        Lease lease = claimOne();
        assertThat(complete(lease)).isTrue();
        assertThat(shard.state()).isEqualTo(Map.of("epoch", "1"));
    }

    @Test
    void everyWayToFinishAJobRemovesEverythingOfIt() {
        for (String way : List.of("complete", "cancel", "bury and purge")) {
            submit("a", 0, Dedupe.untilFinished("k"));
            Lease lease = claimOne();
            ledger.report(List.of(new Ledger.Report(lease, new Progress(1, ""))))
                    .join();
            ledger.settle(call(), List.of(new Settlement.Retry(lease, 0, "e"))).join();
            lease = claimOne();
            switch (way) {
                case "complete" -> complete(lease);
                case "cancel" -> ledger.cancel(call(), List.of("a")).join();
                default -> {
                    ledger.settle(call(), List.of(new Settlement.Bury(lease, "e", true)))
                            .join();
                    ledger.purgeDead(call(), 0, 1).join();
                }
            }
            assertThat(shard.state().keySet()).as(way).containsExactly("epoch");
        }
    }

    @Test
    void completeKeepsARetainedJobApart() {
        ledger = shard.ledger(new Retention(Duration.ofDays(1), 5));
        submit("a", 0, null, 5000L);
        Lease lease = claimOne();
        ledger.report(List.of(new Ledger.Report(lease, new Progress(7, "a|b")))).join();
        time(10);
        assertThat(complete(lease)).isTrue();
        assertThat(shard.state())
                .isEqualTo(Map.of(
                        "finished", Map.of("a", START + 10),
                        "archive", Map.of("a", RECORD),
                        "outcomes",
                                Map.of(
                                        "a",
                                        "state=C|attempt=1|due=" + START + "|claimed=" + START
                                                + "|percent=7|text=a|b\n"),
                        "epoch", "1"));
    }

    @Test
    void aRetainedJobWithoutRecordOrWithAForeignOutcomeIsStillFound() {
        ledger = shard.ledger(new Retention(Duration.ofDays(1), 5));
        submit("a", 0, null, null);
        shard.redisson().getMap(shard.keys.of(Key.JOBS), StringCodec.INSTANCE).remove("a");
        ledger.cancel(call(), List.of("a")).join();
        assertThat(ledger.find("a").join().orElseThrow().record()).isNull();
        for (String outcome : List.of(
                "", "?", "\n", "state=C|attempt=x|due=y|claimed=z\n", "C|1|||\n", "state=C|percent=101|text=\n")) {
            shard.redisson()
                    .<String, String>getMap(shard.keys.of(Key.OUTCOMES), StringCodec.INSTANCE)
                    .fastPut("a", outcome);
            assertThat(find("a")).contains(JobState.COMPLETED);
            assertThat(ledger.list(new Listing.Request(JobState.COMPLETED, null, null, null, 5))
                            .join()
                            .jobs())
                    .hasSize(1);
        }
    }

    @Test
    void aStaleLeaseChangesNothing() {
        submit("a", 0, 1000L);
        Lease stale = claimOne();
        time(1000);
        claim(1, "s");
        Map<String, Object> before = shard.state();
        assertThat(complete(stale)).isFalse();
        assertThat(ledger.settle(call(), List.of(new Settlement.Retry(stale, 1, "e")))
                        .join())
                .containsExactly(false);
        assertThat(ledger.settle(call(), List.of(new Settlement.Bury(stale, "e", true)))
                        .join())
                .containsExactly(false);
        assertThat(ledger.settle(call(), List.of(new Settlement.Release(stale, null, null)))
                        .join())
                .containsExactly(false);
        assertThat(ledger.renew(List.of(new Ledger.Renewal(stale, 1))).join()).containsExactly(false);
        assertThat(shard.state()).isEqualTo(before);
    }

    @Test
    void retryLetsTheJobWaitWithItsError() {
        submit("a", 0, 5000L);
        Lease lease = claimOne();
        time(10);
        assertThat(ledger.settle(call(), List.of(new Settlement.Retry(lease, 90, "broke")))
                        .join())
                .containsExactly(true);
        assertThat(shard.state())
                .isEqualTo(Map.of(
                        "jobs", Map.of("a", RECORD),
                        "waiting", Map.of("a", START + 100),
                        "facts",
                                Map.of(
                                        "a",
                                        "token=|attempt=1|due=" + START + "|lease=5000|since=|node=n|lost=|claimed="
                                                + START + "|key="),
                        "errors", Map.of("a", "broke"),
                        "epoch", "1"));
    }

    @Test
    void buryKeepsRecordReasonAndTime() {
        submit("a", 0, null, null);
        Lease lease = claimOne();
        time(10);
        ledger.settle(call(), List.of(new Settlement.Bury(lease, "hopeless", true)))
                .join();
        assertThat(shard.state())
                .isEqualTo(Map.of(
                        "jobs", Map.of("a", RECORD),
                        "dead", Map.of("a", START + 10),
                        "facts",
                                Map.of(
                                        "a",
                                        "token=|attempt=1|due=" + START + "|lease=|since=|node=n|lost=|claimed=" + START
                                                + "|key="),
                        "errors", Map.of("a", "hopeless"),
                        "epoch", "1"));
    }

    @Test
    void releaseGivesTheAttemptBackAndKeepsTheDueTime() {
        submit("a", 0, null, null);
        Lease lease = claimOne();
        time(500);
        ledger.settle(call(), List.of(new Settlement.Release(lease, null, null)))
                .join();
        assertThat(shard.state())
                .isEqualTo(Map.of(
                        "jobs", Map.of("a", RECORD),
                        "waiting", Map.of("a", START),
                        "facts",
                                Map.of(
                                        "a",
                                        "token=|attempt=0|due=" + START + "|lease=|since=|node=|lost=|claimed=" + START
                                                + "|key="),
                        "epoch", "1"));
    }

    /** The dedupe key of the job looks like what is not in front of it. */
    @Test
    void releaseKeepsOnceThatTheAttemptHadBegunUntilARedrive() {
        submit("a", 0, Dedupe.untilFinished("x|begun=1|key=y"));
        String claimed = "token=|attempt=0|due=" + START + "|lease=|since=|node=|lost=|claimed=" + START;
        for (int times = 1; times <= 2; times++) {
            Claimed.Job job = claim(1, "r").jobs().get(0);
            assertThat(job.begun()).isEqualTo(times == 2);
            ledger.settle(call(), List.of(new Settlement.Release(job.lease(), null, null, null, null, true)))
                    .join();
            assertThat(shard.state().get("facts")).isEqualTo(Map.of("a", claimed + "|begun=1|key=x|begun=1|key=y"));
        }
        Lease last = claimOne();
        ledger.settle(call(), List.of(new Settlement.Bury(last, "hopeless", true)))
                .join();
        ledger.redrive(call(), List.of("a")).join();
        assertThat(shard.state().get("facts"))
                .isEqualTo(
                        Map.of("a", "token=|attempt=0|due=|lease=|since=|node=n|lost=|claimed=|key=x|begun=1|key=y"));
    }

    @Test
    void releaseWithoutAHandlerRemembersSinceWhen() {
        submit("a", 0, null, null);
        releaseWithoutHandler(claimOne());
        time(1000);
        releaseWithoutHandler(claimOne());
        assertThat(shard.state().get("waiting")).isEqualTo(Map.of("a", START + 2000));
        assertThat(shard.state().get("facts"))
                .isEqualTo(Map.of(
                        "a",
                        "token=|attempt=0|due=" + START + "|lease=|since=" + START + "|node=|lost=|claimed="
                                + (START + 1000) + "|key="));
    }

    @Test
    void renewMakesALeaseLongerAndNeverShorter() {
        submit("a", 0, null, null);
        Lease lease = claimOne();
        time(10_000);
        assertThat(ledger.renew(List.of(new Ledger.Renewal(lease, 5))).join()).containsExactly(true);
        assertThat(shard.state().get("reserved")).isEqualTo(Map.of("a", START + LEASE));
        ledger.renew(List.of(new Ledger.Renewal(lease, LEASE))).join();
        assertThat(shard.state().get("reserved")).isEqualTo(Map.of("a", START + 10_000 + LEASE));
    }

    @Test
    void renewBringsBackALeaseThatWasRemovedFromBehind() {
        submit("a", 0, null, null);
        Lease lease = claimOne();
        shard.redisson().getKeys().delete(shard.key("reserved"));
        time(10_000);
        assertThat(ledger.renew(List.of(new Ledger.Renewal(lease, LEASE))).join())
                .containsExactly(true);
        assertThat(shard.state().get("reserved")).isEqualTo(Map.of("a", START + 10_000 + LEASE));
    }

    @Test
    void feedBringsBackALeaseThatWasRemovedFromBehindAndNobodyRenews() {
        submit("a", 0, null, null);
        submit("own", 0, 9000L);
        claim(2, "r");
        shard.redisson().getKeys().delete(shard.key("reserved"));
        feed("n", 0);
        assertThat(shard.state().get("reserved")).isEqualTo(Map.of("a", START + LEASE, "own", START + 9000));
        feed("n", 0);
        for (long passed = 0; passed <= 10_000; passed += 2500) {
            time(LEASE + passed);
            feed("n", 0);
        }
        assertThat(claim(5, "s").jobs())
                .extracting(job -> job.attempt().number())
                .containsExactly(2, 2);
    }

    @Test
    void feedBuriesAJobThatWasRemovedFromWaitingBecauseNobodyKnowsWhenItIsDue() {
        submit("a", 500, null, null);
        submit("b", 500, null, null);
        shard.redisson()
                .getScoredSortedSet(shard.key("waiting"), StringCodec.INSTANCE)
                .remove("a");
        feed("n", 0);
        feed("n", 0);
        assertThat(shard.state())
                .containsEntry("waiting", Map.of("b", START + 500))
                .containsEntry("dead", Map.of("a", START))
                .containsEntry("errors", Map.of("a", "a queue key was deleted or evicted; the due time is lost"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"lanes", "held", "buried", "turns", "wakes", "blocked"})
    void feedPutsBackASetOfKeysThatWasRemovedFromBehind(String key) {
        ledger.limits()
                .set(ShardLimits.Shared.of(Limits.NONE.withPerKey(Limits.NONE.withOrder(Limits.Order.STRICT_HOLD))), 0)
                .join();
        for (String id : List.of("dies-1", "dies-2", "runs-1", "runs-2", "then-1")) {
            submitKeyed(id, 0);
        }
        submitKeyed("wakes-1", 500);
        Claimed claimed = claim(2, "r");
        ledger.settle(call(), List.of(new Settlement.Bury(claimed.jobs().get(0).lease(), "broken", true)))
                .join();
        Map<String, Object> before = shard.state();
        before.keySet().retainAll(List.of("keyed", "lanes", "held", "buried", "turns", "wakes", "blocked"));
        assertThat(before).hasSize(7);

        shard.redisson().getKeys().delete(shard.key(key));
        for (int n = 0; n < 20 && !shard.state().containsKey(key); n++) {
            feed("n", 0);
        }
        if (key.equals("turns")) {
            // It is as if the key came now, after two turns of three keys.
            before.put("turns", Map.of("then", 666L));
        }
        assertThat(shard.state()).containsAllEntriesOf(before);
        assertThat(claim(9, "s").jobs()).extracting(job -> job.lease().id()).containsExactly("then-1");
    }

    @Test
    void aKeyWhoseJobBeginsBesideOneThatLostItsLeaseLeavesNothing() {
        ledger.limits()
                .set(ShardLimits.Shared.of(Limits.NONE.withPerKey(Limits.NONE.withConcurrency(2))), 0)
                .join();
        submitKeyed("a-1", 0);
        claim(1, "r");
        submitKeyed("a-2", 500);
        time(60_000);
        Claimed both = claim(2, "s");
        ledger.settle(
                        call(),
                        both.jobs().stream()
                                .<Settlement>map(job -> new Settlement.Complete(job.lease(), null, 0))
                                .toList())
                .join();
        assertThat(both.jobs()).hasSize(2);
        assertThat(shard.state().get("passes"))
                .asInstanceOf(InstanceOfAssertFactories.map(String.class, Object.class))
                .containsOnlyKeys("");
    }

    @Test
    void keysThatWereSlowedOnceLeaveNothingForEver() {
        ShardLimits limits = ledger.limits();
        limits.slow("long", Duration.ofHours(1)).join();
        for (int n = 0; n < 300; n++) {
            limits.slow("once-" + n, Duration.ofMillis(10)).join();
            time(11L * n);
        }
        assertThat(((Map<?, ?>) shard.state().get("limits")).keySet())
                .hasSizeLessThan(100)
                .matches(fields -> fields.contains("slow:long"), "has the key that is still slowed");
    }

    @Test
    void feedBuriesAJobThatLostItsDueTimeAtThePlaceAtWhichItHoldsItsKey() {
        ledger.limits()
                .set(ShardLimits.Shared.of(Limits.NONE.withPerKey(Limits.NONE.withOrder(Limits.Order.STRICT_HOLD))), 0)
                .join();
        String from = ledger.flow(new Flow.Request(null, 1000, 1000)).join().read();
        submitKeyed("a-1", 500);
        shard.redisson().getKeys().delete(shard.key("keyed"), shard.key("lanes"));
        feed("n", 0);
        assertThat(ledger.flow(new Flow.Request(from, 1000, 1000)).join().steps())
                .filteredOn(step -> step.kind() == Flow.Kind.BURY)
                .singleElement()
                .satisfies(step -> assertThat(step.placeMillis()).isEqualTo(START + 500));
        assertThat(shard.state()).containsEntry("buried", Map.of("a\0a-1", 0L));
    }

    /** A job whose key is the first part of its id. */
    private void submitKeyed(String id, long delay) {
        String body = "\"job\":\"j\",\"key\":\"" + id.substring(0, id.indexOf('-')) + "\",\"param\":1}";
        ledger.submit(call(), List.of(new NewJob(id, new NewJob.Due(delay, true), JobContent.of(body))))
                .join();
    }

    @Test
    void redriveCountsAttemptsFromTheStartAndKeepsTheLastError() {
        submit("a", 0, 5000L);
        Lease lease = claimOne();
        ledger.settle(call(), List.of(new Settlement.Bury(lease, "hopeless", true)))
                .join();
        time(10);
        assertThat(ledger.redrive(call(), List.of("a", "b")).join())
                .containsExactly(ActionResult.done(JobState.DEAD), ActionResult.NO_SUCH_JOB);
        assertThat(shard.state())
                .isEqualTo(Map.of(
                        "jobs", Map.of("a", RECORD),
                        "waiting", Map.of("a", START + 10),
                        "facts", Map.of("a", "token=|attempt=0|due=|lease=5000|since=|node=n|lost=|claimed=|key="),
                        "errors", Map.of("a", "hopeless"),
                        "epoch", "1"));
    }

    @Test
    void feedMakesTheFirstNodeTheHolderAndCountsAll() {
        assertThat(feed("n", 0))
                .isEqualTo(new Feed.Answer(1, true, START + 2000, false, false, new Feed.Pulse(START, START), null));
        assertThat(feed("m", 0))
                .isEqualTo(new Feed.Answer(2, false, 0, false, false, new Feed.Pulse(START, START), null));
        ledger.resign("n").join();
        assertThat(feed("m", 0))
                .isEqualTo(new Feed.Answer(1, true, START + 2000, false, false, new Feed.Pulse(START, START), null));
    }

    @Test
    void feedForgetsNodesThatAreSilent() {
        feed("n", 0);
        time(5000);
        assertThat(feed("m", 0).nodes()).isEqualTo(1);
    }

    @Test
    void feedNamesEachDoorbellOnceAndMovesTheWatermark() {
        submit("a", 1000, null, null);
        submit("b", 2500, null, null);
        Feed.Answer first = feed("n", 0);
        assertThat(first.next()).isEqualTo(new Feed.Ring("a", 1000));
        time(1000);
        assertThat(feed("n", first.watermarkMillis()).next()).isEqualTo(new Feed.Ring("b", 1500));
        assertThat(shard.state().get("watermark")).isEqualTo(Long.toString(START + 3000));
    }

    @Test
    void feedOfABusyQueueNamesNoDoorbellsAndTellsTakersToPoll() {
        for (int i = 0; i < 4; i++) {
            submit("job-" + i, 100, null, null);
        }
        Feed.Answer answer = ledger.feed(TestSettings.feed(
                        new Feed.Presence("n", 5000, 4, 3, null), new Feed.Terms(60_000, 30_000, 2000, 3)))
                .join();
        assertThat(answer).isEqualTo(new Feed.Answer(1, true, 0, false, false, new Feed.Pulse(START, START), null));
        assertThat(claim(1, "r").mode()).isEqualTo(Claimed.Mode.BUSY);
        submit("sooner", 50, null, null);
        assertThat(shard.state()).doesNotContainKey("ready");
        assertThat(feed("n", 0).next()).isEqualTo(new Feed.Ring("sooner", 50));
        assertThat(claim(1, "s").mode()).isEqualTo(Claimed.Mode.QUIET);
    }

    @Test
    void feedAndResignKeepTheRegistry() {
        ledger.feed(TestSettings.feed(new Feed.Presence("n", 5000, 4, 3, List.of("x", "y z"))))
                .join();
        keepWatermark();
        assertThat(shard.state())
                .containsEntry("nodes", Map.of("n", START + 5000))
                .containsEntry("workers", Map.of("n", "workers=4|free=3"))
                .containsEntry("handlers", Map.of("n", "x\ny z"));
        ledger.resign("n").join();
        assertThat(shard.state().keySet()).containsExactly("pulse", "watermark");
    }

    @Test
    void resignRingsForEachNodeThatStays() {
        feed("gone", 0);
        time(1000);
        List.of("a", "b", "c").forEach(node -> feed(node, 0));
        time(5000);
        ledger.resign("a").join();
        assertThat(shard.state().get("ready")).isEqualTo(List.of("", ""));
        for (int i = 0; i < 600; i++) {
            ledger.resign("nobody").join();
        }
        assertThat((List<?>) shard.state().get("ready")).hasSize(1000);
    }

    @Test
    void oneLookReadsAboutTwoMegabytes() {
        String large = "\"param\":\"" + "x".repeat(200_000) + "\"}";
        for (int i = 0; i < 25; i++) {
            ledger.submit(call(), List.of(new NewJob("job-" + i, new NewJob.Due(i, true), JobContent.of(large))))
                    .join();
        }
        time(-1);
        List<String> ids = new ArrayList<>();
        Listing.Position next = null;
        do {
            Listing.Answer page = ledger.list(new Listing.Request(JobState.DELAYED, null, null, next, 500))
                    .join();
            assertThat(page.jobs()).hasSizeBetween(1, 11);
            page.jobs().forEach(entry -> ids.add(entry.id()));
            next = page.next();
        } while (next != null);
        assertThat(ids).hasSize(25).doesNotHaveDuplicates();
    }

    @Test
    void findSeesAJobInEveryState() {
        assertThat(find("a")).isEmpty();
        submit("a", 100, null, null);
        assertThat(find("a")).contains(JobState.DELAYED);
        time(100);
        assertThat(find("a")).contains(JobState.READY);
        Lease lease = claimOne();
        assertThat(find("a")).contains(JobState.RESERVED);
        ledger.settle(call(), List.of(new Settlement.Bury(lease, "e", true))).join();
        assertThat(find("a")).contains(JobState.DEAD);
    }

    @Test
    void countsJobsByState() {
        submit("delayed", 100, null, null);
        submit("ready", 0, null, null);
        submit("reserved", -1, null, null);
        claim(1, "r");
        ledger.pause(true).join();
        assertThat(ledger.counts().join()).isEqualTo(new QueueCounts(1, 1, 1, 0, 0, true));
    }

    @Test
    void everyScriptWorksAfterScriptFlush() {
        submit("a", 0, null, null);
        shard.redisson().getScript(StringCodec.INSTANCE).scriptFlush();
        assertThat(complete(claimOne())).isTrue();
    }

    private boolean submit(String id, long delay, @Nullable Long lease) {
        return submit(id, delay, null, lease);
    }

    private boolean submit(String id, long delay, Dedupe dedupe) {
        return submit(id, delay, dedupe, null);
    }

    private boolean submit(String id, long delay, @Nullable Dedupe dedupe, @Nullable Long lease) {
        NewJob job = new NewJob(
                id, new NewJob.Due(delay, true), new JobContent("\"job\":\"j\",\"param\":1}", lease, dedupe));
        return ledger.submit(call(), List.of(job)).join().get(0).outcome() == Outcome.STORED;
    }

    private Claimed claim(int limit, String random) {
        return ledger.claim(call(), new ClaimRequest("n", limit, LEASE, random)).join();
    }

    private Lease claimOne() {
        return claim(1, "r" + number).jobs().get(0).lease();
    }

    private boolean complete(Lease lease) {
        return ledger.settle(call(), List.of(new Settlement.Complete(lease, null, 0)))
                .join()
                .get(0);
    }

    private void releaseWithoutHandler(Lease lease) {
        ledger.settle(call(), List.of(new Settlement.Release(lease, 1000L, null)))
                .join();
    }

    private Feed.Answer feed(String node, long arranged) {
        Feed.Answer answer = ledger.feed(new Feed.Request(
                        new Feed.Presence(node, 5000, 4, 3, null), TestSettings.TERMS, arranged, Feed.Pulse.NONE))
                .join();
        keepWatermark();
        return answer;
    }

    /** A watermark ends after 4 s by the clock of Redis, which tests do not set. */
    private void keepWatermark() {
        shard.redisson().getKeys().clearExpire(shard.keys.of(Key.WATERMARK));
    }

    private Optional<JobState> find(String id) {
        return ledger.find(id).join().map(job -> job.state());
    }

    private Call call() {
        return new Call("lane", ++number);
    }

    private int size(String name) {
        return ((Map<?, ?>) shard.state().getOrDefault(name, Map.of())).size();
    }

    private void time(long sinceStart) {
        shard.setClock(START + sinceStart);
    }
}
