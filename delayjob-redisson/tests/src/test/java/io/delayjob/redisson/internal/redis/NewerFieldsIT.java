package io.delayjob.redisson.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.InstanceOfAssertFactories.MAP;

import io.delayjob.Dedupe;
import io.delayjob.JobState;
import io.delayjob.NodeSnapshot;
import io.delayjob.Progress;
import io.delayjob.SubmitResult.Outcome;
import io.delayjob.engine.TestSettings;
import io.delayjob.engine.ledger.Call;
import io.delayjob.engine.ledger.ClaimRequest;
import io.delayjob.engine.ledger.Claimed;
import io.delayjob.engine.ledger.Feed;
import io.delayjob.engine.ledger.Flow;
import io.delayjob.engine.ledger.JobContent;
import io.delayjob.engine.ledger.Lease;
import io.delayjob.engine.ledger.StoredJob;
import io.delayjob.testing.RealRedis;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Values in Redis have fields that only another release knows: this one reads past them, and keeps them where it writes them back. */
@RealRedis
class NewerFieldsIT extends RedisFixture {

    private static final String NEWER = "|weight=7|note=a=b {c}";

    private static String facts(String attempt, String lease, String key) {
        return "token=|attempt=" + attempt + "|due=|lease=" + lease + "|since=|node=|lost=|claimed=" + NEWER + "|key="
                + key;
    }

    /** A job with fields of a newer release among its facts, after an attempt. */
    private void submitWithNewerFields(String key) {
        submit(job("a", 0, Dedupe.untilFinished(key)));
        raw.call("HSET", shard.keys.of(Key.FACTS), "a", facts("1", "60000", key));
    }

    private interface Step {
        void on(NewerFieldsIT test);
    }

    static Stream<Arguments> steps() {
        return Stream.of(
                step("claim", test -> test.claimOne()),
                step("a repeated claim", NewerFieldsIT::claimTwice),
                step("a claim that is given back by its repeat", NewerFieldsIT::claimAndGiveBack),
                step("a claim after the lease ran out", NewerFieldsIT::claimAfterTheLease),
                step(
                        "renew",
                        test -> assertThat(test.renew(test.claimOne(), 90_000)).isTrue()),
                step(
                        "report",
                        test -> assertThat(test.report(test.claimOne(), 5, "half"))
                                .isTrue()),
                step("retry", test -> assertThat(test.retry(test.claimOne(), 0)).isTrue()),
                step(
                        "release",
                        test -> assertThat(test.release(test.claimOne(), null)).isTrue()),
                step("release after the attempt began, and redrive", NewerFieldsIT::releaseBegunAndRedrive),
                step(
                        "release without a handler",
                        test -> assertThat(test.release(test.claimOne(), 0L)).isTrue()),
                step("bury", test -> assertThat(test.bury(test.claimOne())).isTrue()),
                step("redrive", NewerFieldsIT::buryAndRedrive),
                step("redrive of all", NewerFieldsIT::buryAndRedriveAll),
                step(
                        "reschedule",
                        test -> assertThat(test.reschedule("a", 0).done()).isTrue()),
                step("reschedule after a release without a handler", NewerFieldsIT::releaseAndReschedule),
                step("passing on and taking back", NewerFieldsIT::passOnAndTakeBack));
    }

    private static Arguments step(String name, Step step) {
        return Arguments.of(name, step);
    }

    private void claimTwice() {
        Call call = call();
        ClaimRequest request = new ClaimRequest("n", 1, LEASE, "r");
        ledger.claim(call, request).join();
        assertThat(ledger.claim(call, request).join().jobs()).hasSize(1);
    }

    private void claimAndGiveBack() {
        Call call = call();
        ClaimRequest request = new ClaimRequest("n", 1, LEASE, "r");
        ledger.claim(call, request).join();
        assertThat(ledger.claim(call, request.repeated(0)).join().jobs()).isEmpty();
    }

    private void claimAfterTheLease() {
        claimOne();
        time(60_000);
        assertThat(claimJob().lost()).isEqualTo(1);
    }

    private void releaseBegunAndRedrive() {
        assertThat(releaseBegun(claimOne())).isTrue();
        buryAndRedrive();
    }

    private void buryAndRedrive() {
        bury(claimOne());
        assertThat(redrive("a").done()).isTrue();
    }

    private void buryAndRedriveAll() {
        bury(claimOne());
        assertThat(ledger.redriveAll(call(), 1, 0, 0).join()).containsExactly("a");
    }

    private void releaseAndReschedule() {
        release(claimOne(), 500L);
        assertThat(reschedule("a", 0).done()).isTrue();
    }

    private void passOnAndTakeBack() {
        feed("n", List.of("other"));
        feed("m", List.of("j"));
        assertThat(claimMixed("n").jobs()).isEmpty();
        assertThat(found("a").attempt().noHandlerSinceMillis()).isNotNull();
        assertThat(claimMixed("m").jobs()).hasSize(1);
    }

    private Feed.Answer feed(String node, List<String> names) {
        return ledger.feed(TestSettings.feed(
                        new Feed.Presence(node, 60_000, 4, 3, names), new Feed.Terms(4000, 30_000, 2000, 100)))
                .join();
    }

    private Claimed claimMixed(String node) {
        Call call = call();
        return ledger.claim(
                        call,
                        new ClaimRequest(node, ClaimRequest.Limits.of(9), LEASE, "r" + call.number(), false, true, 0))
                .join();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("steps")
    void factsKeepFieldsOfANewerRelease(String name, Step step) {
        submitWithNewerFields("k|key=1");
        step.on(this);
        assertThat(shard.state().get("facts"))
                .asInstanceOf(MAP)
                .hasEntrySatisfying(
                        "a",
                        facts -> assertThat(facts.toString())
                                .contains("|lease=60000|")
                                .endsWith(NEWER + "|key=k|key=1"));
    }

    @Test
    void aJobWithFieldsOfANewerReleaseAmongItsFactsRuns() {
        submitWithNewerFields("k");
        assertThat(found("a").attempt().number()).isEqualTo(1);
        Claimed.Job job = claimJob();
        assertThat(job.attempt().number()).isEqualTo(2);
        assertThat(job.leaseMillis()).isEqualTo(60_000);
        assertThat(submit("b", 0, Dedupe.untilFinished("k")).outcome()).isEqualTo(Outcome.KEPT);
        assertThat(complete(job.lease())).isTrue();
        assertThat(submit("b", 0, Dedupe.untilFinished("k")).outcome()).isEqualTo(Outcome.STORED);
    }

    @Test
    void aKeyWithFieldsOfANewerReleaseIsTakenAndFreed() {
        submit("a", 0, Dedupe.untilFinished("k"));
        raw.call("HSET", shard.keys.of(Key.DEDUPE), "k", "scope=f" + NEWER + "|id=a");
        assertThat(submit("b", 0, Dedupe.untilFinished("k")).outcome()).isEqualTo(Outcome.KEPT);
        assertThat(complete(claimOne())).isTrue();
        assertThat(shard.state()).containsOnlyKeys("epoch");
    }

    @Test
    void aPulseKeepsFieldsOfANewerRelease() {
        feed("n", List.of());
        raw.call("SET", shard.keys.of(Key.PULSE), "fed=" + START + "|back=0|born=" + (START - 5) + NEWER);
        time(1000);
        assertThat(feed("n", List.of()).pulse().bornMillis()).isEqualTo(START - 5);
        assertThat(shard.state())
                .containsEntry("pulse", "fed=" + (START + 1000) + "|back=0|born=" + (START - 5) + NEWER);
    }

    @Test
    void theTimeOfTheLastComparisonKeepsFieldsOfANewerRelease() {
        ledger.flow(new Flow.Request(null, 0, 100)).join();
        submit("a", 0, null);
        String entry = ledger.flow(new Flow.Request(null, 9, 100)).join().read();
        raw.call("SET", shard.keys.of(Key.COMPARED), "at=" + START + "|since=" + NEWER);
        time(4000);
        assertThat(claim(1).jobs()).isEmpty();
        assertThat(shard.state()).containsEntry("compared", "at=" + START + "|since=" + (START + 4000) + NEWER);
        ledger.flow(new Flow.Request(entry, 0, 100, true)).join();
        assertThat(shard.state()).containsEntry("compared", "at=" + (START + 4000) + "|since=" + NEWER);
        assertThat(claim(1).jobs()).hasSize(1);
    }

    @Test
    void entriesOfTheFlowLogWithFieldsAndStepsOfANewerReleaseAreRead() {
        ledger.flow(new Flow.Request(null, 0, 100)).join();
        String[] entry = {
            "from", "0.9", "at", "7", "release", "9", "step", "MERGE", "state", "D", "zone", "x", "id", "a", "attempt",
            "2", "due", "5", "weight", "7", "step", "CLAIM", "state", "R", "node", "n", "attempt", "1", "color", "red",
            "id", "b", "id", "c", "attempt", "3", "mood", "", "step", "SUBMIT", "state", "Z", "id", "d", "record", "{}",
            "note", "a=b"
        };
        List<Object> call = new ArrayList<>(List.of("XADD", shard.keys.of(Key.FLOW), "*"));
        call.addAll(List.of(entry));
        raw.call(call.toArray());
        List<Flow.Step> steps =
                ledger.flow(new Flow.Request(null, 9, 100)).join().steps();
        String position = steps.get(1).position();
        assertThat(steps.subList(1, steps.size()))
                .containsExactly(
                        new Flow.Step(
                                position, 0, Flow.Kind.OTHER, 7, "a", JobState.DELAYED, 2, 5L, null, null, null, null),
                        new Flow.Step(
                                position,
                                1,
                                Flow.Kind.CLAIM,
                                7,
                                "b",
                                JobState.RESERVED,
                                1,
                                null,
                                "n",
                                null,
                                null,
                                null),
                        new Flow.Step(
                                position,
                                2,
                                Flow.Kind.CLAIM,
                                7,
                                "c",
                                JobState.RESERVED,
                                3,
                                null,
                                "n",
                                null,
                                null,
                                null),
                        new Flow.Step(
                                position,
                                3,
                                Flow.Kind.SUBMIT,
                                7,
                                "d",
                                null,
                                0,
                                null,
                                null,
                                null,
                                JobContent.of("{}"),
                                null));
    }

    @Test
    void finishedJobsAndProgressAndLoadsWithFieldsOfANewerReleaseAreRead() {
        ledger = open(keeping(600_000, 5));
        submit("a", 0, null);
        complete(claimOne(), "1");
        raw.call(
                "HSET",
                shard.keys.of(Key.OUTCOMES),
                "a",
                "state=O|attempt=3|due=5" + NEWER + "|claimed=6|percent=7|color=red|text=b|c\n1");
        StoredJob finished = found("a");
        assertThat(finished.state()).isEqualTo(JobState.CANCELLED);
        assertThat(finished.attempt().number()).isEqualTo(3);
        assertThat(finished.attempt().claimedMillis()).isEqualTo(6);
        assertThat(finished.progress()).isEqualTo(new Progress(7, "b|c"));
        assertThat(finished.result()).isEqualTo("1");

        submit("b", 0, null);
        Lease lease = claimOne();
        report(lease, 1, "");
        raw.call("HSET", shard.keys.of(Key.PROGRESS), "b", "percent=40" + NEWER + "|text=of 30");
        assertThat(found("b").progress()).isEqualTo(new Progress(40, "of 30"));

        feed("n", List.of());
        raw.call("HSET", shard.keys.of(Key.WORKERS), "n", "zone=x|workers=4|free=3" + NEWER);
        assertThat(ledger.fleet().join().nodes())
                .extracting(NodeSnapshot::workers, NodeSnapshot::free)
                .containsExactly(tuple(4, 3));
    }
}
