package io.delayjob.redisson.internal.redis;

import io.delayjob.ActionResult;
import io.delayjob.JobState;
import io.delayjob.QueueCounts;
import io.delayjob.SubmitResult;
import io.delayjob.redisson.internal.ledger.Call;
import io.delayjob.redisson.internal.ledger.ClaimRequest;
import io.delayjob.redisson.internal.ledger.Claimed;
import io.delayjob.redisson.internal.ledger.Edge;
import io.delayjob.redisson.internal.ledger.Feed;
import io.delayjob.redisson.internal.ledger.FleetView;
import io.delayjob.redisson.internal.ledger.Lease;
import io.delayjob.redisson.internal.ledger.Ledger;
import io.delayjob.redisson.internal.ledger.Listing;
import io.delayjob.redisson.internal.ledger.NewJob;
import io.delayjob.redisson.internal.ledger.Settlement;
import io.delayjob.redisson.internal.ledger.StoredJob;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A shard in Redis: each step is one script; this class lays out its keys and arguments and reads its answer. */
final class RedisLedger implements Ledger {

    private final Scripts scripts;
    private final Keys keys;

    RedisLedger(Scripts scripts, Keys keys) {
        this.scripts = scripts;
        this.keys = keys;
    }

    @Override
    public CompletableFuture<List<SubmitResult>> submit(Call call, List<NewJob> jobs) {
        return each(
                        Edge.SUBMIT,
                        List.of(keys.jobs(), keys.waiting(), keys.facts(), keys.ready(), keys.watermark(), memo(call)),
                        call,
                        jobs,
                        (args, job) -> {
                            args.add(job.id());
                            args.add((job.due().fromNow() ? "+" : "@")
                                    + job.due().millis());
                            args.add(text(job.leaseMillis()));
                            args.add(job.body());
                        })
                .thenApply(stored -> IntStream.range(0, jobs.size())
                        .mapToObj(i -> new SubmitResult(
                                jobs.get(i).id(),
                                stored.get(i) ? SubmitResult.Outcome.STORED : SubmitResult.Outcome.EXISTS))
                        .toList());
    }

    @Override
    public CompletableFuture<Claimed> claim(Call call, ClaimRequest request) {
        List<String> all = List.of(
                keys.jobs(),
                keys.waiting(),
                keys.reserved(),
                keys.facts(),
                keys.paused(),
                keys.busy(),
                keys.epoch(),
                memo(call));
        List<?> args = List.of(call.number(), request.node(), request.limit(), request.leaseMillis(), request.random());
        return scripts.list(Edge.CLAIM.script(), all, args).thenApply(RedisLedger::claimed);
    }

    private static Claimed claimed(List<Object> answer) {
        long now = (Long) answer.get(0);
        long next = (Long) answer.get(2);
        List<Claimed.Job> jobs = new ArrayList<>((answer.size() - 3) / 3);
        for (int i = 3; i < answer.size(); i += 3) {
            jobs.add(job((String) answer.get(i), (String) answer.get(i + 1), (String) answer.get(i + 2), now));
        }
        Claimed.Mode mode = Claimed.Mode.valueOf((String) answer.get(1));
        return new Claimed(jobs, mode, next < 0 ? null : next);
    }

    private static Claimed.Job job(String id, String record, String packed, long now) {
        Facts facts = Facts.unpack(packed);
        return new Claimed.Job(
                new Lease(id, facts.token()),
                facts.attempt(),
                present(record),
                facts.dueMillis() == null ? now : facts.dueMillis(),
                facts.leaseMillis(),
                facts.sinceMillis(),
                0,
                now);
    }

    @Override
    public CompletableFuture<List<Boolean>> complete(Call call, List<Settlement.Complete> jobs) {
        return each(
                Edge.COMPLETE,
                List.of(keys.jobs(), keys.reserved(), keys.facts(), keys.errors(), memo(call)),
                call,
                jobs,
                (args, job) -> lease(args, job.lease()));
    }

    @Override
    public CompletableFuture<List<Boolean>> retry(Call call, List<Settlement.Retry> jobs) {
        return each(
                Edge.RETRY,
                List.of(
                        keys.reserved(),
                        keys.waiting(),
                        keys.facts(),
                        keys.errors(),
                        keys.ready(),
                        keys.watermark(),
                        memo(call)),
                call,
                jobs,
                (args, job) -> {
                    lease(args, job.lease());
                    args.add(job.backoffMillis());
                    args.add(job.error());
                });
    }

    @Override
    public CompletableFuture<List<Boolean>> bury(Call call, List<Settlement.Bury> jobs) {
        return each(
                Edge.BURY,
                List.of(keys.reserved(), keys.dead(), keys.facts(), keys.errors(), memo(call)),
                call,
                jobs,
                (args, job) -> {
                    lease(args, job.lease());
                    args.add(job.reason());
                });
    }

    @Override
    public CompletableFuture<List<Boolean>> release(Call call, List<Settlement.Release> jobs) {
        return each(
                Edge.RELEASE,
                List.of(keys.reserved(), keys.waiting(), keys.facts(), keys.ready(), keys.watermark(), memo(call)),
                call,
                jobs,
                (args, job) -> {
                    lease(args, job.lease());
                    args.add(text(job.unableMillis()));
                });
    }

    @Override
    public CompletableFuture<List<Boolean>> renew(List<Renewal> renewals) {
        return each(Edge.RENEW, List.of(keys.reserved(), keys.facts()), null, renewals, (args, renewal) -> {
            lease(args, renewal.lease());
            args.add(renewal.leaseMillis());
        });
    }

    @Override
    public CompletableFuture<List<ActionResult>> cancel(Call call, List<String> ids) {
        return each(
                        Edge.CANCEL,
                        List.of(keys.jobs(), keys.waiting(), keys.facts(), keys.errors(), memo(call)),
                        call,
                        ids,
                        List::add)
                .thenApply(RedisLedger::results);
    }

    private static List<ActionResult> results(List<Boolean> done) {
        return done.stream()
                .map(one -> one ? ActionResult.done(JobState.DELAYED) : ActionResult.NO_SUCH_JOB)
                .toList();
    }

    @Override
    public CompletableFuture<List<ActionResult>> reschedule(Call call, List<Rescheduled> jobs) {
        return each(
                        Edge.RESCHEDULE,
                        List.of(keys.waiting(), keys.ready(), keys.watermark(), memo(call)),
                        call,
                        jobs,
                        (args, job) -> {
                            args.add(job.id());
                            args.add(job.delayMillis());
                        })
                .thenApply(RedisLedger::results);
    }

    @Override
    public CompletableFuture<List<ActionResult>> redrive(Call call, List<String> ids) {
        return each(Edge.REDRIVE, redriveKeys(call), call, ids, List::add).thenApply(RedisLedger::results);
    }

    @Override
    public CompletableFuture<List<String>> redriveAll(Call call, int limit, long startMicros, long spacingMicros) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<Integer> purgeDead(Call call, long olderThanMillis, int limit) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<List<Boolean>> report(List<Report> reports) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<Listing.Answer> list(Listing.Request request) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<FleetView> fleet() {
        throw new UnsupportedOperationException();
    }

    private List<String> redriveKeys(Call call) {
        return List.of(keys.dead(), keys.waiting(), keys.facts(), keys.ready(), keys.watermark(), memo(call));
    }

    @Override
    public CompletableFuture<Feed.Answer> feed(Feed.Request request) {
        List<String> all =
                List.of(keys.waiting(), keys.ready(), keys.watermark(), keys.holder(), keys.busy(), keys.nodes());
        List<?> args = List.of(
                request.node(),
                request.stayMillis(),
                request.holdMillis(),
                request.horizonMillis(),
                request.quietLimit(),
                request.arrangedMillis());
        return scripts.list("feed", all, args).thenApply(RedisLedger::fed);
    }

    private static Feed.Answer fed(List<Object> answer) {
        List<Feed.Ring> doorbells = new ArrayList<>((answer.size() - 3) / 2);
        for (int i = 3; i < answer.size(); i += 2) {
            doorbells.add(new Feed.Ring((String) answer.get(i), (Long) answer.get(i + 1)));
        }
        int nodes = ((Long) answer.get(0)).intValue();
        return new Feed.Answer(nodes, (Long) answer.get(1) == 1, (Long) answer.get(2), true, doorbells);
    }

    @Override
    public CompletableFuture<Boolean> resign(String node) {
        return scripts.number("resign", List.of(keys.holder(), keys.nodes()), List.of(node))
                .thenApply(done -> true);
    }

    @Override
    public CompletableFuture<Optional<StoredJob>> find(String id) {
        List<String> all =
                List.of(keys.jobs(), keys.waiting(), keys.reserved(), keys.dead(), keys.facts(), keys.errors());
        return scripts.list("find", all, List.of(id)).thenApply(RedisLedger::found);
    }

    private static Optional<StoredJob> found(List<Object> answer) {
        if (answer.isEmpty()) {
            return Optional.empty();
        }
        Facts facts = Facts.unpack((String) answer.get(3));
        return Optional.of(new StoredJob(
                JobState.valueOf((String) answer.get(0)),
                (long) Double.parseDouble((String) answer.get(1)),
                present((String) answer.get(2)),
                facts.attempt(),
                facts.dueMillis(),
                null,
                facts.sinceMillis(),
                facts.node(),
                present((String) answer.get(4)),
                null,
                null));
    }

    @Override
    public CompletableFuture<QueueCounts> counts() {
        List<String> all = List.of(keys.waiting(), keys.reserved(), keys.dead(), keys.paused());
        return scripts.list("counts", all, List.of())
                .thenApply(answer -> new QueueCounts(
                        (Long) answer.get(0),
                        (Long) answer.get(1),
                        (Long) answer.get(2),
                        (Long) answer.get(3),
                        0,
                        (Long) answer.get(4) == 1));
    }

    @Override
    public CompletableFuture<Boolean> pause(boolean paused) {
        return scripts.number("pause", List.of(keys.paused(), keys.ready()), List.of(paused ? 1 : 0))
                .thenApply(done -> true);
    }

    /** Runs an edge for several jobs; it answers one character for each. */
    private <J> CompletableFuture<List<Boolean>> each(
            Edge edge, List<String> all, @Nullable Call call, List<J> jobs, BiConsumer<List<Object>, J> write) {
        List<Object> args = new ArrayList<>(1 + 4 * jobs.size());
        if (call != null) {
            args.add(call.number());
        }
        jobs.forEach(job -> write.accept(args, job));
        return scripts.string(edge.script(), all, args)
                .thenApply(answer -> answer.chars().mapToObj(c -> c == '1').toList());
    }

    private String memo(Call call) {
        return keys.memo(call.lane());
    }

    private static void lease(List<Object> args, Lease lease) {
        args.add(lease.id());
        args.add(lease.token());
    }

    private static String text(@Nullable Long number) {
        return number == null ? "" : number.toString();
    }

    private static @Nullable String present(String text) {
        return text.isEmpty() ? null : text;
    }
}
