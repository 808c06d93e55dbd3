package io.delayjob.redisson.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.JobState;
import io.delayjob.redisson.internal.ledger.Call;
import io.delayjob.redisson.internal.ledger.ClaimRequest;
import io.delayjob.redisson.internal.ledger.Claimed;
import io.delayjob.redisson.internal.ledger.Lease;
import io.delayjob.redisson.internal.ledger.Ledger;
import io.delayjob.redisson.internal.ledger.NewJob;
import io.delayjob.redisson.internal.ledger.Settlement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import org.jspecify.annotations.Nullable;

/** Any sequence of steps leads to the same answers and the same state in Redis as in {@link LedgerModel}, also if sent twice. */
class LedgerPropertyIT {

    private static final long LEASE = 1000;
    private static final Map<String, JobState> PLACES =
            Map.of("waiting", JobState.DELAYED, "reserved", JobState.RESERVED, "dead", JobState.DEAD);

    /** What can be done. */
    enum Kind {
        SUBMIT,
        CLAIM,
        COMPLETE,
        RETRY,
        BURY,
        RELEASE,
        RENEW,
        CANCEL,
        RESCHEDULE,
        REDRIVE,
        REDRIVE_ALL,
        PASS_TIME
    }

    /**
     * One step.
     *
     * @param id which of a few jobs
     * @param number a count or a number of milliseconds
     * @param lease which of the leases handed out so far, from the newest
     * @param option whether the step has what is optional
     * @param twice whether the call is repeated
     */
    record Step(Kind kind, int id, int number, int lease, boolean option, boolean twice) {}

    @Provide
    Arbitrary<List<Step>> steps() {
        Arbitrary<Kind> kinds = Arbitraries.frequencyOf(
                Tuple.of(3, Arbitraries.just(Kind.SUBMIT)),
                Tuple.of(3, Arbitraries.just(Kind.CLAIM)),
                Tuple.of(2, Arbitraries.just(Kind.PASS_TIME)),
                Tuple.of(8, Arbitraries.of(Kind.class)));
        return Combinators.combine(
                        kinds,
                        Arbitraries.integers().between(0, 4),
                        Arbitraries.integers().between(0, 1500),
                        Arbitraries.integers().between(0, 3),
                        Arbitraries.of(true, false),
                        Arbitraries.of(true, false))
                .as(Step::new)
                .list()
                .ofMinSize(1)
                .ofMaxSize(50);
    }

    @Property(tries = 150)
    void agreesWithTheModelAfterEveryStep(@ForAll("steps") List<Step> steps) {
        try (TestShard shard = new TestShard()) {
            Duet duet = new Duet(shard);
            steps.forEach(duet::play);
        }
    }

    /** Redis and the model side by side. */
    private static final class Duet {

        private final TestShard shard;
        private final Ledger ledger;
        private final LedgerModel model = new LedgerModel();
        private final List<Lease> leases = new ArrayList<>();
        private long number;

        Duet(TestShard shard) {
            this.shard = shard;
            this.ledger = shard.ledger;
        }

        void play(Step step) {
            number++;
            Object expected = onModel(step);
            Object first = onRedis(step);
            assertThat(first).as("answer to %s", step).isEqualTo(expected);
            if (step.twice() && step.kind() != Kind.PASS_TIME) {
                assertThat(onRedis(step)).as("answer to the repeated %s", step).isEqualTo(expected);
            }
            assertThat(inRedis()).as("state after %s", step).isEqualTo(model.jobs);
            if (step.kind() == Kind.CLAIM) {
                leases.addAll(0, leases(expected));
            }
        }

        @SuppressWarnings("unchecked")
        private static List<Lease> leases(Object claimed) {
            return (List<Lease>) claimed;
        }

        private Object onModel(Step step) {
            String id = "job-" + step.id();
            Lease lease = lease(step);
            return switch (step.kind()) {
                case SUBMIT -> model.submit(id, step.number(), ownLease(step));
                case CLAIM -> model.claim(1 + step.id(), LEASE, random(), "n");
                case COMPLETE -> model.complete(lease);
                case RETRY -> model.retry(lease, step.number(), "error " + step.number());
                case BURY -> model.bury(lease, "reason " + step.number());
                case RELEASE -> model.release(lease, unable(step));
                case RENEW -> model.renew(lease, step.number());
                case CANCEL -> model.cancel(id);
                case RESCHEDULE -> model.reschedule(id, step.number());
                case REDRIVE -> model.redrive(id);
                case REDRIVE_ALL -> model.redriveAll(1 + step.id());
                case PASS_TIME -> model.now += step.number();
            };
        }

        private Object onRedis(Step step) {
            String id = "job-" + step.id();
            Lease lease = lease(step);
            Call call = new Call("lane", number);
            return switch (step.kind()) {
                case SUBMIT ->
                    one(ledger.submit(
                                    call,
                                    List.of(new NewJob(
                                            id, new NewJob.Due(step.number(), true), ownLease(step), "\"job\":\"j\"}")))
                            .join());
                case CLAIM ->
                    ledger.claim(call, new ClaimRequest("n", 1 + step.id(), LEASE, random())).join().jobs().stream()
                            .map(Claimed.Job::lease)
                            .toList();
                case COMPLETE ->
                    one(ledger.complete(call, List.of(new Settlement.Complete(lease)))
                            .join());
                case RETRY ->
                    one(ledger.retry(
                                    call, List.of(new Settlement.Retry(lease, step.number(), "error " + step.number())))
                            .join());
                case BURY ->
                    one(ledger.bury(call, List.of(new Settlement.Bury(lease, "reason " + step.number())))
                            .join());
                case RELEASE ->
                    one(ledger.release(call, List.of(new Settlement.Release(lease, unable(step))))
                            .join());
                case RENEW ->
                    one(ledger.renew(List.of(new Ledger.Renewal(lease, step.number())))
                            .join());
                case CANCEL -> one(ledger.cancel(call, List.of(id)).join());
                case RESCHEDULE ->
                    one(ledger.reschedule(call, List.of(new Ledger.Rescheduled(id, step.number())))
                            .join());
                case REDRIVE -> one(ledger.redrive(call, List.of(id)).join());
                case REDRIVE_ALL -> ledger.redriveAll(call, 1 + step.id()).join();
                case PASS_TIME -> {
                    shard.setClock(model.now);
                    yield model.now;
                }
            };
        }

        private Lease lease(Step step) {
            return step.lease() < leases.size() ? leases.get(step.lease()) : new Lease("job-" + step.id(), "0:none");
        }

        private String random() {
            return "r" + number;
        }

        private static @Nullable Long ownLease(Step step) {
            return step.option() ? Long.valueOf(500 + step.number()) : null;
        }

        private static @Nullable Long unable(Step step) {
            return step.option() ? Long.valueOf(step.number()) : null;
        }

        private static boolean one(List<Boolean> answers) {
            assertThat(answers).hasSize(1);
            return answers.get(0);
        }

        /** The jobs as Redis has them; that each is in one place, with its record, is checked on the way. */
        private Map<String, LedgerModel.Job> inRedis() {
            Map<String, Object> state = shard.state();
            Map<String, LedgerModel.Job> jobs = new TreeMap<>();
            PLACES.forEach((place, jobState) -> hash(state, place).forEach((id, score) -> {
                LedgerModel.Job job = job(state, id, jobState, ((Number) score).longValue());
                assertThat(jobs.put(id, job)).as("%s is in two places", id).isNull();
            }));
            assertThat(hash(state, "jobs").keySet()).isEqualTo(jobs.keySet());
            assertThat(jobs.keySet()).containsAll(hash(state, "facts").keySet());
            assertThat(jobs.keySet()).containsAll(hash(state, "errors").keySet());
            return jobs;
        }

        private static LedgerModel.Job job(Map<String, Object> state, String id, JobState place, long score) {
            Facts facts = Facts.unpack((String) hash(state, "facts").getOrDefault(id, "|0||||"));
            return new LedgerModel.Job(
                    id,
                    place,
                    score,
                    facts.attempt(),
                    facts.dueMillis(),
                    facts.leaseMillis(),
                    facts.sinceMillis(),
                    facts.token(),
                    facts.node() == null ? "" : facts.node(),
                    (String) hash(state, "errors").get(id));
        }

        @SuppressWarnings("unchecked")
        private static Map<String, Object> hash(Map<String, Object> state, String key) {
            return (Map<String, Object>) state.getOrDefault(key, Map.of());
        }
    }
}
