package io.delayjob.engine.memory;

import io.delayjob.ActionResult;
import io.delayjob.Dedupe;
import io.delayjob.JobState;
import io.delayjob.QueueCounts;
import io.delayjob.SubmitResult;
import io.delayjob.engine.ledger.Backend.Cancellation;
import io.delayjob.engine.ledger.Backend.Notice;
import io.delayjob.engine.ledger.Backend.PassedOn;
import io.delayjob.engine.ledger.Call;
import io.delayjob.engine.ledger.ClaimRequest;
import io.delayjob.engine.ledger.Claimed;
import io.delayjob.engine.ledger.Edge;
import io.delayjob.engine.ledger.Feed;
import io.delayjob.engine.ledger.FleetView;
import io.delayjob.engine.ledger.Flow;
import io.delayjob.engine.ledger.KeptSchedule;
import io.delayjob.engine.ledger.Lease;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.LedgerException;
import io.delayjob.engine.ledger.Listing;
import io.delayjob.engine.ledger.Listing.Position;
import io.delayjob.engine.ledger.NewJob;
import io.delayjob.engine.ledger.Pointers;
import io.delayjob.engine.ledger.RestorePermit;
import io.delayjob.engine.ledger.RestoredJob;
import io.delayjob.engine.ledger.Retention;
import io.delayjob.engine.ledger.Schedules;
import io.delayjob.engine.ledger.Settlement;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.engine.ledger.ShardLimits;
import io.delayjob.engine.ledger.StoredJob;
import io.delayjob.engine.ledger.Tally;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A shard in memory. Each step does in Java what the script of its name does in Lua. The class is long because it implements the
 * whole interface; separable parts are classes of their own.
 */
final class MemoryLedger implements Ledger {

    /** After how long a claim that waits for the journal is worthwhile again. */
    private static final long AGAIN_MILLIS = 200;

    private final ShardId id;
    private final MemoryShard shard;
    private final Retention retention;
    private final LongSupplier clock;
    private final Consumer<Notice> notices;

    /**
     * Creates the ledger of a shard.
     *
     * @param retention which finished jobs are kept
     * @param clock the clock, in milliseconds since 1970
     * @param notices receives the notices to all nodes
     */
    MemoryLedger(ShardId id, MemoryShard shard, Retention retention, LongSupplier clock, Consumer<Notice> notices) {
        this.id = id;
        this.shard = shard;
        this.retention = retention;
        this.clock = clock;
        this.notices = notices;
    }

    @Override
    public CompletableFuture<List<SubmitResult>> submit(Call call, List<NewJob> jobs) {
        return once(call, now -> {
            if (!jobs.isEmpty()) {
                shard.flow.checkRoom(now);
            }
            Set<String> changed = new HashSet<>();
            List<SubmitResult> results = new ArrayList<>();
            Predicate<NewJob> late = shard.flow.late(now);
            jobs.forEach(job -> results.add(submit(job, late, now, changed)));
            shard.flow.relayed(jobs, now);
            shard.ring(changed, now);
            shard.keys.expire(now, 2 * jobs.size());
            return results;
        });
    }

    private SubmitResult submit(NewJob job, Predicate<NewJob> late, long now, Set<String> changed) {
        if (late.test(job)) {
            return leftOut(job, SubmitResult.Outcome.JOURNALED);
        } else if (job.isElsewhere()) {
            return refuse(job, job.id(), SubmitResult.Outcome.EXISTS, now);
        } else if (shard.pointers.refuses(job.id(), job.pointer(), now)) {
            return leftOut(job, SubmitResult.Outcome.UNCONFIRMED);
        }
        return submit(job, now, changed);
    }

    /** The result of a job that leaves no trace. */
    private SubmitResult leftOut(NewJob job, SubmitResult.Outcome outcome) {
        return new SubmitResult(id.queue(), job.id(), outcome);
    }

    @Override
    public CompletableFuture<List<SubmitResult>> outcome(Call call, List<String> ids) {
        return submit(call, List.of());
    }

    private SubmitResult submit(NewJob job, long now, Set<String> changed) {
        Dedupe dedupe = job.content().dedupe();
        String first = dedupe == null ? null : shard.first(dedupe.key(), now);
        if (dedupe != null && first != null) {
            return submit(job, dedupe, first, now, changed);
        }
        if (shard.jobs.containsKey(job.id())) {
            return refuse(job, job.id(), SubmitResult.Outcome.EXISTS, now);
        }
        return store(job, SubmitResult.Outcome.STORED, now, changed);
    }

    /** Submits a job whose dedupe key is taken. */
    private SubmitResult submit(NewJob job, Dedupe dedupe, String first, long now, Set<String> changed) {
        boolean fresh = shard.fresh(first, dedupe.key());
        boolean replaces = fresh && dedupe.mode() == Dedupe.Mode.REPLACE;
        if (shard.jobs.containsKey(job.id()) && !(replaces && first.equals(job.id()))) {
            return refuse(job, job.id(), SubmitResult.Outcome.EXISTS, now);
        }
        if (replaces) {
            shard.remove(shard.job(first));
            if (!first.equals(job.id())) {
                shard.flow.note(Flow.Kind.REPLACE, first, JobState.CANCELLED, 0, null, null, job.id(), null, now);
            }
            return store(job, SubmitResult.Outcome.REPLACED, now, changed);
        }
        if (fresh && dedupe.mode() == Dedupe.Mode.POSTPONE) {
            shard.remove(shard.job(first));
            SubmitResult postponed =
                    store(new NewJob(first, job.due(), job.content()), SubmitResult.Outcome.POSTPONED, now, changed);
            refuse(job, first, SubmitResult.Outcome.POSTPONED, now);
            return postponed;
        }
        return refuse(job, first, SubmitResult.Outcome.KEPT, now);
    }

    /** Stores nothing, because of another job. */
    private SubmitResult refuse(NewJob job, String other, SubmitResult.Outcome outcome, long now) {
        shard.flow.note(Flow.Kind.REFUSE, job.id(), null, 0, null, null, null, other, null, tag(job), now);
        return new SubmitResult(id.queue(), other, outcome);
    }

    private SubmitResult store(NewJob job, SubmitResult.Outcome outcome, long now, Set<String> changed) {
        MemoryJob stored = new MemoryJob(job.id(), job.content().storedAt(now));
        shard.add(stored);
        shard.waiting.add(stored, due(job, now));
        Dedupe dedupe = job.content().dedupe();
        if (dedupe != null) {
            shard.keys.take(dedupe, job.id(), now);
        }
        changed.add(job.id());
        shard.note(Flow.Kind.SUBMIT, stored, null, stored.content, tag(job), now);
        return new SubmitResult(id.queue(), job.id(), outcome);
    }

    private static @Nullable Long tag(NewJob job) {
        return job.journaled() == null ? null : job.journaled().tag();
    }

    private static long due(NewJob job, long now) {
        return job.due().fromNow() ? now + job.due().millis() : job.due().millis();
    }

    @Override
    public CompletableFuture<Claimed> claim(Call call, ClaimRequest request) {
        List<String> names = new ArrayList<>();
        CompletableFuture<Claimed> answer = step(now -> {
            Object known = shard.memos.recall(call);
            int nodes = shard.members.alive(now).size();
            boolean held = shard.members.isHeld(now);
            Claimed.Mode mode = shard.busyUntil > now ? Claimed.Mode.BUSY : Claimed.Mode.QUIET;
            if (known instanceof List<?> before) {
                List<Claimed.Job> again = handOutAgain(before, request, now);
                return new Claimed(again, mode, shard.toNext(now, request.aheadMillis()), nodes, held);
            } else if (shard.paused) {
                keep(call, request, now, List.of());
                return new Claimed(List.of(), Claimed.Mode.PAUSED, null, nodes, held);
            } else if (shard.flow.isFull(now)) {
                keep(call, request, now, List.of());
                return new Claimed(List.of(), Claimed.Mode.FULL, null, nodes, held);
            } else if (shard.flow.awaitsJournal(now)) {
                keep(call, request, now, List.of());
                return new Claimed(List.of(), mode, AGAIN_MILLIS, nodes, held);
            }
            int lostLimit =
                    shard.pulse.gracePeriodEnd(now) > 0 ? 0 : request.limits().besideLost();
            MixedFleet.Front front =
                    request.mixed() ? sortOut(request, lostLimit, now, names) : MixedFleet.Front.of(request, lostLimit);
            List<Claimed.Job> jobs = handOut(call, request, front, now);
            Long next = front.more() ? Long.valueOf(0) : shard.toNext(now, request.aheadMillis());
            return new Claimed(jobs, mode, next, nodes, held);
        });
        tell(names);
        return answer;
    }

    private MixedFleet.Front sortOut(ClaimRequest request, int lostLimit, long now, List<String> names) {
        MixedFleet fleet = new MixedFleet(shard, request.node(), now);
        MixedFleet.Front front = fleet.sortOut(request, lostLimit);
        names.addAll(fleet.told());
        return front;
    }

    private void tell(List<String> names) {
        if (!names.isEmpty()) {
            notices.accept(new PassedOn(id, names));
        }
    }

    private void keep(Call call, ClaimRequest request, long now, List<Claimed.Job> jobs) {
        if (!jobs.isEmpty() || request.unsure()) {
            shard.memos.remember(call, now, jobs);
        }
    }

    private List<Claimed.Job> handOut(Call call, ClaimRequest request, MixedFleet.Front front, long now) {
        ClaimRequest.Limits limits = request.limits();
        List<MemoryJob> due = new ArrayList<>(jobs(shard.reserved.upTo(now, front.lost())));
        int expired = due.size();
        int limit = due.isEmpty() ? limits.jobs() : limits.besideLost();
        due.addAll(jobs(shard.waiting.due(
                now + request.aheadMillis(),
                Math.min(front.waiting(), limit - due.size()),
                request.boostMillis(),
                now,
                limits.besideLost())));
        int fit = together(due.subList(0, fit(due, limits.bytes())), limits.lost());
        shard.epoch += fit > 0 ? 1 : 0;
        List<Claimed.Job> jobs = new ArrayList<>();
        for (MemoryJob job : due.subList(0, fit)) {
            jobs.add(reserve(job, request, jobs.size() < expired, now));
        }
        keep(call, request, now, jobs);
        return jobs;
    }

    private List<MemoryJob> jobs(List<Position> places) {
        return places.stream().map(place -> shard.job(place.id())).toList();
    }

    /** How many of these jobs fit into this many bytes of records; at least one, if there are any. */
    private static int fit(List<MemoryJob> jobs, int bytes) {
        int fit = 0;
        int left = bytes;
        while (fit < jobs.size() && bytes > 0) {
            left -= jobs.get(fit).content.record().getBytes(StandardCharsets.UTF_8).length;
            if (left < 0 && fit > 0) {
                return fit;
            }
            fit++;
        }
        return fit;
    }

    /** How many of these jobs may be handed out together, because a job whose lease ran out may have crashed its node. */
    private static int together(List<MemoryJob> jobs, int besideLost) {
        int inFront = 0;
        while (inFront < jobs.size() && jobs.get(inFront).lost == 0) {
            inFront++;
        }
        return inFront == jobs.size() ? inFront : Math.min(jobs.size(), Math.max(besideLost, inFront));
    }

    private Claimed.Job reserve(MemoryJob job, ClaimRequest request, boolean expired, long now) {
        if (expired) {
            shard.note(Flow.Kind.EXPIRE, job, now);
            job.lose();
            shard.waiting.beginAgain(job, now);
        } else {
            job.due(existing(shard.waiting.until(job.id)));
            shard.waiting.begin(job, now);
        }
        job.token = shard.epoch + ":" + request.random();
        job.attempt++;
        job.node = request.worker();
        job.claimedMillis = job.dueMillis == null ? now : Math.max(now, job.dueMillis);
        Claimed.Job claimed = lease(job, request, expired, now);
        shard.note(Flow.Kind.CLAIM, job, now);
        return claimed;
    }

    /**
     * Repeats a claim: hands out the jobs that it still holds under fresh leases, as many as fit, and gives the rest back if the call is the
     * sender's own. The leases end 1 ms later than the answer says.
     */
    private List<Claimed.Job> handOutAgain(List<?> before, ClaimRequest request, long now) {
        Map<MemoryJob, Boolean> held = new LinkedHashMap<>();
        for (Object one : before) {
            Claimed.Job claimed = (Claimed.Job) one;
            MemoryJob job = shard.held(claimed.lease());
            if (job != null) {
                held.put(job, claimed.expired());
            }
        }
        int fit = fit(List.copyOf(held.keySet()), request.limits().bytes());
        List<Claimed.Job> jobs = new ArrayList<>();
        Set<String> givenBack = new HashSet<>();
        held.forEach((job, expired) -> {
            if (jobs.size() < fit) {
                jobs.add(lease(job, request, expired, now));
                shard.reserved.put(job.id, existing(shard.reserved.score(job.id)) + 1);
            } else if (request.unsure()) {
                giveBack(job, now);
                shard.note(Flow.Kind.RELEASE, job, now);
                givenBack.add(job.id);
            }
        });
        shard.ring(givenBack, now);
        return jobs;
    }

    private void giveBack(MemoryJob job, long now) {
        job.free();
        job.attempt--;
        shard.waiting.giveBack(job, now);
        shard.moveBackToWaiting(job, job.dueMillis == null ? now : job.dueMillis);
    }

    private Claimed.Job lease(MemoryJob job, ClaimRequest request, boolean expired, long now) {
        Claimed.Job claimed = job.claimed(expired, now);
        Long own = job.content.leaseMillis();
        long lease = own == null ? request.leaseMillis() : own;
        shard.moveToReserved(job, claimed.beginsMillis() + lease);
        return claimed;
    }

    @Override
    public CompletableFuture<List<Boolean>> settle(Call call, List<? extends Settlement> settlements) {
        Set<String> names = new LinkedHashSet<>();
        CompletableFuture<List<Boolean>> answer = once(call, now -> {
            Set<String> changed = new HashSet<>();
            List<Boolean> answers = new ArrayList<>();
            for (Settlement settlement : settlements) {
                MemoryJob job = settled(settlement);
                if (job != null) {
                    settle(job, settlement, now, names);
                    changed.add(job.id);
                }
                answers.add(job != null);
            }
            shard.ring(changed, now);
            if (settlements.get(0).edge() == Edge.COMPLETE) {
                prune(settlements.size(), now);
            }
            return answers;
        });
        tell(List.copyOf(names));
        return answer;
    }

    /** The job that a settlement applies to; null if it applies to none. */
    private @Nullable MemoryJob settled(Settlement settlement) {
        MemoryJob job = shard.held(settlement.lease());
        Long ends = settlement instanceof Settlement.Release back ? back.leaseEndsMillis() : null;
        return job == null || ends == null || ends.equals(shard.reserved.score(job.id)) ? job : null;
    }

    private void settle(MemoryJob job, Settlement settlement, long now, Set<String> names) {
        if (settlement instanceof Settlement.Complete done) {
            finish(job, Flow.Kind.COMPLETE, JobState.COMPLETED, done.result(), now);
        } else if (settlement instanceof Settlement.Retry failed) {
            job.end();
            job.error = failed.error();
            shard.moveBackToWaiting(job, now + failed.backoffMillis());
            shard.note(Flow.Kind.RETRY, job, failed.error(), null, now);
        } else if (settlement instanceof Settlement.Bury given) {
            bury(job, given, now);
        } else if (settlement instanceof Settlement.Release back) {
            release(job, back, now, names);
        }
    }

    private void bury(MemoryJob job, Settlement.Bury given, long now) {
        job.end();
        job.attempt -= given.spent() ? 0 : 1;
        job.error = given.reason();
        shard.moveToDead(job, now);
        shard.note(Flow.Kind.BURY, job, given.reason(), null, now);
        shard.keys.free(job);
    }

    private void release(MemoryJob job, Settlement.Release back, long now, Set<String> names) {
        if (back.slowMillis() != null) {
            shard.waiting.limits.slow(job.content.key(), now + back.slowMillis());
        }
        giveBack(job, now);
        job.begun |= back.begun();
        Long wait = back.noHandlerMillis();
        if (wait == null) {
            job.noHandlerSinceMillis = null;
        } else {
            leave(job, back.missingHandler(), now, now + wait, names);
            shard.moveBackToWaiting(job, now + wait);
        }
        shard.note(Flow.Kind.RELEASE, job, now);
    }

    private void finish(MemoryJob job, Flow.Kind kind, JobState state, @Nullable String result, long now) {
        shard.flow.note(kind, job.id, state, job.attempt, null, null, result, null, now);
        if (retention.keeps()) {
            shard.finished.retain(job.id, job.ended(state, now, result));
        }
        shard.remove(job);
    }

    private void prune(int jobs, long now) {
        if (retention.keeps()) {
            shard.finished.prune(retention, now, 2 * jobs + 10);
        }
    }

    private void leave(MemoryJob job, @Nullable String name, long now, long again, Set<String> names) {
        boolean otherHasIt = name != null && shard.members.haveHandler(name, now);
        if (shard.hints.add(name == null ? Tally.NEWER : name, job) && otherHasIt) {
            names.add(name);
        }
        if (otherHasIt) {
            job.noHandlerSinceMillis = again;
        } else if (job.noHandlerSinceMillis == null) {
            job.noHandlerSinceMillis = now;
        }
    }

    @Override
    public CompletableFuture<List<Boolean>> renew(List<Renewal> renewals) {
        return step(now -> renewals.stream()
                .map(one -> holding(one.lease(), job -> {
                    long expiry = Math.max(now + one.leaseMillis(), existing(shard.reserved.score(job.id)));
                    shard.reserved.put(job.id, expiry);
                }))
                .toList());
    }

    @Override
    public CompletableFuture<List<Boolean>> report(List<Report> reports) {
        return step(now -> reports.stream()
                .map(one -> holding(one.lease(), job -> job.progress = one.progress()))
                .toList());
    }

    private boolean holding(Lease lease, Consumer<MemoryJob> step) {
        MemoryJob job = shard.held(lease);
        if (job != null) {
            step.accept(job);
        }
        return job != null;
    }

    @Override
    public CompletableFuture<List<ActionResult>> cancel(Call call, List<String> ids) {
        List<Notice> interrupted = new ArrayList<>();
        CompletableFuture<List<ActionResult>> answer = once(call, now -> {
            List<ActionResult> results = act(ids, now, Edge.CANCEL, id -> {
                MemoryJob job = shard.job(id);
                if (shard.reserved.contains(id)) {
                    interrupted.add(new Cancellation(this.id, new Lease(id, job.token)));
                }
                finish(job, Flow.Kind.CANCEL, JobState.CANCELLED, null, now);
            });
            prune(ids.size(), now);
            return results;
        });
        interrupted.forEach(notices);
        return answer;
    }

    @Override
    public CompletableFuture<List<ActionResult>> reschedule(Call call, List<Rescheduled> jobs) {
        return once(call, now -> {
            List<ActionResult> results = new ArrayList<>();
            for (Rescheduled one : jobs) {
                results.addAll(act(List.of(one.id()), now, Edge.RESCHEDULE, id -> {
                    shard.due(shard.job(id), now + one.delayMillis());
                    shard.note(Flow.Kind.RESCHEDULE, shard.job(id), now);
                }));
            }
            return results;
        });
    }

    @Override
    public CompletableFuture<List<ActionResult>> redrive(Call call, List<String> ids) {
        return once(call, now -> act(ids, now, Edge.REDRIVE, id -> revive(id, now, now)));
    }

    private void revive(String id, long due, long now) {
        shard.job(id).renew();
        shard.redrive(shard.job(id), due);
        shard.note(Flow.Kind.REDRIVE, shard.job(id), now);
    }

    /** Applies an action to the jobs whose state allows its edge. */
    private List<ActionResult> act(List<String> ids, long now, Edge edge, Consumer<String> action) {
        return act(ids, now, edge.from(), action);
    }

    private List<ActionResult> act(List<String> ids, long now, Set<JobState> from, Consumer<String> action) {
        List<ActionResult> results = new ArrayList<>();
        for (String id : ids) {
            StoredJob job = shard.find(id, now);
            boolean allowed = job != null && from.contains(job.state());
            if (allowed) {
                action.accept(id);
            }
            results.add(job == null ? ActionResult.NO_SUCH_JOB : new ActionResult(allowed, job.state()));
        }
        shard.ring(Set.copyOf(ids), now);
        return results;
    }

    @Override
    public CompletableFuture<List<String>> redriveAll(Call call, int limit, long startMicros, long spacingMicros) {
        return once(call, now -> {
            List<String> ids = shard.dead.upTo(Long.MAX_VALUE - 1, limit).stream()
                    .map(Position::id)
                    .toList();
            for (int i = 0; i < ids.size(); i++) {
                revive(ids.get(i), now + Math.floorDiv(startMicros + i * spacingMicros, 1000L), now);
            }
            shard.ring(Set.copyOf(ids), now);
            return ids;
        });
    }

    @Override
    public CompletableFuture<List<ActionResult>> purge(Call call, List<String> ids) {
        return once(call, now -> act(ids, now, Set.of(JobState.DEAD), id -> purge(id, now)));
    }

    private void purge(String id, long now) {
        shard.remove(shard.job(id));
        shard.flow.note(Flow.Kind.PURGE, id, null, 0, null, now);
    }

    @Override
    public CompletableFuture<Integer> purgeDead(Call call, long olderThanMillis, int limit) {
        return once(call, now -> {
            List<Position> old = shard.dead.upTo(now - olderThanMillis, limit);
            old.forEach(place -> purge(place.id(), now));
            shard.ring(Set.of(), now);
            return old.size();
        });
    }

    @Override
    public CompletableFuture<Integer> evict(Call call, int limit) {
        return once(call, now -> {
            long always = Long.MAX_VALUE - 1;
            List<String> ids = Stream.of(
                            shard.waiting.any(limit),
                            shard.reserved.upTo(always, limit),
                            shard.dead.upTo(always, limit))
                    .flatMap(List::stream)
                    .map(Position::id)
                    .limit(limit)
                    .toList();
            ids.forEach(id -> shard.remove(shard.job(id)));
            return ids.size();
        });
    }

    @Override
    public CompletableFuture<Feed.Answer> feed(Feed.Request request) {
        return step(now -> {
            Feed.Presence node = request.presence();
            Feed.Terms terms = request.terms();
            Feed.Pulse pulse = node.stayMillis() > 0 ? shard.pulse.beat(now) : new Feed.Pulse(0, now);
            shard.members.register(node, now);
            if (shard.waiting.limits.declare(node.node(), terms.limits(), now)) {
                shard.waiting.limitsChanged(now);
                shard.doorbell.ring();
            }
            boolean hasSchedules = shard.schedules.firstInstant() != null;
            String laterZones = shard.members.laterZones(node.node(), terms.zones(), hasSchedules, now);
            if (laterZones != null || !shard.members.holds(node.node(), terms.holdMillis(), now)) {
                return fed(node.node(), false, 0, pulse, null, laterZones, now);
            }
            shard.hints.prune();
            shard.keys.expire(now, 100);
            shard.finished.prune(retention, now, MAX_BATCH);
            shard.waiting.limits.prune(now);
            shard.waiting.lanes.prune(now);
            long upTo = now + terms.horizonMillis();
            if (shard.waiting.countStartable(upTo) > terms.quietLimit()) {
                shard.busyUntil = now + terms.holdMillis();
                shard.arranged(request.arrangedMillis(), now + terms.holdMillis());
                return fed(node.node(), true, request.arrangedMillis(), pulse, null, null, now);
            }
            shard.busyUntil = 0;
            shard.arranged(upTo, now + 2 * terms.horizonMillis());
            Position first = shard.waiting.next(request.arrangedMillis(), upTo, now);
            Feed.Ring next = first == null ? null : new Feed.Ring(first.id(), Math.max(0, first.millis() - now));
            return fed(node.node(), true, upTo, pulse, next, null, now);
        });
    }

    private Feed.Answer fed(
            String node,
            boolean holder,
            long watermark,
            Feed.Pulse pulse,
            Feed.@Nullable Ring next,
            @Nullable String laterZones,
            long now) {
        boolean known = shard.members.names(node) != null;
        boolean mixed = shard.members.isMixed(now) || shard.hints.size() > 0;
        Long instant = holder ? shard.schedules.untilInstant(now) : null;
        return new Feed.Answer(
                shard.members.size(), holder, watermark, known, mixed, pulse, next, 0, instant, laterZones);
    }

    @Override
    public CompletableFuture<Boolean> resign(String node) {
        return step(now -> {
            shard.members.resign(node);
            shard.members.alive(now).forEach(stays -> shard.doorbell.ring());
            return true;
        });
    }

    @Override
    public CompletableFuture<Optional<StoredJob>> find(String id) {
        return step(now -> Optional.ofNullable(shard.find(id, now)));
    }

    @Override
    public CompletableFuture<Listing.Answer> list(Listing.Request request) {
        return step(now -> new Look(shard, request, now).answer());
    }

    @Override
    public CompletableFuture<Listing.Indexed> indexed(String mark, int limit) {
        return step(now -> {
            Set<String> ids = shard.index.of(mark);
            List<Listing.Entry> jobs = ids.stream()
                    .limit(limit)
                    .flatMap(id -> Stream.ofNullable(shard.find(id, now)).map(job -> new Listing.Entry(id, job)))
                    .toList();
            return new Listing.Indexed(jobs, ids.size() > limit);
        });
    }

    @Override
    public CompletableFuture<FleetView> fleet() {
        return step(now -> new FleetView(now, shard.paused, shard.flow.fill(now), shard.members.alive(now)));
    }

    @Override
    public CompletableFuture<Tally> tally() {
        return step(now -> {
            int ready = shard.waiting.count(now);
            QueueCounts counts = new QueueCounts(
                    shard.waiting.size() - ready,
                    ready,
                    shard.reserved.size(),
                    shard.dead.size(),
                    shard.finished.order.size(),
                    shard.paused);
            Long oldest = shard.waiting.oldest(now);
            long overdue = Math.max(oldest == null ? 0 : now - oldest, overdue(shard.reserved.first(), now));
            return new Tally(
                    counts,
                    Math.max(overdue, shard.hints.longest(now)),
                    overdue(shard.schedules.firstInstant(), now),
                    shard.waiting.lanes.held(now),
                    shard.waiting.limited(now),
                    shard.hints.counts(name -> !shard.members.haveHandler(name, now)));
        });
    }

    private static long overdue(@Nullable Position first, long now) {
        return first == null ? 0 : Math.max(0, now - first.millis());
    }

    @Override
    public CompletableFuture<Integer> spread(int shards, boolean runs) {
        return step(now -> {
            int before = shard.shards;
            shard.shards = runs || before == 0 ? shards : before;
            return before;
        });
    }

    @Override
    public CompletableFuture<Boolean> pause(boolean paused) {
        return step(now -> {
            shard.paused = paused;
            if (!paused) {
                shard.waiting.limits.endSlow(null);
                shard.doorbell.ring();
            }
            shard.flow.notePause("", paused, now);
            return true;
        });
    }

    @Override
    public CompletableFuture<Flow.Page> flow(Flow.Request request) {
        return step(now -> shard.flow.read(request, now));
    }

    @Override
    public CompletableFuture<Boolean> raiseFence(String term) {
        return step(now -> {
            shard.flow.raise(term);
            return true;
        });
    }

    @Override
    public CompletableFuture<Long> trimFlow(String upTo) {
        return step(now -> {
            boolean wasFull = shard.flow.isFull(now);
            long left = shard.flow.trim(upTo);
            if (wasFull && !shard.flow.isFull(now)) {
                shard.doorbell.ring();
            }
            return left;
        });
    }

    @Override
    public CompletableFuture<Flow.Missing> missing(List<String> ids) {
        return step(now -> {
            Set<String> missing = new HashSet<>(ids);
            missing.removeAll(shard.jobs.keySet());
            return new Flow.Missing(missing, shard.flow.last());
        });
    }

    @Override
    public CompletableFuture<Boolean> beginRestore(String term) {
        return step(now -> {
            if (shard.restores == null || !shard.restores.term().equals(term)) {
                shard.restores = RestorePermit.first(term);
            }
            return true;
        });
    }

    @Override
    public CompletableFuture<List<Boolean>> restore(Call call, RestorePermit permit, List<RestoredJob> jobs) {
        return once(call, now -> {
            shard.flow.checkRoom(now);
            if (!uses(permit)) {
                return List.of();
            }
            Set<String> changed = new HashSet<>();
            List<Boolean> answers =
                    jobs.stream().map(job -> restore(job, now, changed)).toList();
            shard.ring(changed, now);
            return answers;
        });
    }

    /** Whether a permit to put something back is valid; it is for one call. */
    boolean uses(RestorePermit permit) {
        boolean valid = permit.equals(shard.restores);
        shard.restores = valid ? permit.next() : shard.restores;
        return valid;
    }

    private boolean restore(RestoredJob job, long now, Set<String> changed) {
        if (shard.jobs.containsKey(job.id()) || shard.pointers.refuses(job.id(), job.pointer(), now)) {
            return false;
        }
        MemoryJob stored = new MemoryJob(job.id(), job.content());
        stored.attempt = job.attempt();
        stored.error = job.error();
        Dedupe dedupe = job.content().dedupe();
        if (dedupe != null && shard.first(dedupe.key(), now) == null) {
            shard.keys.restore(dedupe, job, now);
        }
        shard.add(stored);
        if (job.state() == JobState.DEAD) {
            shard.restoreDead(stored, job);
        } else {
            shard.restoreWaiting(stored, job);
        }
        changed.add(job.id());
        shard.note(Flow.Kind.RESTORE, stored, job.error(), job.content(), now);
        return true;
    }

    @Override
    public Schedules schedules() {
        return new MemorySchedules(this, shard.schedules);
    }

    @Override
    public ShardLimits limits() {
        return new MemoryLimits(this, shard);
    }

    @Override
    public Pointers pointers() {
        return new MemoryPointers(this, shard, id.number());
    }

    void checkRoom(long now) {
        shard.flow.checkRoom(now);
    }

    boolean awaitsJournal(long now) {
        return shard.flow.awaitsJournal(now);
    }

    void note(String schedule, @Nullable KeptSchedule kept, long now) {
        shard.flow.note(schedule, kept, now);
    }

    void ring(Set<String> changed, long now) {
        shard.ring(changed, now);
    }

    /** Whether a job neither waits nor is reserved. */
    boolean isOver(String id) {
        return shard.waiting.until(id) == null && !shard.reserved.contains(id);
    }

    /** Whether a job is dead. */
    boolean isDead(String id) {
        return shard.dead.contains(id);
    }

    /** Stores the occurrence of a schedule; false if its id exists. */
    boolean store(Schedules.Occurrence job, long now, Set<String> changed) {
        if (shard.jobs.containsKey(job.id())) {
            return false;
        }
        NewJob stored = new NewJob(job.id(), new NewJob.Due(job.dueMillis(), false), job.content());
        store(stored, SubmitResult.Outcome.STORED, now, changed);
        return true;
    }

    <A> CompletableFuture<A> once(Call call, LongFunction<A> step) {
        return step(now -> shard.memos.once(call, now, () -> step.apply(now)));
    }

    <A> CompletableFuture<A> step(LongFunction<A> step) {
        try {
            synchronized (shard) {
                long now = clock.getAsLong();
                A answer = step.apply(now);
                shard.waiting.lanes.settle(now);
                shard.flow.commit(now);
                return CompletableFuture.completedFuture(answer);
            }
        } catch (LedgerException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private static long existing(@Nullable Long score) {
        return score == null ? Long.MIN_VALUE : score;
    }
}
