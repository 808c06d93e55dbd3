package io.delayjob.test;

import io.delayjob.ClaimedJob;
import io.delayjob.DelayJobClaims;
import io.delayjob.JobClaim;
import io.delayjob.JobSettlement;
import io.delayjob.JobState;
import io.delayjob.engine.DelayJobEngine;
import io.delayjob.engine.ManualClaims;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The claims of a test, by the virtual clock. Each asks for due jobs when it is made and, while it waits, whenever the clock has moved or
 * run a job; those that came first ask first. Thread-safe.
 */
final class HandClaims {

    private final VirtualTime time;
    private final Supplier<DelayJobEngine> engine;
    private final Supplier<ManualClaims> claims;
    private final List<Waiting> waiting = new ArrayList<>();
    private final List<HandedOut> handedOut = new CopyOnWriteArrayList<>();

    HandClaims(VirtualTime time, Supplier<DelayJobEngine> engine, Supplier<ManualClaims> claims) {
        this.time = time;
        this.engine = engine;
        this.claims = claims;
    }

    /**
     * A claim that is not answered.
     *
     * @param untilMillis the end of its wait, by the virtual clock
     * @param claimer the thread that made it
     */
    private record Waiting(
            JobClaim claim, long untilMillis, Thread claimer, CompletableFuture<List<ClaimedJob>> answer) {}

    private record HandedOut(ClaimedJob job, Thread claimer) {}

    /** The engine's claims, which settle attempts. */
    DelayJobClaims settler() {
        return engine.get().claims();
    }

    CompletableFuture<List<ClaimedJob>> claim(JobClaim claim) {
        long until = time.millis() + claim.maxWait().toMillis();
        Waiting last = new Waiting(claim, until, Thread.currentThread(), new CompletableFuture<>());
        synchronized (this) {
            waiting.add(last);
        }
        answer();
        return last.answer();
    }

    /** Lets all claims ask, and ends those whose wait is over. Answers without the lock, because an answer may lead to a claim. */
    void answer() {
        taken().forEach(Runnable::run);
    }

    private synchronized List<Runnable> taken() {
        List<Runnable> answers = new ArrayList<>();
        Iterator<Waiting> all = waiting.iterator();
        while (all.hasNext()) {
            Waiting next = all.next();
            boolean gone = next.answer().isDone() || time.millis() > next.untilMillis();
            List<ClaimedJob> jobs = gone ? List.of() : claims.get().claim(next.claim());
            jobs.forEach(job -> handedOut.add(new HandedOut(job, next.claimer())));
            if (gone || !jobs.isEmpty() || time.millis() == next.untilMillis()) {
                all.remove();
                answers.add(() -> answer(next, jobs));
            }
        }
        return answers;
    }

    private void answer(Waiting claim, List<ClaimedJob> jobs) {
        if (!claim.answer().complete(jobs)) {
            settler()
                    .settle(jobs.stream()
                            .map(job -> new JobSettlement.Release(job.handle()))
                            .toList());
        }
    }

    /**
     * The time until a claim that waits may get a job, in milliseconds; empty if it never does. What is due now is not asked for again:
     * the claims that wait have asked for it.
     */
    OptionalLong millisToNext() {
        OptionalLong next = claims.get().millisToNext(queues());
        return next.isPresent() && next.getAsLong() > 0 ? next : OptionalLong.empty();
    }

    private synchronized Collection<String> queues() {
        return waiting.stream()
                .flatMap(claim -> claim.claim().queues().stream())
                .collect(Collectors.toSet());
    }

    /** The ids of jobs that other threads have claimed and not settled, and whose leases end by the given time. */
    List<String> unsettledUntil(long millis) {
        handedOut.removeIf(one -> leaseEnd(one.job()).isEmpty());
        return handedOut.stream()
                .filter(one ->
                        one.claimer() != Thread.currentThread() && one.claimer().isAlive())
                .map(HandedOut::job)
                .filter(job -> leaseEnd(job).orElse(Long.MAX_VALUE) <= millis)
                .map(ClaimedJob::id)
                .toList();
    }

    /** When the lease of an attempt ends; empty if the attempt no longer holds the job. */
    private OptionalLong leaseEnd(ClaimedJob job) {
        return engine
                .get()
                .admin()
                .find(job.queue(), job.id())
                .filter(now -> now.state() == JobState.RESERVED && now.attempt() == job.attempt())
                .stream()
                .mapToLong(now ->
                        now.leaseExpiresAt() == null ? 0 : now.leaseExpiresAt().toEpochMilli())
                .findFirst();
    }

    /** Ends all waits, as a node that stops does. */
    void end() {
        List<Waiting> ended;
        synchronized (this) {
            ended = List.copyOf(waiting);
            waiting.clear();
            handedOut.clear();
        }
        ended.forEach(claim -> claim.answer().complete(List.of()));
    }
}
