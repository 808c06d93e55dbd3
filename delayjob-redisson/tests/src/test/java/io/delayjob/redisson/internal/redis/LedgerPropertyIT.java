package io.delayjob.redisson.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.Dedupe;
import io.delayjob.JobOptions;
import io.delayjob.JobState;
import io.delayjob.Limits;
import io.delayjob.Progress;
import io.delayjob.engine.TestSettings;
import io.delayjob.engine.ledger.Call;
import io.delayjob.engine.ledger.ClaimRequest;
import io.delayjob.engine.ledger.Claimed;
import io.delayjob.engine.ledger.Feed;
import io.delayjob.engine.ledger.Flow;
import io.delayjob.engine.ledger.FlowFold;
import io.delayjob.engine.ledger.JobContent;
import io.delayjob.engine.ledger.Lease;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.Listing;
import io.delayjob.engine.ledger.NewJob;
import io.delayjob.engine.ledger.Pointer;
import io.delayjob.engine.ledger.Pointers;
import io.delayjob.engine.ledger.Pointers.Page;
import io.delayjob.engine.ledger.Pointers.Wanted;
import io.delayjob.engine.ledger.Replication;
import io.delayjob.engine.ledger.RestorePermit;
import io.delayjob.engine.ledger.RestoredJob;
import io.delayjob.engine.ledger.Retention;
import io.delayjob.engine.ledger.Settlement;
import io.delayjob.engine.ledger.ShardLimits;
import io.delayjob.engine.ledger.ShardLimits.Shared;
import io.delayjob.engine.ledger.StoredJob;
import io.delayjob.engine.memory.MemoryBackend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.Tuple;
import org.jspecify.annotations.Nullable;

/**
 * Any sequence of steps leads to the same answers and the same state in Redis as in memory, also if calls are sent twice; and
 * leaves nothing in Redis of jobs that are gone. The flow log tells the same of both, and what it tells is what the ledger has; so
 * jobs that are put back from it are those that were lost.
 */
class LedgerPropertyIT {

    private static final long LEASE = 1000;

    private static final List<Retention> RETENTIONS = List.of(
            Retention.NONE,
            new Retention(Duration.ofMillis(700), 100),
            new Retention(Duration.ofDays(1), 2),
            new Retention(Duration.ofDays(1), 100));

    /** Names of jobs that a node can run; jobs are named j0 and j1. */
    private static final List<List<String>> NAMES =
            List.of(List.of("j0"), List.of("x", "j1"), List.of("j0", "j1"), List.of("y"));

    private static final List<Limits> LIMITS = List.of(
            Limits.NONE,
            Limits.NONE.withConcurrency(1),
            Limits.NONE.withConcurrency(2).withRate(1, Duration.ofMillis(200)),
            Limits.NONE.withRate(new Limits.Rate(2, Duration.ofMillis(500), 1)));

    /** Kinds of steps. */
    enum Kind {
        SUBMIT,
        SUBMIT_KEYED,
        CLAIM,
        COMPLETE,
        RETRY,
        BURY,
        RELEASE,
        RENEW,
        REPORT,
        CANCEL,
        RESCHEDULE,
        REDRIVE,
        REDRIVE_ALL,
        PURGE,
        FEED,
        LIST,
        RETAIN,
        PAUSE,
        LIMIT,
        LIMIT_KEY,
        SHARE,
        PAUSE_KEY,
        SLOW_DOWN,
        POINT,
        RESTORE,
        TRIM,
        PASS_TIME
    }

    /** Kinds of steps whose repeat gets the first answer, whatever happened since. */
    private static final Set<Kind> REMEMBERED = EnumSet.of(
            Kind.SUBMIT,
            Kind.SUBMIT_KEYED,
            Kind.COMPLETE,
            Kind.RETRY,
            Kind.BURY,
            Kind.RELEASE,
            Kind.SLOW_DOWN,
            Kind.CANCEL,
            Kind.RESCHEDULE,
            Kind.REDRIVE,
            Kind.REDRIVE_ALL,
            Kind.PURGE,
            Kind.RESTORE);

    /**
     * One step.
     *
     * @param id which of a few jobs
     * @param number a count or a number of milliseconds
     * @param lease which of the leases handed out so far, from the newest
     * @param option whether the step has what is optional
     * @param dedupe of a submit that has one
     * @param twice whether the call is repeated
     */
    record Step(Kind kind, int id, int number, int lease, boolean option, Dedupe dedupe, boolean twice) {}

    @Provide
    Arbitrary<List<Step>> steps() {
        Arbitrary<Kind> kinds = Arbitraries.frequencyOf(
                Tuple.of(2, Arbitraries.just(Kind.SUBMIT)),
                Tuple.of(3, Arbitraries.just(Kind.SUBMIT_KEYED)),
                Tuple.of(4, Arbitraries.just(Kind.CLAIM)),
                Tuple.of(4, Arbitraries.of(Kind.COMPLETE, Kind.BURY, Kind.REDRIVE_ALL)),
                Tuple.of(2, Arbitraries.of(Kind.PASS_TIME, Kind.FEED)),
                Tuple.of(10, Arbitraries.of(Kind.class)));
        // Jobs that meet: few of them, of which most are due at once.
        Arbitrary<Integer> numbers = Arbitraries.frequencyOf(
                Tuple.of(2, Arbitraries.just(0)),
                Tuple.of(3, Arbitraries.integers().between(0, 1500)));
        return Combinators.combine(
                        kinds,
                        Arbitraries.integers().between(0, 4),
                        numbers,
                        Arbitraries.integers().between(0, 3),
                        Arbitraries.of(true, false),
                        dedupes(),
                        Arbitraries.of(true, false))
                .as(Step::new)
                .list()
                .ofMinSize(1)
                .ofMaxSize(80);
    }

    private static Arbitrary<Dedupe> dedupes() {
        return Combinators.combine(
                        Arbitraries.of("k", "a|key|"),
                        Arbitraries.of(Dedupe.Scope.class),
                        Arbitraries.of(Dedupe.Mode.class),
                        Arbitraries.integers().between(1, 2000))
                .as((key, scope, mode, window) ->
                        new Dedupe(key, scope, mode, scope == Dedupe.Scope.WINDOW ? Duration.ofMillis(window) : null));
    }

    @Property(tries = 25)
    void agreesWithTheLedgerInMemoryAfterEveryStep(@ForAll("steps") List<Step> steps) {
        play(steps);
    }

    @Tag("proof")
    @Property(tries = 300)
    void agreesWithTheLedgerInMemoryInManyTries(@ForAll("steps") List<Step> steps) {
        play(steps);
    }

    private static void play(List<Step> steps) {
        try (TestShard shard = new TestShard()) {
            Duet duet = new Duet(shard);
            steps.forEach(duet::play);
            duet.lose();
        }
    }

    /**
     * Everything that can be seen of a ledger. It is asked for at once: an answer takes long beside other JVMs, and there are tens of thousands.
     *
     * @param jobs those of each state
     * @param others all other answers
     */
    private record Seen(Map<JobState, Listing.Answer> jobs, List<Object> others) {

        private static final Set<JobState> UNFINISHED =
                EnumSet.of(JobState.DELAYED, JobState.READY, JobState.RESERVED, JobState.DEAD);

        static Seen of(Ledger ledger, Step step) {
            List<CompletableFuture<?>> others = List.of(
                    ledger.tally(),
                    ledger.fleet(),
                    ledger.find("job-" + step.id()),
                    ledger.limits().read(9),
                    ledger.limits().read(Duet.key(step.id())));
            return new Seen(
                    lists(ledger, EnumSet.allOf(JobState.class)),
                    others.stream().<Object>map(CompletableFuture::join).toList());
        }

        static Map<JobState, Listing.Answer> lists(Ledger ledger, Set<JobState> states) {
            Map<JobState, CompletableFuture<Listing.Answer>> asked = new EnumMap<>(JobState.class);
            states.forEach(state -> asked.put(state, ledger.list(new Listing.Request(state, null, null, null, 100))));
            Map<JobState, Listing.Answer> answers = new EnumMap<>(JobState.class);
            asked.forEach((state, answer) -> answers.put(state, answer.join()));
            return answers;
        }

        static Map<String, StoredJob> unfinished(Map<JobState, Listing.Answer> lists) {
            Map<String, StoredJob> jobs = new TreeMap<>();
            UNFINISHED.forEach(state -> lists.get(state).jobs().forEach(entry -> jobs.put(entry.id(), entry.job())));
            return jobs;
        }

        Map<String, StoredJob> unfinished() {
            return unfinished(jobs);
        }
    }

    /** Redis and memory side by side. */
    private static final class Duet {

        private final TestShard shard;
        private final AtomicLong now = new AtomicLong(TestShard.START);
        private final MemoryBackend backend = new MemoryBackend(now::get);
        private final List<Lease> leases = new ArrayList<>();
        private final FlowFold fold = new FlowFold();

        /** Of restored jobs with keys, the times of their places. */
        private final Set<Long> places = new HashSet<>();

        private @Nullable String read;
        private @Nullable String readOfMemory;
        private Ledger redis;
        private Ledger memory;
        private long number;

        Duet(TestShard shard) {
            this.shard = shard;
            this.redis = shard.ledger;
            this.memory = backend.ledger(shard.keys.shard(), Retention.NONE, Replication.NONE);
            fold();
        }

        void play(Step step) {
            number++;
            switch (step.kind()) {
                case PASS_TIME -> shard.setClock(now.addAndGet(step.number()));
                case RETAIN -> {
                    Retention retention = RETENTIONS.get(step.lease());
                    redis = shard.ledger(retention);
                    memory = backend.ledger(shard.keys.shard(), retention, Replication.NONE);
                }
                default -> call(step);
            }
            Seen seen = Seen.of(redis, step);
            assertThat(seen).as("state after %s", step).isEqualTo(Seen.of(memory, step));
            fold();
            checkFold(step, seen.unfinished());
            checkRedis(step);
        }

        /** Reads the flow logs of both, which must tell the same. */
        private void fold() {
            Flow.Page ofRedis =
                    redis.flow(new Flow.Request(read, 1000, 100_000)).join();
            Flow.Page ofMemory =
                    memory.flow(new Flow.Request(readOfMemory, 1000, 100_000)).join();
            assertThat(told(ofRedis)).isEqualTo(told(ofMemory));
            assertThat(ofRedis.anchored()).isTrue();
            assertThat(ofRedis.read()).isEqualTo(ofRedis.last());
            assertThat(ofRedis.entries()).isEqualTo(ofMemory.entries());
            ofRedis.steps().forEach(fold::take);
            read = ofRedis.read();
            readOfMemory = ofMemory.read();
        }

        /** The steps without their positions. */
        private static List<Flow.Step> told(Flow.Page page) {
            return page.steps().stream().map(step -> step.at("")).toList();
        }

        private void checkFold(Step step, Map<String, StoredJob> unfinished) {
            Map<String, Object> expected = new TreeMap<>();
            unfinished.forEach((id, job) -> expected.put(id, FlowFold.Job.seen(job)));
            Map<String, Object> folded = new TreeMap<>();
            fold.jobs().forEach((id, job) -> folded.put(id, job.seen()));
            assertThat(folded).as("what the flow tells after %s", step).isEqualTo(expected);
            List<String> ids = new ArrayList<>(expected.keySet());
            ids.add("nobody");
            assertThat(redis.missing(ids).join())
                    .isEqualTo(new Flow.Missing(Set.of("nobody"), Objects.requireNonNull(read)));
        }

        private static Map<String, StoredJob> unfinished(Ledger ledger) {
            return Seen.unfinished(Seen.lists(ledger, Seen.UNFINISHED));
        }

        /** All is lost, and put back from what the flow told: in Redis and in memory the same, with all that is of consequence. */
        void lose() {
            Map<String, StoredJob> before = unfinished(redis);
            List<RestoredJob> lost = new ArrayList<>();
            fold.jobs().forEach((id, job) -> lost.add(job.restored(id)));
            shard.empty();
            Ledger empty = new MemoryBackend(now::get).ledger(shard.keys.shard(), Retention.NONE, Replication.NONE);
            Call call = new Call("restore", 1);
            RestorePermit permit = RestorePermit.first("c0ffee");
            redis.beginRestore(permit.term()).join();
            empty.beginRestore(permit.term()).join();
            assertThat(redis.restore(call, permit, lost).join())
                    .doesNotContain(false)
                    .hasSameSizeAs(lost);
            assertThat(empty.restore(call, permit, lost).join()).hasSameSizeAs(lost);
            Map<String, StoredJob> after = unfinished(redis);
            assertThat(after).isEqualTo(unfinished(empty));
            assertThat(kept(after)).isEqualTo(kept(before));
            assertThat(redis.restore(new Call("restore", 2), permit.next(), lost)
                            .join())
                    .doesNotContain(true)
                    .hasSameSizeAs(lost);
        }

        /** The parts of jobs that stay the same when they are lost and restored. */
        private static Map<String, Object> kept(Map<String, StoredJob> jobs) {
            Map<String, Object> kept = new TreeMap<>();
            jobs.forEach((id, job) -> kept.put(
                    id,
                    List.of(
                            job.attempt().number(),
                            job.state() == JobState.DEAD,
                            String.valueOf(job.error()),
                            String.valueOf(job.record()))));
            return kept;
        }

        private void call(Step step) {
            Object expected = answer(memory, step, false);
            assertThat(unlessEarly(answer(redis, step, false), expected))
                    .as("answer to %s", step)
                    .isEqualTo(expected);
            if (step.twice()) {
                Object again = answer(memory, step, true);
                assertThat(unlessEarly(answer(redis, step, true), again))
                        .as("answer to the repeated %s", step)
                        .isEqualTo(again);
                if (REMEMBERED.contains(step.kind())) {
                    assertThat(again).as("repeat of %s", step).isEqualTo(expected);
                }
            }
            if (expected instanceof Claimed claimed) {
                claimed.jobs().forEach(job -> leases.add(0, job.lease()));
            }
        }

        /**
         * The answer of Redis; with the time of memory if it asks for the next claim at the time of a waiting job with a key. Redis looks at such a key when its time
         * comes, also if lower limits hold it back since, which memory knows at once; and at the time of the place of a job that was restored, which may be earlier. That
         * costs a claim, and keeps nothing back.
         */
        private Object unlessEarly(Object ofRedis, Object ofMemory) {
            if (ofRedis instanceof Claimed early && ofMemory instanceof Claimed other && isOfAKey(early.nextMillis())) {
                return new Claimed(early.jobs(), early.mode(), other.nextMillis(), early.nodes(), early.held());
            }
            return ofRedis;
        }

        private boolean isOfAKey(@Nullable Long nextMillis) {
            return nextMillis != null
                    && nextMillis > 0
                    && (places.contains(now.get() + nextMillis) || isDue(now.get() + nextMillis));
        }

        private boolean isDue(long millis) {
            return unfinished(redis).values().stream()
                    .anyMatch(job -> job.state() == JobState.DELAYED
                            && job.atMillis() == millis
                            && String.valueOf(job.record()).contains("\"key\":"));
        }

        private Object answer(Ledger ledger, Step step, boolean again) {
            String id = "job-" + step.id();
            Lease lease = step.lease() < leases.size() ? leases.get(step.lease()) : new Lease(id, "0:none");
            Call call = new Call("lane", number);
            Long optional = step.option() ? Long.valueOf(step.number()) : null;
            return switch (step.kind()) {
                case SUBMIT ->
                    ledger.submit(call, List.of(shown(job(step.id(), step, null), step)))
                            .join();
                case SUBMIT_KEYED -> ledger.submit(call, keyed(step)).join();
                case CLAIM -> ledger.claim(call, claim(step, again)).join();
                case COMPLETE ->
                    ledger.settle(call, List.of(new Settlement.Complete(lease, step.option() ? "{\n}" : null, 0)))
                            .join();
                case RETRY ->
                    ledger.settle(call, List.of(new Settlement.Retry(lease, step.number(), "error " + number)))
                            .join();
                case BURY ->
                    ledger.settle(call, List.of(new Settlement.Bury(lease, "reason " + number, true)))
                            .join();
                case RELEASE ->
                    ledger.settle(
                                    call,
                                    List.of(new Settlement.Release(
                                            lease,
                                            optional,
                                            step.id() < 2 ? "j" + step.id() : null,
                                            step.id() == 4 ? now.get() + LEASE : null,
                                            null,
                                            step.id() % 2 == 0)))
                            .join();
                case RENEW ->
                    ledger.renew(List.of(new Ledger.Renewal(lease, step.number())))
                            .join();
                case REPORT ->
                    ledger.report(List.of(new Ledger.Report(lease, new Progress(step.number() % 101, "a|" + number))))
                            .join();
                case CANCEL -> ledger.cancel(call, List.of(id, "job-4")).join();
                case RESCHEDULE ->
                    ledger.reschedule(call, List.of(new Ledger.Rescheduled(id, step.number())))
                            .join();
                case REDRIVE -> ledger.redrive(call, List.of(id, "job-4")).join();
                case REDRIVE_ALL ->
                    ledger.redriveAll(call, 1 + step.id(), step.number(), step.number() * 3L)
                            .join();
                case PURGE ->
                    ledger.purgeDead(call, step.number(), 1 + step.id()).join();
                case FEED -> ledger.feed(feed(step)).join();
                case LIST ->
                    ledger.list(new Listing.Request(
                                    state(step),
                                    step.option() ? "\"job\":\"j" + step.lease() % 2 + "\"," : null,
                                    step.twice() ? "job-" : null,
                                    new Listing.Position(now.get() + step.number() - 700, id),
                                    1 + step.lease()))
                            .join();
                case PAUSE -> ledger.pause(step.option()).join();
                case LIMIT -> {
                    Shared limits = step.id() == 0 ? null : Shared.of(ofQueue(step));
                    long version = step.option() ? 0 : now.get() + step.number() - 700;
                    Object set = step.twice()
                            ? ledger.limits().set(limits, version).join()
                            : ledger.limits().setAfter(limits, version).join();
                    yield List.of(set, reconsidered(ledger));
                }
                case LIMIT_KEY ->
                    ledger.limits()
                            .set(key(step.lease()), step.id() == 0 ? null : ofKey(step))
                            .join();
                case SHARE -> shared(ledger, step);
                case POINT -> pointed(ledger, step);
                case PAUSE_KEY ->
                    ledger.limits().pause(key(step.lease()), step.option()).join();
                case SLOW_DOWN ->
                    ledger.settle(
                                    call,
                                    List.of(new Settlement.Release(
                                            lease, null, null, null, 1L + step.number(), step.option())))
                            .join();
                case RESTORE -> {
                    String term = Integer.toHexString(step.number());
                    ledger.beginRestore(term).join();
                    // Sometimes a term that was used before, whose permit is spent.
                    yield ledger.restore(
                                    call,
                                    RestorePermit.first(term),
                                    List.of(restored(step.id(), step), restored((step.id() + 1) % 5, step)))
                            .join();
                }
                case TRIM ->
                    ledger.trimFlow(Objects.requireNonNull(ledger == redis ? read : readOfMemory))
                            .join();
                case RETAIN, PASS_TIME -> throw new IllegalArgumentException("no call");
            };
        }

        /** Joins a round, and gives the shard another share in that one or in the one it has joined last. */
        private static List<Object> shared(Ledger ledger, Step step) {
            String round = "%04d".formatted(step.number());
            ShardLimits.Standing stands = ledger.limits().join(round).join();
            Optional<Limits> lent = ledger.limits()
                    .lend(step.option() ? stands.round() : round, stands.even(), LIMITS.get(1 + step.id() % 3))
                    .join();
            // How long ago an unused rate would have let the next job begin does not matter.
            return List.of(
                    stands.round(),
                    stands.even(),
                    stands.share(),
                    stands.running(),
                    stands.startable(),
                    Math.max(-1, stands.beginsMillis()),
                    lent);
        }

        /** Points an id to a shard and on to another, which may be its own, revokes a pointer to this shard, and reads or removes one. */
        private List<Object> pointed(Ledger ledger, Step step) {
            String id = "job-" + step.id();
            Pointers pointers = ledger.pointers();
            Pointer first = pointers.point(List.of(new Wanted(id, 1 + step.lease(), token(step), null)))
                    .join()
                    .get(0)
                    .orElse(null);
            Optional<Pointer> second = pointers.point(List.of(new Wanted(id, step.number() % 3, "other", first)))
                    .join()
                    .get(0);
            List<Boolean> revoked = pointers.revoke(
                            List.of(new Pointer(id, shard.keys.shard().number(), token(step), now.get())))
                    .join();
            Page page = pointers.sweep(
                            Page.FIRST, step.option() ? second.stream().toList() : List.of())
                    .join();
            return List.of(String.valueOf(first), second, revoked, page);
        }

        private static String token(Step step) {
            return "t" + step.number() % 4;
        }

        /** Some jobs show a pointer, which may be revoked or too old, and of some ids other shards have jobs. */
        private NewJob shown(NewJob job, Step step) {
            return switch (step.number() % 5) {
                case 2 -> job.with(pointer(job.id(), step));
                case 3 -> step.twice() ? job.elsewhere() : job;
                default -> job;
            };
        }

        private Pointer pointer(String id, Step step) {
            long millis = step.twice() ? now.get() : now.get() - Pointer.SHOWN_MILLIS - step.number() % 2;
            return new Pointer(id, shard.keys.shard().number(), token(step), millis);
        }

        private static boolean reconsidered(Ledger ledger) {
            while (ledger.limits().reconsider().join()) {
                // There are more.
            }
            return true;
        }

        private static Limits ofQueue(Step step) {
            Limits queue = step.option() ? Limits.NONE : LIMITS.get(step.number() % 4);
            return queue.withPerKey(ofKey(step));
        }

        private static Limits ofKey(Step step) {
            Limits key = LIMITS.get(step.lease()).withOrder(Limits.Order.values()[step.id() % 3]);
            return step.option() ? key.withWeight(1 + step.id()) : key;
        }

        private static String key(int number) {
            return number % 2 == 0 ? "a" : "100%|b";
        }

        /** Of which a repeat may have room for less than was handed out. */
        private ClaimRequest claim(Step step, boolean again) {
            ClaimRequest request = new ClaimRequest(
                            "n" + step.lease() % 2,
                            new ClaimRequest.Limits(1 + step.id(), 1 + step.lease(), Ledger.MAX_CLAIM_BYTES),
                            LEASE,
                            "r" + number,
                            false,
                            step.number() % 3 != 1,
                            step.number() % 5 * 20)
                    .withBoost(step.number() % 4 * 300);
            return again || step.option() ? request.repeated(50 * step.lease()) : request;
        }

        private static NewJob job(int id, Step step, @Nullable Dedupe dedupe) {
            Long lease = step.option() ? Long.valueOf(500 + step.number()) : null;
            String key = step.number() % 3 == 1 ? "" : "\"key\":\"" + key(id) + "\",";
            String body = "\"job\":\"j" + step.lease() % 2 + "\"," + key + "\"param\":" + step.number() + "}";
            return new NewJob(
                    "job-" + id,
                    new NewJob.Due(step.number(), true),
                    new JobContent(body, lease, priority(step), dedupe));
        }

        private RestoredJob restored(int id, Step step) {
            Long place = step.lease() == 2 ? Long.valueOf(TestShard.START + step.number() / 2) : null;
            if (place != null) {
                places.add(place);
            }
            return new RestoredJob(
                    "job-" + id,
                    new JobContent(
                            "{\"v\":1,\"at\":" + (TestShard.START + step.number() - 700) + ",\"job\":\"j0\","
                                    + (step.lease() == 2 ? "\"key\":\"a\"," : "") + "\"param\":1}",
                            step.lease() > 1 ? 700L : null,
                            priority(step),
                            step.id() > 1 ? step.dedupe() : null),
                    step.option() ? JobState.DELAYED : JobState.DEAD,
                    TestShard.START + step.number(),
                    place,
                    step.lease(),
                    step.lease() > 0 ? "broke" : null,
                    step.number() % 4 == 1 ? pointer("job-" + id, step) : null);
        }

        /** Half of the jobs have the usual one. */
        private static int priority(Step step) {
            return step.option() ? JobOptions.USUAL_PRIORITY : (step.number() + step.lease()) % 10;
        }

        /** A few jobs of one call, of which some have the key. */
        private static List<NewJob> keyed(Step step) {
            Dedupe other = new Dedupe("other", Dedupe.Scope.UNTIL_FINISHED, Dedupe.Mode.KEEP_FIRST, null);
            List<NewJob> jobs = new ArrayList<>(List.of(
                    job(step.id(), step, step.dedupe()),
                    job((step.id() + 1) % 5, step, null),
                    job((step.id() + 2) % 5, step, step.dedupe()),
                    job(step.id(), step, other)));
            return jobs.subList(0, 1 + step.lease());
        }

        private static Feed.Request feed(Step step) {
            List<String> names = step.option() ? NAMES.get(step.id() % 4) : null;
            return TestSettings.feed(
                    new Feed.Presence("n" + step.id() % 2, 3000, 4, step.number() % 5, names),
                    new Feed.Terms(1_000_000_000, 30_000, 2000, 100));
        }

        private static JobState state(Step step) {
            return List.of(JobState.values()).get(step.number() % 6);
        }

        private void checkRedis(Step step) {
            Map<String, Object> state = shard.state();
            Set<String> unfinished = new HashSet<>();
            for (String place : List.of("waiting", "prioritized", "keyed", "reserved", "dead")) {
                ids(state, place)
                        .forEach(id -> assertThat(unfinished.add(id))
                                .as("%s is in one place after %s", id, step)
                                .isTrue());
            }
            assertThat(ids(state, "jobs")).as("records after %s", step).isEqualTo(unfinished);
            for (String hash : List.of("facts", "errors", "progress")) {
                assertThat(unfinished).as("%s after %s", hash, step).containsAll(ids(state, hash));
            }
            assertThat(ids(state, "archive")).as("archive after %s", step).isEqualTo(ids(state, "finished"));
            assertThat(ids(state, "outcomes")).as("outcomes after %s", step).isEqualTo(ids(state, "finished"));
            checkKeys(state, step);
            checkLanes(state, step);
        }

        /** Jobs with keys are in the lanes of these, or held, and a key with waiting jobs is in one place. */
        private static void checkLanes(Map<String, Object> state, Step step) {
            assertThat(parts(state, "lanes", 2))
                    .as("lanes after %s", step)
                    .containsExactlyInAnyOrderElementsOf(ids(state, "keyed"));
            Map<String, Object> facts = map(state, "facts");
            Map.of("reserved", "held", "dead", "buried")
                    .forEach((all, keyed) -> assertThat(parts(state, keyed, 1))
                            .as("%s after %s", keyed, step)
                            .containsExactlyInAnyOrderElementsOf(ids(state, all).stream()
                                    .filter(id -> String.valueOf(facts.get(id)).contains("|lane="))
                                    .toList()));
            List<String> places = new ArrayList<>();
            List.of("turns", "wakes").forEach(place -> places.addAll(ids(state, place)));
            // A key that a rate holds, or that was slowed, is in blocked as well as in wakes.
            Set<String> waking = ids(state, "wakes");
            ids(state, "blocked").stream().filter(key -> !waking.contains(key)).forEach(places::add);
            assertThat(places)
                    .as("keys after %s", step)
                    .containsExactlyInAnyOrderElementsOf(new HashSet<>(parts(state, "lanes", 0)));
            assertThat(ids(state, "passes").stream().filter(key -> !key.isEmpty()))
                    .as("passes after %s", step)
                    .isSubsetOf(places);
        }

        private static List<String> parts(Map<String, Object> state, String key, int part) {
            return ids(state, key).stream()
                    .map(member -> member.split("\0", -1)[part])
                    .toList();
        }

        /** A key that is not kept for a time is that of an unfinished job; one that is ends when its window does. */
        private static void checkKeys(Map<String, Object> state, Step step) {
            Set<String> windows = new HashSet<>();
            map(state, "dedupe").forEach((key, value) -> {
                String entry = (String) value;
                Fields taken = new Fields(entry, "id");
                String id = Objects.requireNonNull(taken.text("id"));
                String scope = Objects.requireNonNull(taken.text("scope"));
                if (scope.equals("s") || scope.equals("f")) {
                    assertThat((String) map(state, "facts").get(id))
                            .as("facts of %s after %s", entry, step)
                            .startsWith("token=")
                            .endsWith("|key=" + key);
                    assertThat(ids(state, "dead")).doesNotContain(id);
                } else {
                    windows.add(key);
                    assertThat(map(state, "windows").get(key)).isEqualTo(Long.valueOf(scope));
                }
            });
            assertThat(ids(state, "windows")).as("windows after %s", step).isEqualTo(windows);
        }

        private static Set<String> ids(Map<String, Object> state, String key) {
            return map(state, key).keySet();
        }

        @SuppressWarnings("unchecked")
        private static Map<String, Object> map(Map<String, Object> state, String key) {
            return (Map<String, Object>) state.getOrDefault(key, Map.of());
        }
    }
}
