package io.delayjob.redisson.internal.redis;

import io.delayjob.ActionResult;
import io.delayjob.Dedupe;
import io.delayjob.JobOptions;
import io.delayjob.Limits;
import io.delayjob.SubmitResult;
import io.delayjob.engine.ledger.Call;
import io.delayjob.engine.ledger.ClaimRequest;
import io.delayjob.engine.ledger.Claimed;
import io.delayjob.engine.ledger.Edge;
import io.delayjob.engine.ledger.Feed;
import io.delayjob.engine.ledger.Fence;
import io.delayjob.engine.ledger.FleetView;
import io.delayjob.engine.ledger.Flow;
import io.delayjob.engine.ledger.JobContent;
import io.delayjob.engine.ledger.Lease;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.Listing;
import io.delayjob.engine.ledger.NewJob;
import io.delayjob.engine.ledger.PackedLimits;
import io.delayjob.engine.ledger.Pointer;
import io.delayjob.engine.ledger.Pointers;
import io.delayjob.engine.ledger.RestorePermit;
import io.delayjob.engine.ledger.RestoredJob;
import io.delayjob.engine.ledger.Retention;
import io.delayjob.engine.ledger.Schedules;
import io.delayjob.engine.ledger.Settlement;
import io.delayjob.engine.ledger.ShardLimits;
import io.delayjob.engine.ledger.StoredJob;
import io.delayjob.engine.ledger.Tally;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A shard in Redis. Each step is one script, whose arguments this class prepares. */
final class RedisLedger implements Ledger {

    /** The script that counts the jobs of a shard. */
    static final String COUNTS = "counts";

    private final ShardScripts scripts;
    private final Keys keys;
    private final String notices;
    private final long keptMillis;
    private final int keptCount;

    /**
     * Creates the ledger of a shard.
     *
     * @param notices the channel of notices to all nodes
     */
    RedisLedger(ShardScripts scripts, Keys keys, Retention retention, String notices) {
        this.scripts = scripts;
        this.keys = keys;
        this.notices = notices;
        this.keptMillis = retention.keeps() ? retention.time().toMillis() : 0;
        this.keptCount = retention.keeps() ? retention.count() : 0;
    }

    @Override
    public CompletableFuture<List<SubmitResult>> submit(Call call, List<NewJob> jobs) {
        List<String> ids = jobs.stream().map(NewJob::id).toList();
        List<Termed> termed = jobs.stream().map(Termed::of).toList();
        if (termed.stream().anyMatch(one -> !one.key().isEmpty())) {
            scripts.knowKeys();
        }
        return each(
                scripts.submits(),
                Edge.SUBMIT.script(),
                forSubmit(call, termed),
                List.of(call.number()),
                termed,
                RedisLedger::write,
                answer -> ResultCodes.submits(keys.shard().queue(), ids, answer));
    }

    /** Jobs with terms or marks need all keys, and so does a shard that has keys of jobs. */
    private KeyNames forSubmit(Call call, List<Termed> jobs) {
        boolean areWithout = jobs.stream()
                .allMatch(one ->
                        one.terms().isEmpty() && one.job().content().marks().isEmpty());
        return script -> (areWithout && !scripts.knowsKeys() ? in(call) : keys.allIn(call.lane())).of(script);
    }

    /** Submits no jobs under the number of the earlier call, which returns that call's answer or takes its place. */
    @Override
    public CompletableFuture<List<SubmitResult>> outcome(Call call, List<String> ids) {
        return scripts.submits()
                .string(
                        Edge.SUBMIT.script(),
                        in(call),
                        List.of(call.number()),
                        answer -> answer.isEmpty()
                                ? List.of()
                                : ResultCodes.submits(keys.shard().queue(), ids, answer));
    }

    private static void write(List<Object> args, Termed one) {
        NewJob job = one.job();
        args.add(job.id());
        args.add((job.due().fromNow() ? "" : "@") + job.due().millis());
        args.add(one.terms());
        args.add(job.content().record());
    }

    /**
     * A job to be submitted.
     *
     * @param key its key, as scripts take it
     * @param terms its terms, as scripts take them
     */
    private record Termed(NewJob job, String key, String terms) {

        static Termed of(NewJob job) {
            String key = RedisLedger.key(job.content());
            return new Termed(job, key, RedisLedger.terms(job, key));
        }
    }

    /** The terms of a job in the format of include/terms.lua; empty for none. */
    private static String terms(NewJob job, String key) {
        NewJob.Journaled journaled = job.journaled();
        Long leaseMillis = job.content().leaseMillis();
        String priority = ownPriority(job.content());
        Dedupe dedupe = job.content().dedupe();
        String pointer = job.isElsewhere() ? "-" : shown(job.pointer());
        if (leaseMillis == null
                && priority.isEmpty()
                && key.isEmpty()
                && dedupe == null
                && journaled == null
                && pointer.isEmpty()) {
            return "";
        }
        return (leaseMillis == null ? "" : leaseMillis)
                + "|"
                + (journaled == null ? "|" : journaled.permit() + "|" + journaled.tag())
                + "|"
                + priority
                + "|"
                + key
                + "|"
                + pointer
                + "|"
                + (dedupe == null ? "" : PackedDedupe.of(dedupe));
    }

    /** A pointer as jobs show it, see include/pointers.lua; empty for none. */
    private static String shown(@Nullable Pointer pointer) {
        return pointer == null ? "" : pointer.token() + ":" + pointer.millis();
    }

    /** The priority of a job's own, as scripts take it: empty for the usual one. */
    static String ownPriority(JobContent content) {
        return content.priority() == JobOptions.USUAL_PRIORITY ? "" : String.valueOf(content.priority());
    }

    /** The key of a job, as scripts take it: empty for none. */
    static String key(JobContent content) {
        String key = content.key();
        return key == null ? "" : PackedKey.of(key);
    }

    @Override
    public CompletableFuture<Claimed> claim(Call call, ClaimRequest request) {
        KeyNames names = request.mixed() ? keys.allIn(call.lane()) : in(call);
        List<?> args = List.of(
                call.number(),
                request.node(),
                request.limits().jobs(),
                request.leaseMillis(),
                request.random(),
                request.limits().lost(),
                request.limits().bytes(),
                request.unsure() ? 1 : 0,
                notices,
                keys.shard(),
                request.aheadMillis(),
                request.worker(),
                request.boostMillis());
        // The connection may be slow, so a repeat of an unanswered claim has more time.
        return request.unsure()
                ? scripts.listWithFullTimeout(Edge.CLAIM.script(), names, args, Answers::claimed)
                : scripts.list(Edge.CLAIM.script(), names, args, Answers::claimed);
    }

    @Override
    public CompletableFuture<List<Boolean>> settle(Call call, List<? extends Settlement> settlements) {
        Edge edge = settlements.get(0).edge();
        if (settlements.stream().anyMatch(one -> one instanceof Settlement.Release back && back.slowMillis() != null)) {
            scripts.knowKeys();
        }
        return each(edge, in(call), forSettlements(edge, call), settlements, this::write, ResultCodes::flags);
    }

    /** The arguments of an edge's script before the settlements. */
    private List<?> forSettlements(Edge edge, Call call) {
        return switch (edge) {
            case COMPLETE -> List.of(call.number(), keptMillis, keptCount);
            case RELEASE -> List.of(call.number(), notices, keys.shard());
            default -> List.of(call.number());
        };
    }

    private void write(List<Object> args, Settlement settlement) {
        lease(args, settlement.lease());
        if (settlement instanceof Settlement.Complete done) {
            args.add(done.result() == null ? "" : done.result());
        } else if (settlement instanceof Settlement.Retry failed) {
            args.add(failed.backoffMillis());
            args.add(failed.error());
        } else if (settlement instanceof Settlement.Bury given) {
            args.add(given.reason());
            args.add(given.spent() ? 1 : 0);
        } else if (settlement instanceof Settlement.Release back) {
            args.add(back.noHandlerMillis() == null ? "" : back.noHandlerMillis());
            args.add(back.missingHandler() == null ? "" : back.missingHandler());
            args.add(back.leaseEndsMillis() == null ? "" : back.leaseEndsMillis());
            args.add(back.slowMillis() == null ? "" : back.slowMillis());
            args.add(back.begun() ? 1 : "");
        }
    }

    @Override
    public CompletableFuture<List<Boolean>> renew(List<Renewal> renewals) {
        return each(
                scripts,
                Edge.RENEW.script(),
                keys,
                List.of(),
                renewals,
                (args, one) -> {
                    lease(args, one.lease());
                    args.add(one.leaseMillis());
                },
                ResultCodes::flags);
    }

    @Override
    public CompletableFuture<List<Boolean>> report(List<Report> reports) {
        return each(
                scripts,
                "report",
                keys,
                List.of(),
                reports,
                (args, one) -> {
                    lease(args, one.lease());
                    args.add(FinishedJob.pack(one.progress()));
                },
                ResultCodes::flags);
    }

    @Override
    public CompletableFuture<List<ActionResult>> cancel(Call call, List<String> ids) {
        List<?> head = List.of(call.number(), keptMillis, keptCount, notices, keys.shard());
        return each(Edge.CANCEL, in(call), head, ids, List::add, ResultCodes::actions);
    }

    @Override
    public CompletableFuture<List<ActionResult>> reschedule(Call call, List<Rescheduled> jobs) {
        return each(
                Edge.RESCHEDULE,
                in(call),
                List.of(call.number()),
                jobs,
                (args, job) -> {
                    args.add(job.id());
                    args.add(job.delayMillis());
                },
                ResultCodes::actions);
    }

    @Override
    public CompletableFuture<List<ActionResult>> redrive(Call call, List<String> ids) {
        return each(Edge.REDRIVE, in(call), List.of(call.number()), ids, List::add, ResultCodes::actions);
    }

    @Override
    public CompletableFuture<List<String>> redriveAll(Call call, int limit, long startMicros, long spacingMicros) {
        return scripts.string(
                "redrive_all",
                in(call),
                List.of(call.number(), limit, startMicros, spacingMicros),
                ids -> ids.isEmpty() ? List.of() : List.of(ids.split("\n", -1)));
    }

    @Override
    public CompletableFuture<List<ActionResult>> purge(Call call, List<String> ids) {
        return each(scripts, "purge", in(call), List.of(call.number()), ids, List::add, ResultCodes::actions);
    }

    @Override
    public CompletableFuture<Integer> purgeDead(Call call, long olderThanMillis, int limit) {
        return scripts.string("purge_dead", in(call), List.of(call.number(), olderThanMillis, limit), Integer::valueOf);
    }

    @Override
    public CompletableFuture<Integer> evict(Call call, int limit) {
        return scripts.string("evict", in(call), List.of(call.number(), limit), Integer::valueOf);
    }

    @Override
    public CompletableFuture<Feed.Answer> feed(Feed.Request request) {
        Feed.Presence presence = request.presence();
        Feed.Terms terms = request.terms();
        List<?> args = List.of(
                presence.node(),
                presence.stayMillis(),
                terms.holdMillis(),
                terms.horizonMillis(),
                terms.quietLimit(),
                request.arrangedMillis(),
                "workers=" + presence.workers() + "|free=" + presence.free(),
                presence.jobs() == null ? "" : "=" + String.join("\n", presence.jobs()),
                keptMillis,
                keptCount,
                terms.leaseMillis(),
                request.pulse().bornMillis(),
                request.pulse().fedMillis(),
                request.registeredMillis(),
                PackedLimits.of(terms.limits()),
                PackedLimits.of(terms.limits().perKey()),
                terms.zones(),
                Feed.Terms.ZONES_MILLIS);
        if (!terms.limits().equals(Limits.NONE)) {
            scripts.knowKeys();
        }
        return scripts.list("feed", keys, args, Answers::fed);
    }

    @Override
    public CompletableFuture<Boolean> resign(String node) {
        return scripts.number("resign", keys, List.of(node)).thenApply(done -> true);
    }

    @Override
    public CompletableFuture<Optional<StoredJob>> find(String id) {
        return scripts.list("find", keys, List.of(id), Answers::found);
    }

    @Override
    public CompletableFuture<Listing.Answer> list(Listing.Request request) {
        Listing.Position after = request.after();
        List<?> args = List.of(
                ResultCodes.of(request.state()),
                request.nameMark() == null ? "" : request.nameMark(),
                request.idPrefix() == null ? "" : request.idPrefix(),
                after == null ? "" : after.millis(),
                after == null ? "" : after.id(),
                request.limit());
        return scripts.list("list", keys, args, Answers::listed);
    }

    @Override
    public CompletableFuture<Listing.Indexed> indexed(String mark, int limit) {
        return scripts.list("indexed", keys, List.of(mark, limit), Answers::indexed);
    }

    @Override
    public CompletableFuture<FleetView> fleet() {
        return scripts.list("fleet", keys, List.of(), Answers::fleet);
    }

    @Override
    public CompletableFuture<Tally> tally() {
        return scripts.list(COUNTS, keys, List.of(), Answers::tally);
    }

    @Override
    public CompletableFuture<Integer> spread(int shards, boolean runs) {
        return scripts.number("spread", keys, List.of(shards, runs ? 1 : 0)).thenApply(Long::intValue);
    }

    @Override
    public CompletableFuture<Boolean> pause(boolean paused) {
        return scripts.number("pause", keys, List.of(paused ? 1 : 0)).thenApply(done -> true);
    }

    @Override
    public CompletableFuture<Flow.Page> flow(Flow.Request request) {
        List<?> args = List.of(
                request.after() == null ? "" : request.after(),
                request.limit(),
                request.bound(),
                Flow.KEPT_MILLIS,
                Fence.newTerm(),
                request.compares() ? 1 : 0);
        return scripts.list("flow", keys, args, FlowEntries::page);
    }

    @Override
    public CompletableFuture<Boolean> raiseFence(String term) {
        return scripts.number("raise_fence", keys, List.of(term)).thenApply(done -> true);
    }

    @Override
    public CompletableFuture<Long> trimFlow(String upTo) {
        return scripts.number("trim_flow", keys, List.of(upTo));
    }

    @Override
    public CompletableFuture<Flow.Missing> missing(List<String> ids) {
        return scripts.list("missing", keys, ids, FlowEntries::missing);
    }

    @Override
    public CompletableFuture<Boolean> beginRestore(String term) {
        return scripts.number("begin_restore", keys, List.of(term)).thenApply(done -> true);
    }

    @Override
    public CompletableFuture<List<Boolean>> restore(Call call, RestorePermit permit, List<RestoredJob> jobs) {
        List<Object> args = new ArrayList<>(2 + 12 * jobs.size());
        args.add(call.number());
        args.add(permit.toString());
        jobs.forEach(job -> write(args, job));
        if (jobs.stream().anyMatch(job -> job.content().key() != null)) {
            scripts.knowKeys();
        }
        return scripts.string(
                Edge.RESTORE.script(),
                in(call),
                args,
                answer -> answer.isEmpty() ? List.of() : ofEach(jobs, ResultCodes.flags(answer)));
    }

    @Override
    public Schedules schedules() {
        return new RedisSchedules(scripts, keys);
    }

    @Override
    public ShardLimits limits() {
        return new RedisLimits(scripts, keys);
    }

    @Override
    public Pointers pointers() {
        return new RedisPointers(scripts, keys);
    }

    private static void write(List<Object> args, RestoredJob job) {
        args.add(job.id());
        args.add(ResultCodes.of(job.state()));
        args.add(job.dueMillis());
        args.add(job.placeMillis() == null ? "" : job.placeMillis());
        args.add(job.attempt());
        ownTerms(args, job.content());
        args.add(shown(job.pointer()));
        args.add(job.error() == null ? "" : job.error());
        args.add(job.content().record());
    }

    private static void ownTerms(List<Object> args, JobContent content) {
        args.add(content.leaseMillis() == null ? "" : content.leaseMillis());
        args.add(ownPriority(content));
        args.add(key(content));
        args.add(content.dedupe() == null ? "" : PackedDedupe.of(content.dedupe()));
    }

    private <J, A> CompletableFuture<List<A>> each(
            Edge edge,
            KeyNames names,
            List<?> head,
            List<J> jobs,
            BiConsumer<List<Object>, J> write,
            Function<String, List<A>> read) {
        return each(scripts, edge.script(), names, head, jobs, write, read);
    }

    /** Runs a script for several jobs, which answers one character per job. */
    private static <J, A> CompletableFuture<List<A>> each(
            TextScripts scripts,
            String script,
            KeyNames names,
            List<?> head,
            List<J> jobs,
            BiConsumer<List<Object>, J> write,
            Function<String, List<A>> read) {
        List<Object> args = new ArrayList<>(head.size() + 6 * jobs.size());
        args.addAll(head);
        jobs.forEach(job -> write.accept(args, job));
        return scripts.string(script, names, args, answer -> ofEach(jobs, read.apply(answer)));
    }

    /** The answers, of which there must be one for each job. */
    static <A> List<A> ofEach(List<?> jobs, List<A> answers) {
        if (answers.size() != jobs.size()) {
            throw new IllegalStateException(answers.size() + " answers for " + jobs.size() + " jobs");
        }
        return answers;
    }

    private KeyNames in(Call call) {
        return keys.in(call.lane());
    }

    private static void lease(List<Object> args, Lease lease) {
        args.add(lease.id());
        args.add(lease.token());
    }
}
