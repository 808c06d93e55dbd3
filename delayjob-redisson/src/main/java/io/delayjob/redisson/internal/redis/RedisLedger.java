package io.delayjob.redisson.internal.redis;

import io.delayjob.ActionResult;
import io.delayjob.Dedupe;
import io.delayjob.JobState;
import io.delayjob.SubmitResult;
import io.delayjob.engine.ledger.Call;
import io.delayjob.engine.ledger.ClaimRequest;
import io.delayjob.engine.ledger.Claimed;
import io.delayjob.engine.ledger.Edge;
import io.delayjob.engine.ledger.Feed;
import io.delayjob.engine.ledger.FleetView;
import io.delayjob.engine.ledger.Lease;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.Listing;
import io.delayjob.engine.ledger.NewJob;
import io.delayjob.engine.ledger.Retention;
import io.delayjob.engine.ledger.Settlement;
import io.delayjob.engine.ledger.StoredJob;
import io.delayjob.engine.ledger.Tally;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** A shard in Redis: each step is one script; this class lays out its keys and arguments. */
final class RedisLedger implements Ledger {

    private final Scripts scripts;
    private final TextScripts submits;
    private final Keys keys;
    private final String notices;
    private final long keptMillis;
    private final int keptCount;

    /**
     * A shard.
     *
     * @param submits runs the script of submits
     * @param notices the channel on which nodes hear of cancelled runs and of jobs that were passed on
     */
    RedisLedger(Scripts scripts, TextScripts submits, Keys keys, Retention retention, String notices) {
        this.scripts = scripts;
        this.submits = submits;
        this.keys = keys;
        this.notices = notices;
        this.keptMillis = retention.keeps() ? retention.time().toMillis() : 0;
        this.keptCount = retention.keeps() ? retention.count() : 0;
    }

    @Override
    public CompletableFuture<List<SubmitResult>> submit(Call call, List<NewJob> jobs) {
        List<String> ids = jobs.stream().map(NewJob::id).toList();
        return each(
                submits,
                Edge.SUBMIT.script(),
                forSubmit(call),
                List.of(call.number()),
                jobs,
                RedisLedger::write,
                answer -> Letters.submits(keys.shard().queue(), ids, answer));
    }

    /** A submit of nothing under the number of the first: it recalls its answer, or takes its place. */
    @Override
    public CompletableFuture<List<SubmitResult>> outcome(Call call, List<String> ids) {
        return submits.string(
                Edge.SUBMIT.script(),
                forSubmit(call),
                List.of(call.number()),
                answer -> answer.isEmpty()
                        ? List.of()
                        : Letters.submits(keys.shard().queue(), ids, answer));
    }

    private List<String> forSubmit(Call call) {
        return List.of(
                keys.jobs(),
                keys.waiting(),
                keys.reserved(),
                keys.dead(),
                keys.facts(),
                keys.errors(),
                keys.progress(),
                keys.dedupe(),
                keys.windows(),
                keys.ready(),
                keys.watermark(),
                memo(call));
    }

    private static void write(List<Object> args, NewJob job) {
        args.add(job.id());
        args.add((job.due().fromNow() ? "+" : "@") + job.due().millis());
        args.add(job.leaseMillis() == null ? "" : job.leaseMillis());
        args.add(job.dedupe() == null ? "" : packed(job.dedupe()));
        args.add(job.body());
    }

    private static String packed(Dedupe dedupe) {
        String mode = switch (dedupe.mode()) {
            case KEEP_FIRST -> "k";
            case REPLACE -> "r";
            case POSTPONE -> "p";
        };
        Duration window = dedupe.window();
        String scope = window != null
                ? Long.toString(window.toMillis())
                : dedupe.scope() == Dedupe.Scope.UNTIL_STARTED ? "s" : "f";
        return mode + "|" + scope + "|" + dedupe.key();
    }

    @Override
    public CompletableFuture<Claimed> claim(Call call, ClaimRequest request) {
        List<String> all = new ArrayList<>(List.of(
                keys.jobs(),
                keys.waiting(),
                keys.reserved(),
                keys.dead(),
                keys.facts(),
                keys.errors(),
                keys.paused(),
                keys.busy(),
                keys.epoch(),
                memo(call),
                keys.nodes(),
                keys.holder(),
                keys.ready(),
                keys.watermark(),
                keys.pulse()));
        if (request.mixed()) {
            all.addAll(List.of(keys.handlers(), keys.hints()));
        }
        List<?> args = List.of(
                call.number(),
                request.node(),
                request.limit(),
                request.leaseMillis(),
                request.random(),
                request.lostLimit(),
                request.maxBytes(),
                request.unsure() ? 1 : 0,
                notices,
                keys.shard(),
                request.aheadMillis());
        // The connection may be slow: what was not answered in time is given more.
        return request.unsure()
                ? scripts.patientList(Edge.CLAIM.script(), all, args, Answers::claimed)
                : scripts.list(Edge.CLAIM.script(), all, args, Answers::claimed);
    }

    @Override
    public CompletableFuture<List<Boolean>> complete(Call call, List<Settlement.Complete> jobs) {
        List<String> all = List.of(
                keys.jobs(),
                keys.reserved(),
                keys.facts(),
                keys.errors(),
                keys.progress(),
                keys.dedupe(),
                keys.finished(),
                keys.archive(),
                keys.outcomes(),
                memo(call));
        return settle(Edge.COMPLETE, all, List.of(call.number(), keptMillis, keptCount), jobs, (args, job) -> {
            args.add(job.result() == null || keptCount == 0 ? "" : job.result());
        });
    }

    @Override
    public CompletableFuture<List<Boolean>> retry(Call call, List<Settlement.Retry> jobs) {
        List<String> all = List.of(
                keys.reserved(),
                keys.waiting(),
                keys.facts(),
                keys.errors(),
                keys.ready(),
                keys.watermark(),
                memo(call));
        return settle(Edge.RETRY, all, List.of(call.number()), jobs, (args, job) -> {
            args.add(job.backoffMillis());
            args.add(job.error());
        });
    }

    @Override
    public CompletableFuture<List<Boolean>> bury(Call call, List<Settlement.Bury> jobs) {
        List<String> all =
                List.of(keys.reserved(), keys.dead(), keys.facts(), keys.errors(), keys.dedupe(), memo(call));
        return settle(Edge.BURY, all, List.of(call.number()), jobs, (args, job) -> {
            args.add(job.reason());
            args.add(job.spent() ? 1 : 0);
        });
    }

    @Override
    public CompletableFuture<List<Boolean>> release(Call call, List<Settlement.Release> jobs) {
        List<String> all = List.of(
                keys.reserved(),
                keys.waiting(),
                keys.facts(),
                keys.ready(),
                keys.watermark(),
                memo(call),
                keys.nodes(),
                keys.handlers(),
                keys.hints());
        return settle(Edge.RELEASE, all, List.of(call.number(), notices, keys.shard()), jobs, (args, job) -> {
            args.add(job.unableMillis() == null ? "" : job.unableMillis());
            args.add(job.missingHandler() == null ? "" : job.missingHandler());
        });
    }

    private <S extends Settlement> CompletableFuture<List<Boolean>> settle(
            Edge edge, List<String> all, List<?> head, List<S> jobs, BiConsumer<List<Object>, S> write) {
        return each(
                edge,
                all,
                head,
                jobs,
                (args, job) -> {
                    lease(args, job.lease());
                    write.accept(args, job);
                },
                Letters::flags);
    }

    @Override
    public CompletableFuture<List<Boolean>> renew(List<Renewal> renewals) {
        return each(
                scripts,
                Edge.RENEW.script(),
                List.of(keys.reserved(), keys.facts()),
                List.of(),
                renewals,
                (args, one) -> {
                    lease(args, one.lease());
                    args.add(one.leaseMillis());
                },
                Letters::flags);
    }

    @Override
    public CompletableFuture<List<Boolean>> report(List<Report> reports) {
        List<String> all = List.of(keys.reserved(), keys.facts(), keys.progress());
        return each(
                scripts,
                "report",
                all,
                List.of(),
                reports,
                (args, one) -> {
                    lease(args, one.lease());
                    args.add(Outcome.pack(one.progress()));
                },
                Letters::flags);
    }

    @Override
    public CompletableFuture<List<ActionResult>> cancel(Call call, List<String> ids) {
        List<String> all = List.of(
                keys.jobs(),
                keys.waiting(),
                keys.reserved(),
                keys.dead(),
                keys.facts(),
                keys.errors(),
                keys.progress(),
                keys.dedupe(),
                keys.finished(),
                keys.archive(),
                keys.outcomes(),
                memo(call));
        List<?> head = List.of(call.number(), keptMillis, keptCount, notices, keys.shard());
        return each(Edge.CANCEL, all, head, ids, List::add, Letters::actions);
    }

    @Override
    public CompletableFuture<List<ActionResult>> reschedule(Call call, List<Rescheduled> jobs) {
        return each(
                Edge.RESCHEDULE,
                forWaiting(call),
                List.of(call.number()),
                jobs,
                (args, job) -> {
                    args.add(job.id());
                    args.add(job.delayMillis());
                },
                Letters::actions);
    }

    @Override
    public CompletableFuture<List<ActionResult>> redrive(Call call, List<String> ids) {
        return each(Edge.REDRIVE, forWaiting(call), List.of(call.number()), ids, List::add, Letters::actions);
    }

    /** The keys of an action that lets a job wait for another time, or answers the state that refuses it. */
    private List<String> forWaiting(Call call) {
        return List.of(
                keys.waiting(),
                keys.reserved(),
                keys.dead(),
                keys.facts(),
                keys.finished(),
                keys.outcomes(),
                keys.ready(),
                keys.watermark(),
                memo(call));
    }

    @Override
    public CompletableFuture<List<String>> redriveAll(Call call, int limit, long startMicros, long spacingMicros) {
        List<String> all =
                List.of(keys.waiting(), keys.dead(), keys.facts(), keys.ready(), keys.watermark(), memo(call));
        return scripts.string(
                "redrive_all",
                all,
                List.of(call.number(), limit, startMicros, spacingMicros),
                ids -> ids.isEmpty() ? List.of() : List.of(ids.split("\n", -1)));
    }

    @Override
    public CompletableFuture<Integer> purgeDead(Call call, long olderThanMillis, int limit) {
        List<String> all = List.of(keys.jobs(), keys.dead(), keys.facts(), keys.errors(), keys.progress(), memo(call));
        return scripts.string("purge_dead", all, List.of(call.number(), olderThanMillis, limit), Integer::valueOf);
    }

    @Override
    public CompletableFuture<Feed.Answer> feed(Feed.Request request) {
        List<String> all = List.of(
                keys.waiting(),
                keys.ready(),
                keys.watermark(),
                keys.holder(),
                keys.busy(),
                keys.nodes(),
                keys.workers(),
                keys.handlers(),
                keys.dedupe(),
                keys.windows(),
                keys.finished(),
                keys.archive(),
                keys.outcomes(),
                keys.jobs(),
                keys.reserved(),
                keys.dead(),
                keys.facts(),
                keys.errors(),
                keys.hints(),
                keys.pulse());
        List<?> args = List.of(
                request.node(),
                request.stayMillis(),
                request.holdMillis(),
                request.horizonMillis(),
                request.quietLimit(),
                request.arrangedMillis(),
                request.workers() + "|" + request.free(),
                request.jobs() == null ? "" : "=" + String.join("\n", request.jobs()),
                keptMillis,
                keptCount,
                request.leaseMillis(),
                request.pulse().bornMillis(),
                request.pulse().fedMillis());
        return scripts.list("feed", all, args, Answers::fed);
    }

    @Override
    public CompletableFuture<Boolean> resign(String node) {
        List<String> all = List.of(keys.holder(), keys.nodes(), keys.workers(), keys.handlers(), keys.ready());
        return scripts.number("resign", all, List.of(node)).thenApply(done -> true);
    }

    @Override
    public CompletableFuture<Optional<StoredJob>> find(String id) {
        List<String> all = new ArrayList<>(List.of(keys.waiting(), keys.reserved(), keys.dead(), keys.finished()));
        all.addAll(descriptions());
        return scripts.list("find", all, List.of(id), Answers::found);
    }

    @Override
    public CompletableFuture<Listing.Answer> list(Listing.Request request) {
        List<String> all = new ArrayList<>(List.of(place(request.state())));
        all.addAll(descriptions());
        Listing.Position after = request.after();
        List<?> args = List.of(
                Letters.of(request.state()),
                request.nameMark() == null ? "" : request.nameMark(),
                request.idPrefix() == null ? "" : request.idPrefix(),
                after == null ? "" : after.millis(),
                after == null ? "" : after.id(),
                request.limit());
        return scripts.list("list", all, args, Answers::listed);
    }

    private String place(JobState state) {
        return switch (state) {
            case DELAYED, READY -> keys.waiting();
            case RESERVED -> keys.reserved();
            case DEAD -> keys.dead();
            case COMPLETED, CANCELLED -> keys.finished();
        };
    }

    /** The hashes that include/describe.lua reads. */
    private List<String> descriptions() {
        return List.of(keys.jobs(), keys.facts(), keys.errors(), keys.progress(), keys.archive(), keys.outcomes());
    }

    @Override
    public CompletableFuture<FleetView> fleet() {
        List<String> all = List.of(keys.nodes(), keys.workers(), keys.handlers(), keys.paused());
        return scripts.list("fleet", all, List.of(), Answers::fleet);
    }

    @Override
    public CompletableFuture<Tally> tally() {
        List<String> all = List.of(keys.waiting(), keys.reserved(), keys.dead(), keys.finished(), keys.paused());
        return scripts.list("counts", all, List.of(), Answers::tally);
    }

    @Override
    public CompletableFuture<Boolean> pause(boolean paused) {
        return scripts.number("pause", List.of(keys.paused(), keys.ready()), List.of(paused ? 1 : 0))
                .thenApply(done -> true);
    }

    private <J, A> CompletableFuture<List<A>> each(
            Edge edge,
            List<String> all,
            List<?> head,
            List<J> jobs,
            BiConsumer<List<Object>, J> write,
            Function<String, List<A>> read) {
        return each(scripts, edge.script(), all, head, jobs, write, read);
    }

    /** Runs a script for several jobs; it answers one character for each. */
    private static <J, A> CompletableFuture<List<A>> each(
            TextScripts scripts,
            String script,
            List<String> all,
            List<?> head,
            List<J> jobs,
            BiConsumer<List<Object>, J> write,
            Function<String, List<A>> read) {
        List<Object> args = new ArrayList<>(head.size() + 5 * jobs.size());
        args.addAll(head);
        jobs.forEach(job -> write.accept(args, job));
        return scripts.string(script, all, args, answer -> ofEach(jobs, read.apply(answer)));
    }

    private static <A> List<A> ofEach(List<?> jobs, List<A> answers) {
        if (answers.size() != jobs.size()) {
            throw new IllegalStateException(answers.size() + " answers for " + jobs.size() + " jobs");
        }
        return answers;
    }

    private String memo(Call call) {
        return keys.memo(call.lane());
    }

    private static void lease(List<Object> args, Lease lease) {
        args.add(lease.id());
        args.add(lease.token());
    }
}
