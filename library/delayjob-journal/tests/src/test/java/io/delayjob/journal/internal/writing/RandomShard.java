package io.delayjob.journal.internal.writing;

import io.delayjob.Dedupe;
import io.delayjob.JobState;
import io.delayjob.Limits;
import io.delayjob.Schedule;
import io.delayjob.engine.ledger.Call;
import io.delayjob.engine.ledger.ClaimRequest;
import io.delayjob.engine.ledger.Flow;
import io.delayjob.engine.ledger.JobContent;
import io.delayjob.engine.ledger.Lease;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.Listing;
import io.delayjob.engine.ledger.NewJob;
import io.delayjob.engine.ledger.Replication;
import io.delayjob.engine.ledger.Retention;
import io.delayjob.engine.ledger.Schedules;
import io.delayjob.engine.ledger.Settlement;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.engine.ledger.ShardLimits.Shared;
import io.delayjob.engine.ledger.StoredJob;
import io.delayjob.engine.ledger.StoredSchedule;
import io.delayjob.engine.memory.MemoryBackend;
import io.delayjob.journal.internal.tables.Tags;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A shard in memory whose jobs make random steps, and the steps that it logged. */
final class RandomShard {

    private static final long LEASE = 1000;
    private static final List<Dedupe.Mode> MODES = List.of(Dedupe.Mode.values());

    final ShardId id;
    final Ledger ledger;
    final List<Flow.Step> logged = new ArrayList<>();
    private Random random;
    private final List<Lease> leases = new ArrayList<>();
    private Consumer<NewJob> outbox = job -> {};
    private long clock = 1_000_000_000L;
    private long calls;
    private @Nullable String read;
    private String term = "";

    RandomShard(ShardId id, Random random) {
        this(id, random, 0);
        log();
    }

    /** After so many steps that were not logged. */
    RandomShard(ShardId id, Random random, int unlogged) {
        this.id = id;
        this.random = random;
        this.ledger = new MemoryBackend(() -> clock, true).ledger(id, Retention.NONE, Replication.NONE);
        unlogged(unlogged);
    }

    /** Some jobs are written there before they are submitted. */
    void writeBefore(Consumer<NewJob> to) {
        outbox = to;
    }

    /** Notes what was logged since. */
    void log() {
        Flow.Page page = ledger.flow(new Flow.Request(read, 1000, 1_000_000)).join();
        page.steps().stream().filter(step -> step.kind().isOfJob()).forEach(logged::add);
        read = page.read();
        term = page.fence().term();
    }

    /** Makes other steps from now on. */
    void turnTo(Random other) {
        random = other;
    }

    void pass(long millis) {
        clock += millis;
    }

    /** Steps that are not noted here. */
    void unlogged(int number) {
        for (int i = 0; i < number; i++) {
            change();
        }
    }

    private Call call() {
        return new Call("lane", ++calls);
    }

    private String anyId() {
        return "job " + random.nextInt(12);
    }

    private List<String> anyIds() {
        return IntStream.range(0, 1 + random.nextInt(3))
                .mapToObj(n -> anyId())
                .distinct()
                .toList();
    }

    void step() {
        change();
        log();
    }

    private void change() {
        // Two states of a shard, one of them an odd time ahead, never submit another job of an id at the same moment,
        // by which the journal tells jobs from each other.
        clock += random.nextInt(3) == 0 ? 0 : 2 * random.nextInt(200);
        switch (random.nextInt(15)) {
            case 0, 1, 2, 3 -> submit();
            case 4, 5, 6 -> claim();
            case 7, 8 -> settle();
            case 9 -> ledger.cancel(call(), anyIds()).join();
            case 10 ->
                ledger.reschedule(call(), List.of(new Ledger.Rescheduled(anyId(), random.nextInt(500))))
                        .join();
            case 11, 12 -> schedule();
            case 13 -> limit();
            default -> dead();
        }
    }

    private void limit() {
        Limits limits = random.nextInt(3) == 0 ? null : Limits.NONE.withConcurrency(1 + random.nextInt(5));
        String key = "key " + random.nextInt(3);
        switch (random.nextInt(3)) {
            case 0 ->
                ledger.limits()
                        .set(limits == null ? null : Shared.of(limits.withPerKey(limits)), 0)
                        .join();
            case 1 -> ledger.limits().set(key, limits).join();
            default -> ledger.limits().pause(key, random.nextBoolean()).join();
        }
    }

    private void schedule() {
        Schedules schedules = ledger.schedules();
        String name = "schedule " + random.nextInt(4);
        StoredSchedule known = schedules.find(List.of(name)).join().schedules().stream()
                .findFirst()
                .orElse(null);
        if (known == null || random.nextInt(4) == 0) {
            Long version = known == null ? null : known.version();
            schedules
                    .put(new Schedules.Put(name, version, "{\"v\":" + random.nextInt(3) + "}", clock, null, false))
                    .join();
        } else if (random.nextInt(4) == 0) {
            schedules.remove(name).join();
        } else if (random.nextInt(3) == 0) {
            schedules.pause(name, random.nextBoolean()).join();
        } else {
            Schedules.Outcome outcome = random.nextBoolean()
                    ? new Schedules.Skip("WINDOW", 1)
                    : new Schedules.Occurrence(
                            anyId(),
                            clock,
                            JobContent.of("\"job\":\"x\",\"param\":1}"),
                            Schedule.Overlap.ALLOW,
                            0,
                            clock);
            schedules
                    .fire(List.of(new Schedules.Proposal(name, known.version(), clock, clock + 500, outcome)))
                    .join();
        }
    }

    private void submit() {
        List<NewJob> jobs = IntStream.range(0, 1 + random.nextInt(4))
                .mapToObj(n -> random.nextBoolean() ? job() : written())
                .toList();
        ledger.submit(call(), jobs).join();
    }

    private NewJob written() {
        NewJob job = job().with(new NewJob.Journaled(term, Tags.next()));
        outbox.accept(job);
        return job;
    }

    NewJob job() {
        Dedupe dedupe = random.nextInt(3) > 0
                ? null
                : new Dedupe(
                        "key " + random.nextInt(3),
                        List.of(Dedupe.Scope.UNTIL_STARTED, Dedupe.Scope.UNTIL_FINISHED)
                                .get(random.nextInt(2)),
                        MODES.get(random.nextInt(MODES.size())),
                        null);
        Long lease = random.nextBoolean() ? null : 500L + random.nextInt(10);
        int priority = random.nextInt(10);
        String body = "\"job\":\"x\",\"param\":" + random.nextInt(1000) + "}";
        return new NewJob(
                anyId(), new NewJob.Due(random.nextInt(600), true), new JobContent(body, lease, priority, dedupe));
    }

    private void claim() {
        ClaimRequest request = new ClaimRequest("node " + random.nextInt(2), 1 + random.nextInt(3), LEASE, "r" + calls);
        ledger.claim(call(), request).join().jobs().forEach(job -> leases.add(job.lease()));
    }

    private void settle() {
        if (!leases.isEmpty()) {
            Lease lease = leases.remove(random.nextInt(leases.size()));
            Settlement settlement = switch (random.nextInt(5)) {
                case 0 -> new Settlement.Retry(lease, random.nextInt(300), "bad \u0000 news");
                case 1 -> new Settlement.Bury(lease, "given up", random.nextBoolean());
                case 2 -> new Settlement.Release(lease, null, null);
                default -> new Settlement.Complete(lease, random.nextBoolean() ? null : "1", 0);
            };
            ledger.settle(call(), List.of(settlement)).join();
        }
    }

    private void dead() {
        switch (random.nextInt(3)) {
            case 0 -> ledger.redrive(call(), anyIds()).join();
            case 1 -> ledger.redriveAll(call(), 2, 0, 1000).join();
            default -> ledger.purgeDead(call(), 100, 1).join();
        }
    }

    /** The unfinished jobs. */
    Map<String, StoredJob> jobs() {
        Map<String, StoredJob> all = new TreeMap<>();
        for (JobState state : List.of(JobState.DELAYED, JobState.READY, JobState.RESERVED, JobState.DEAD)) {
            ledger.list(new Listing.Request(state, null, null, null, 200))
                    .join()
                    .jobs()
                    .forEach(entry -> all.put(entry.id(), entry.job()));
        }
        return all;
    }
}
