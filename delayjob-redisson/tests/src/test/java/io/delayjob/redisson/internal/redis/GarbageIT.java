package io.delayjob.redisson.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.delayjob.Dedupe;
import io.delayjob.JobState;
import io.delayjob.NodeSnapshot;
import io.delayjob.Progress;
import io.delayjob.SubmitResult;
import io.delayjob.SubmitResult.Outcome;
import io.delayjob.engine.TestSettings;
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
import io.delayjob.engine.ledger.Pointer;
import io.delayjob.engine.ledger.Pointers.Page;
import io.delayjob.engine.ledger.Pointers.Wanted;
import io.delayjob.engine.ledger.RestorePermit;
import io.delayjob.engine.ledger.RestoredJob;
import io.delayjob.engine.ledger.Retention;
import io.delayjob.engine.ledger.Settlement;
import io.delayjob.engine.ledger.StoredJob;
import io.delayjob.testing.Variants;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Somebody writes garbage into the keys of a shard: no script fails half-way, and every answer can be read. */
class GarbageIT extends RedisFixture {

    private static final Retention KEPT = keeping(600_000, 100);
    private static final String MARK = "0123456789_";
    private static final String MEMO = "memo:other";
    private static final List<String> KEYS =
            Stream.concat(TestShard.NAMES.stream(), Stream.of(MEMO)).toList();

    private static final Set<String> SETS = Set.of(
            "waiting", "prioritized", "reserved", "dead", "windows", "finished", "nodes", "hints", "index", "revoked");

    @AfterEach
    void removeTheOtherMemo() {
        raw.call("DEL", shard.key(MEMO));
    }

    /** One call of each script, on a shard where each finds something to do. */
    enum Step {
        SUBMIT((ledger, call, lease) -> ledger.submit(
                call,
                List.of(
                        job("new", 5, null),
                        job("keyed", 5, Dedupe.untilFinished("k").replacing())))),
        SUBMIT_INDEXED((ledger, call, lease) -> ledger.submit(call, List.of(indexed("new")))),
        CLAIM((ledger, call, lease) -> ledger.claim(call, request(9))),
        MIXED_CLAIM((ledger, call, lease) ->
                ledger.claim(call, new ClaimRequest("n", ClaimRequest.Limits.of(9), 30_000, "r", false, true, 0))),
        COMPLETE((ledger, call, lease) -> ledger.settle(call, List.of(new Settlement.Complete(lease, "1", 0)))),
        RETRY((ledger, call, lease) -> ledger.settle(call, List.of(new Settlement.Retry(lease, 5, "e")))),
        BURY((ledger, call, lease) -> ledger.settle(call, List.of(new Settlement.Bury(lease, "e", true)))),
        RELEASE((ledger, call, lease) -> ledger.settle(call, List.of(new Settlement.Release(lease, null, null)))),
        RENEW((ledger, call, lease) -> ledger.renew(List.of(new Ledger.Renewal(lease, 90_000)))),
        REPORT((ledger, call, lease) -> ledger.report(List.of(new Ledger.Report(lease, progress())))),
        CANCEL((ledger, call, lease) -> ledger.cancel(call, List.of("ready", lease.id()))),
        RESCHEDULE((ledger, call, lease) -> ledger.reschedule(call, List.of(new Ledger.Rescheduled("ready", 0)))),
        REDRIVE((ledger, call, lease) -> ledger.redrive(call, List.of("dead"))),
        REDRIVE_ALL((ledger, call, lease) -> ledger.redriveAll(call, 9, 0, 0)),
        PURGE_DEAD((ledger, call, lease) -> ledger.purgeDead(call, 0, 9)),
        FEED((ledger, call, lease) -> ledger.feed(feeding("n"))),
        RESIGN((ledger, call, lease) -> ledger.resign("n")),
        FIND((ledger, call, lease) -> ledger.find("ready")),
        LIST((ledger, call, lease) -> ledger.list(new Listing.Request(JobState.READY, null, null, null, 9))),
        INDEXED((ledger, call, lease) -> ledger.indexed(MARK, 9)),
        FLEET((ledger, call, lease) -> ledger.fleet()),
        COUNTS((ledger, call, lease) -> ledger.counts()),
        FLOW((ledger, call, lease) -> ledger.flow(new Flow.Request(null, 9, 1000))),
        TRIM_FLOW((ledger, call, lease) -> ledger.trimFlow("5-0")),
        MISSING((ledger, call, lease) -> ledger.missing(List.of("ready", "nobody"))),
        BEGIN_RESTORE((ledger, call, lease) -> ledger.beginRestore("c0ffee")),
        RESTORE((ledger, call, lease) -> ledger.restore(
                call,
                RestorePermit.first("c0ffee"),
                List.of(new RestoredJob(
                        "lost",
                        new JobContent("{}", null, Dedupe.within("w", Duration.ofDays(1))),
                        JobState.DEAD,
                        5,
                        1,
                        "e")))),
        POINT((ledger, call, lease) -> ledger.pointers().point(List.of(new Wanted("elsewhere", 7, "t", null)))),
        REVOKE((ledger, call, lease) -> ledger.pointers().revoke(List.of(new Pointer("nobody", 0, "t", 5)))),
        SWEEP_POINTERS((ledger, call, lease) -> ledger.pointers().sweep(Page.FIRST, List.of())),
        PAUSE((ledger, call, lease) -> ledger.pause(true)),
        RESUME((ledger, call, lease) -> ledger.pause(false));

        private interface Action {
            CompletableFuture<?> on(Ledger ledger, Call call, Lease lease);
        }

        private final Action action;

        Step(Action action) {
            this.action = action;
        }
    }

    private static NewJob indexed(String id) {
        JobContent content = JobContent.of("\"job\":\"j\",\"param\":1,\"index\":\"" + MARK + "\"}");
        return new NewJob(id, new NewJob.Due(0, true), content);
    }

    private static Progress progress() {
        return new Progress(5, "half");
    }

    private static ClaimRequest request(int limit) {
        return new ClaimRequest("n", limit, 30_000, "r");
    }

    private static Feed.Request feeding(String node) {
        // Long enough that no key expires during a test: keys expire by Redis' own clock, which tests do not set.
        return TestSettings.feed(
                new Feed.Presence(node, 5000, 4, 4, List.of("j")), new Feed.Terms(60_000, 30_000, 60_000, 100));
    }

    /** Each step with each key of its script with the profile {@code proofs}; else as many that each is among them. */
    static Stream<Arguments> stepsAndKeysOfTheirScripts() {
        Set<Object> met = new HashSet<>();
        return Stream.of(Step.values())
                .flatMap(step -> keysOf(step).stream()
                        .filter(key -> Variants.proofs() || met.add(key) | met.add(step))
                        .map(key -> arguments(key, step)));
    }

    private static Set<String> keysOf(Step step) {
        Script script = new ScriptSource().load(script(step));
        return Stream.concat(script.keys().stream(), script.optional().stream())
                .map(key -> key == Key.MEMO ? MEMO : key.lowerName())
                .filter(KEYS::contains)
                .collect(Collectors.toSet());
    }

    /** Makes something of a key that no script of ours would. */
    private void spoil(String key) {
        raw.call("DEL", shard.key(key));
        if (SETS.contains(key)) {
            raw.call("SET", shard.key(key), "a string");
        } else {
            raw.call("GEOADD", shard.key(key), 1, 1, "a");
        }
    }

    @Tag(Variants.TAG)
    @ParameterizedTest(name = "{1} with another {0}")
    @MethodSource("stepsAndKeysOfTheirScripts")
    void aCallThatMeetsAKeyOfAnotherTypeChangesNothingAndNamesTheKey(String key, Step step) {
        ledger = open(KEPT);
        Lease lease = oneJobInEachState();
        spoil(key);
        Map<String, Object> before = shard.state();
        Throwable failure = catchThrowable(
                () -> step.action.on(ledger, new Call("other", 1), lease).join());
        if (failure != null) {
            assertThat(failure).cause().isInstanceOfSatisfying(LedgerException.class, e -> {
                assertThat(e.kind()).isEqualTo(LedgerException.Kind.REFUSED);
                assertThat(e.getMessage())
                        .startsWith("Redis refused: WRONGTYPE " + shard.key(key) + " is a ")
                        .contains("(" + script(step) + ")");
            });
            assertThat(shard.state()).isEqualTo(before);
        }
        raw.call("DEL", shard.key(key));
        step.action.on(ledger, new Call("other", 2), lease).join();
    }

    @ParameterizedTest
    @EnumSource
    void aCallMeetsNoKeysButThoseOfItsScript(Step step) {
        ledger = open(KEPT);
        Lease lease = oneJobInEachState();
        Set<String> its = keysOf(step);
        List<String> others = KEYS.stream().filter(key -> !its.contains(key)).toList();
        others.forEach(this::spoil);
        step.action.on(ledger, new Call("other", 1), lease).join();
        others.forEach(key -> raw.call("DEL", shard.key(key)));
    }

    /** Without terms, a submit asks for the type of no key: the commands that it needs before its first write tell it. */
    @ParameterizedTest
    @ValueSource(strings = {"jobs", "waiting", "reserved", "dead", "ready", "watermark", "memo:other"})
    void aPlainSubmitThatMeetsAKeyOfAnotherTypeChangesNothingAndNamesTheKey(String key) {
        raw.call("HSET", shard.key("jobs"), "left", "{}");
        // Without a watermark, the submit rings.
        raw.call("DEL", shard.key("watermark"));
        raw.call("DEL", shard.key(key));
        raw.call("XADD", shard.key(key), "*", "not", "ours");
        Map<String, Object> before = shard.state();
        Call call = new Call("other", 1);
        List<NewJob> jobs = List.of(job("new", 0), job("left", 5));
        assertThat(catchThrowable(() -> ledger.submit(call, jobs).join()))
                .cause()
                .hasMessageStartingWith("Redis refused: WRONGTYPE " + shard.key(key) + " is a stream and should be a ");
        assertThat(shard.state()).isEqualTo(before);
        raw.call("DEL", shard.key(key));
        assertThat(submit(job("new", 0)).get(0).outcome()).isEqualTo(Outcome.STORED);
    }

    private static String script(Step step) {
        return switch (step) {
            case SUBMIT_INDEXED -> "submit";
            case MIXED_CLAIM -> "claim";
            case RESUME -> "pause";
            case POINT -> "point+keys";
            default -> step.name().toLowerCase(Locale.ROOT);
        };
    }

    @Test
    void aFlowLogOfAnotherTypeStopsStepsUntilItIsRemovedAndLosesNoJob() {
        ledger.flow(new Flow.Request(null, 0, 1000)).join();
        submit(job("a", 0), job("b", 5));
        raw.call("DEL", shard.keys.of(Key.FLOW));
        raw.call("HSET", shard.keys.of(Key.FLOW), "a", "b");
        assertThat(catchThrowable(() -> claim(1))).hasMessageContaining("WRONGTYPE " + shard.keys.of(Key.FLOW));
        assertThat(catchThrowable(() -> submit(job("c", 0)))).hasMessageContaining("WRONGTYPE");
        assertThat(ledger.counts().join().delayed()).isEqualTo(1);
        raw.call("DEL", shard.keys.of(Key.FLOW));
        assertThat(complete(claimOne())).isTrue();
        assertThat(ledger.flow(new Flow.Request(null, 9, 1000)).join().steps())
                .extracting(Flow.Step::kind)
                .containsExactly(Flow.Kind.CLAIM, Flow.Kind.COMPLETE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "abc", "7", "7|t", "x|t|5", "7||5", "7|t|", "7|t|99999999999999999"})
    void aPointerOfAnythingIsNone(String garbage) {
        String pointers = shard.keys.of(Key.POINTERS);
        ledger.pointers().point(List.of(new Wanted("other", 7, "t", null))).join();
        raw.call("HSET", pointers, "a", garbage);
        assertThat(ledger.pointers().sweep(Page.FIRST, List.of()).join().old()).isEmpty();
        assertThat(submit(job("a", 0)).get(0).outcome()).isEqualTo(Outcome.STORED);
        raw.call("HSET", pointers, "b", "abc");
        Pointer pointer = ledger.pointers()
                .point(List.of(new Wanted("b", 7, "u", null)))
                .join()
                .get(0)
                .orElseThrow();
        assertThat(pointer.token()).isEqualTo("u");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "abc", "1|2", "nan", "\n"})
    void aBoundOfAnythingIsNoLogUntilItIsAskedForAgain(String garbage) {
        ledger.flow(new Flow.Request(null, 0, 1000)).join();
        raw.call("SET", shard.keys.of(Key.JOURNAL), garbage);
        submit(job("a", 0));
        assertThat(complete(claimOne())).isTrue();
        assertThat(ledger.fleet().join().flow()).isNull();
        Flow.Page page = ledger.flow(new Flow.Request(null, 9, 1000)).join();
        assertThat(page.steps()).extracting(Flow.Step::kind).containsOnly(Flow.Kind.START);
        assertThat(ledger.fleet().join().flow()).isNotNull();
    }

    @Test
    void anEntryOfAnythingIsReadPast() {
        ledger.flow(new Flow.Request(null, 0, 1000)).join();
        String flow = shard.keys.of(Key.FLOW);
        raw.call("XADD", flow, "*", "x", "y");
        raw.call("XADD", flow, "*", "step", "CLAIM", "id", "a", "at", "x", "attempt", "1e9", "due", "", "state", "?");
        raw.call("XADD", flow, "*", "id", "b", "state", "X", "died", "9".repeat(40), "record", "{}", "dedupe", "k|");
        raw.call("XADD", flow, "*", "step", "SUBMIT", "state", "", "id", "c", "record", "{}", "lease", "-5");
        submit(job("d", 0));
        Flow.Page page = ledger.flow(new Flow.Request(null, 9, 1000)).join();
        assertThat(page.entries()).isEqualTo(6);
        assertThat(page.steps()).extracting(Flow.Step::id).endsWith("d").contains("a", "b", "c");
        assertThat(page.read()).isEqualTo(page.last());
    }

    @ParameterizedTest
    @ValueSource(strings = {"workers", "handlers", "hints", "dedupe", "windows", "finished", "archive", "outcomes"})
    void leasesOfNodesThatDiedAreHandedOutWhileFeedsMeetAKeyOfAnotherType(String key) {
        ledger.feed(feeding("n")).join();
        submit(leased("a", 0, 1000));
        claimOne();
        raw.call("SET", shard.key(key), "a string");
        for (int passed = 3000; passed <= 9000; passed += 3000) {
            time(passed);
            assertThat(catchThrowable(() -> ledger.feed(feeding("n")).join())).hasMessageContaining("WRONGTYPE");
        }
        assertThat(claim(9).jobs()).hasSize(1);
        raw.call("DEL", shard.key(key));
    }

    /** Returns the lease of the one that is reserved. */
    private Lease oneJobInEachState() {
        ledger.flow(new Flow.Request(null, 0, 1000)).join();
        bringToDeath("dead", null);
        submit("done", 0, null);
        complete(claimOne());
        submit("held", 0, null);
        Lease lease = claimOne();
        submit("first-of-k", 1000, Dedupe.untilFinished("k"));
        submit(indexed("ready"));
        NewJob first = job("first", 500);
        submit(new NewJob("first", first.due(), first.content().withPriority(9)));
        ledger.feed(feeding("n")).join();
        return lease;
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "abc", "-1", "1e400", "inf", "nan", "9999999999999999999999", "\n"})
    void aWatermarkOfAnythingLetsJobsBeSubmittedAndMoved(String garbage) {
        raw.call("SET", shard.keys.of(Key.WATERMARK), garbage);
        assertThat(submit(job("a", 0)).get(0).outcome()).isEqualTo(Outcome.STORED);
        assertThat(retry(claimOne(), 0)).isTrue();
        assertThat(release(claimOne(), null)).isTrue();
        assertThat(reschedule("a", 0).done()).isTrue();
        assertThat(complete(claimOne())).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "abc", "-9", "1.5", "9223372036854775807", "9223372036854775806", "inf"})
    void anEpochOfAnythingGivesTokensThatHold(String garbage) {
        raw.call("SET", shard.keys.of(Key.EPOCH), garbage);
        Set<String> tokens = new HashSet<>();
        for (int i = 0; i < 3; i++) {
            submit("a-" + i, 0, null);
            submit("b-" + i, 0, null);
            for (Claimed.Job job : claim(2).jobs()) {
                tokens.add(job.lease().token());
                assertThat(complete(job.lease())).isTrue();
            }
        }
        assertThat(tokens).hasSize(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "abc", "|", "x|S", "999|S", "-1|S", "1e9|S", "99999999999999999999999|S"})
    void aMemoThatIsNoneIsWrittenOver(String garbage) {
        raw.call("SET", shard.keys.memo("lane"), garbage);
        assertThat(submit(job("a", 0)).get(0).outcome()).isEqualTo(Outcome.STORED);
        assertThat(complete(claimOne())).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "?", "S", "SSS", "SK", "1x", "ab\n"})
    void anAnswerOfAMemoThatMakesNoSenseFailsItsCallAndNoOther(String answer) {
        raw.call("SET", shard.keys.memo("other"), "7|" + answer);
        assertGarbled(ledger.submit(new Call("other", 7), List.of(job("a", 0), job("b", 0))));
        raw.call("SET", shard.keys.memo("other"), "7|" + answer);
        assertGarbled(ledger.cancel(new Call("other", 7), List.of("a", "b", "c", "d")));
        raw.call("SET", shard.keys.memo("other"), "7|" + answer);
        assertGarbled(ledger.purgeDead(new Call("other", 7), 0, 9));
        Lease lease = new Lease("a", "1:r");
        raw.call("SET", shard.keys.memo("other"), "7|" + answer);
        assertGarbled(ledger.settle(new Call("other", 7), List.of(new Settlement.Retry(lease, 1, "e"))));
        assertThat(ledger.cancel(new Call("other", 8), List.of("a")).join()).hasSize(1);
    }

    private static void assertGarbled(CompletableFuture<?> answer) {
        assertThat(catchThrowable(answer::join)).cause().isInstanceOfSatisfying(LedgerException.class, e -> {
            assertThat(e.kind()).isEqualTo(LedgerException.Kind.GARBLED);
            assertThat(e).hasMessageStartingWith("Redis gave an invalid answer (");
        });
    }

    private static final String FACTS =
            "token=%s|attempt=%s|due=%s|lease=%s|since=%s|node=%s|lost=%s|claimed=%s|key=%s";

    /** Each field with each value with the profile {@code proofs}; else as many that each is among them. */
    static Stream<String> facts() {
        String many = "9".repeat(400);
        Stream<String> ill = Stream.of(
                "",
                "|",
                "garbage",
                "||||||||",
                "|0|||||||",
                FACTS.replace("%s", "") + "|",
                FACTS.formatted("", "0", "", "", "", "", "", "7x", ""),
                FACTS.replace("|lost=%s", "").formatted("", "0", "", "", "", "", "", ""),
                FACTS.replace("|key", "|=key").formatted("", "0", "", "", "", "", "", "", ""),
                "a|b|c|d|e|f|g|h|i",
                "\n",
                "{}");
        String[] valid = {"", "0", "", "", "", "", "", "", ""};
        List<String> each = new ArrayList<>();
        Set<Object> met = new HashSet<>();
        for (int field = 0; field < valid.length; field++) {
            for (String value :
                    List.of(many, "99999999999999999", "-5", "1.5", "nan", "inf", "0x10", "é", "\u0000", " ")) {
                String[] fields = valid.clone();
                fields[field] = value;
                if (Variants.proofs() || met.add(field) | met.add(value)) {
                    each.add(FACTS.formatted((Object[]) fields));
                }
            }
        }
        return Stream.concat(ill, each.stream());
    }

    @Tag(Variants.TAG)
    @ParameterizedTest
    @MethodSource("facts")
    void aJobWithFactsOfAnythingRunsAndIsReadAlike(String facts) {
        submit("a", 0, null);
        raw.call("HSET", shard.keys.of(Key.FACTS), "a", facts);
        StoredJob before = found("a");
        Claimed.Job job = claimJob();
        assertThat(job.attempt().number()).isEqualTo(before.attempt().number() + 1);
        assertThat(job.dueMillis()).isLessThanOrEqualTo(job.nowMillis());
        assertThat(found("a").state()).isEqualTo(JobState.RESERVED);
        assertThat(renew(job.lease(), 60_000)).isTrue();
        assertThat(report(job.lease(), 5, "half")).isTrue();
        assertThat(release(job.lease(), 5L)).isTrue();
        assertThat(reschedule("a", 0).done()).isTrue();
        assertThat(retry(claimOne(), 0)).isTrue();
        assertThat(bury(claimOne())).isTrue();
        assertThat(redrive("a").done()).isTrue();
        assertThat(complete(claimOne())).isTrue();
        // A hint of the release is left to the next feed.
        assertThat(shard.state().keySet()).contains("epoch").isSubsetOf("epoch", "hints");
    }

    @ParameterizedTest
    @ValueSource(strings = {"inf", "-inf", "1.5", "-3", "1e300", "-1e300", "9007199254740993", "0.1"})
    void aScoreOfAnythingIsReadAndPagedOverAndWhatIsDueRuns(String score) {
        for (String id : List.of("a", "b", "c")) {
            submit(id, 60_000, null);
            raw.call("ZADD", shard.keys.of(Key.WAITING), score, id);
            raw.call("ZADD", shard.keys.of(Key.DEAD), score, id + "-dead");
        }
        boolean due = Double.parseDouble(score.replace("inf", "Infinity")) <= START;
        JobState state = due ? JobState.READY : JobState.DELAYED;
        assertThat(found("a").state()).isEqualTo(state);
        assertThat(pagedOneByOne(state)).containsExactly("a", "b", "c");
        assertThat(pagedOneByOne(JobState.DEAD)).containsExactly("a-dead", "b-dead", "c-dead");
        assertThat(claim(9).jobs()).hasSize(due ? 3 : 0);
        assertThat(cancel("a").done()).isTrue();
    }

    private List<String> pagedOneByOne(JobState state) {
        List<String> ids = new ArrayList<>();
        Listing.Position next = null;
        do {
            Listing.Answer answer =
                    ledger.list(new Listing.Request(state, null, null, next, 1)).join();
            answer.jobs().forEach(entry -> ids.add(entry.id()));
            next = answer.next();
        } while (next != null && ids.size() < 100);
        return ids;
    }

    static Stream<byte[]> idsThatNobodySubmits() {
        return Stream.of(
                "".getBytes(StandardCharsets.UTF_8),
                "line\nfeed".getBytes(StandardCharsets.UTF_8),
                "\u0000".getBytes(StandardCharsets.UTF_8),
                "tab\t".getBytes(StandardCharsets.UTF_8),
                "x".repeat(65_536).getBytes(StandardCharsets.UTF_8),
                new byte[] {'a', (byte) 0xff},
                new byte[] {(byte) 0xc3},
                new byte[] {(byte) 0xc0, (byte) 0x80},
                new byte[] {(byte) 0xed, (byte) 0xa0, (byte) 0x80},
                new byte[] {(byte) 0xe2, (byte) 0x82, 'x'},
                new byte[] {(byte) 0xf0, (byte) 0x80, (byte) 0x80, (byte) 0x80},
                new byte[] {(byte) 0xf4, (byte) 0x90, (byte) 0x80, (byte) 0x80},
                new byte[] {(byte) 0xf8, (byte) 0x88, (byte) 0x80, (byte) 0x80, (byte) 0x80});
    }

    @Test
    void anIdThatNobodySubmitsIsDeadAtItsClaimAndInNobodysWay() {
        List<byte[]> ids = idsThatNobodySubmits().toList();
        for (int i = 0; i < ids.size(); i++) {
            raw.call("HSET", shard.keys.of(Key.JOBS), ids.get(i), "{\"v\":1,\"at\":1,\"job\":\"j\",\"param\":1}");
            raw.call(
                    "ZADD",
                    i % 2 == 0 ? shard.keys.of(Key.WAITING) : shard.keys.of(Key.RESERVED),
                    START - 100 + i,
                    ids.get(i));
        }
        submit("good", 0, null);
        assertThat(claim(3).jobs()).isEmpty();
        assertThat(claim(100).jobs()).extracting(job -> job.lease().id()).containsExactly("good");
        // The empty one is what scripts remove to go on when Redis is full.
        assertThat(pagedOneByOne(JobState.DEAD)).hasSizeBetween(ids.size() - 1, ids.size());
        assertThat(ledger.list(new Listing.Request(JobState.DEAD, null, null, null, 100))
                        .join()
                        .jobs())
                .allSatisfy(entry -> assertThat(entry.job().error()).startsWith("invalid id: "));
        assertThat(ledger.redriveAll(call(), 2, 0, 0).join()).hasSize(2);
        assertThat(claim(100).jobs()).isEmpty();
        assertThat(ledger.purgeDead(call(), 0, 500).join()).isBetween(ids.size() - 1, ids.size());
        assertThat(ledger.counts().join().dead()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "é", "日本", "😀", " ", "a|b", "{x}", "\u00a0"})
    void anIdThatCanBeSubmittedRuns(String id) {
        submit(id, 0, null);
        submit("other", 0, null);
        assertThat(pagedOneByOne(JobState.READY)).containsExactlyInAnyOrder(id, "other");
        assertThat(claim(9).jobs()).extracting(job -> job.lease().id()).containsExactlyInAnyOrder(id, "other");
    }

    @Test
    void aRegistryOfAnythingIsReadAndForgotten() {
        for (String score : List.of("inf", "1e300", Long.toString(START + 90_000_000))) {
            raw.call("ZADD", shard.keys.of(Key.NODES), score, "ghost-" + score);
        }
        List<String> loads = List.of(
                "", "|", "1|2", "workers=x|free=y", "workers=|free=", "workers=99999999999|free=", "workers=-1|free=");
        for (String load : loads) {
            raw.call("ZADD", shard.keys.of(Key.NODES), START + 5000, "node " + load);
            raw.call("HSET", shard.keys.of(Key.WORKERS), "node " + load, load);
            raw.call("HSET", shard.keys.of(Key.HANDLERS), "node " + load, "a\na\n\n" + load);
        }
        assertThat(ledger.fleet().join().nodes())
                .hasSize(loads.size() + 3)
                .allSatisfy(node -> assertThat(node.workers()).isZero())
                .extracting(NodeSnapshot::free)
                .containsOnly(0);
        assertThat(ledger.feed(feeding("n")).join().nodes()).isEqualTo(loads.size() + 1);
    }

    @Test
    void hintsOfAnythingAreReadAndForgotten() {
        ledger.feed(feeding("n")).join();
        submit("a", 0, null);
        String many = "9".repeat(400);
        for (String hint : List.of(
                "",
                "j",
                "j\u0000",
                "j\u0000x\u0000a",
                "j\u00005",
                "j\u0000" + many + "\u0000a",
                "\u0000\u0000\u0000")) {
            raw.call("ZADD", shard.keys.of(Key.HINTS), 0, hint);
            raw.call("ZADD", shard.keys.of(Key.HINTS), 7, hint + "7");
        }
        raw.call(
                "HSET",
                shard.keys.of(Key.FACTS),
                "a",
                "token=|attempt=0|due=|lease=|since=5|node=|lost=|claimed=|key=");
        raw.call("ZADD", shard.keys.of(Key.HINTS), 0, "j\u0000000000000000000\u0000a");
        ClaimRequest mixed = new ClaimRequest("n", ClaimRequest.Limits.of(9), 30_000, "r", false, true, 0);
        assertThat(ledger.claim(call(), mixed).join().jobs())
                .extracting(job -> job.lease().id())
                .containsExactly("a");
        assertThat(ledger.feed(feeding("n")).join().mixed()).isFalse();
        assertThat(shard.state()).doesNotContainKey("hints");
    }

    @Test
    void aSeatThatWasTakenByNoNodeIsGivenToOne() {
        raw.call("SET", shard.keys.of(Key.HOLDER), "nobody");
        raw.call("SET", shard.keys.of(Key.BUSY), "for ever");
        assertThat(ledger.feed(feeding("n")).join().holder()).isTrue();
        raw.call("SET", shard.keys.of(Key.HOLDER), "nobody", "EX", 100_000);
        assertThat(ledger.feed(feeding("n")).join().holder()).isTrue();
        assertThat(ledger.feed(feeding("m")).join().holder()).isFalse();
        assertThat(claim(1).mode()).isEqualTo(Claimed.Mode.QUIET);
    }

    @Test
    void dedupeWindowsAndFinishedJobsOfAnythingAreReadAndGoTheirWay() {
        ledger = open(KEPT);
        String[] entries = {
            "",
            "|",
            "scope=f|id=a\nb\nc",
            "scope=99999999999999999999|id=x",
            "scope=1e300|id=x",
            "scope=-1|id=x",
            "scope=s|id=\n",
            "scope=f|id=nobody"
        };
        for (int i = 0; i < entries.length; i++) {
            raw.call("HSET", shard.keys.of(Key.DEDUPE), "k" + i, entries[i]);
            raw.call("ZADD", shard.keys.of(Key.WINDOWS), i % 2 == 0 ? "-inf" : "inf", "k" + (i + 100));
            assertThat(submit(job("id" + i, 5, Dedupe.within("k" + i, Duration.ofSeconds(1))), job("b" + i, 5)))
                    .hasSize(2)
                    .last()
                    .extracting(SubmitResult::outcome)
                    .isEqualTo(Outcome.STORED);
        }
        String[] outcomes = {
            "",
            "state=C",
            "state=C|attempt=x|due=y|claimed=z\n",
            "state=C|attempt=99999999999|due=1|claimed=1\n",
            "state=C|attempt=1|percent=200|text=x\n1",
            "state=O\n",
            "\n\n",
            "state=C|due=-\n{"
        };
        for (int i = 0; i < outcomes.length; i++) {
            raw.call("ZADD", shard.keys.of(Key.FINISHED), i % 2 == 0 ? START : "inf", "f" + i);
            raw.call("HSET", shard.keys.of(Key.OUTCOMES), "f" + i, outcomes[i]);
            raw.call("HSET", shard.keys.of(Key.PROGRESS), "b" + i, outcomes[i]);
            assertThat(find("f" + i)).isPresent();
            assertThat(find("b" + i)).isPresent();
        }
        assertThat(pagedOneByOne(JobState.COMPLETED)).hasSize(7);
        assertThat(pagedOneByOne(JobState.CANCELLED)).hasSize(1);
    }
}
