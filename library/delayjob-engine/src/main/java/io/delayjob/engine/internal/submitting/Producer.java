package io.delayjob.engine.internal.submitting;

import static java.util.concurrent.CompletableFuture.completedFuture;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.delayjob.DelayJobException;
import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobRequest;
import io.delayjob.JobEvent;
import io.delayjob.JobSubmissionException;
import io.delayjob.JobSubmissionException.Outcome;
import io.delayjob.ReplicationException;
import io.delayjob.SubmitResult;
import io.delayjob.engine.extension.Hooks;
import io.delayjob.engine.extension.Journal;
import io.delayjob.engine.extension.Journal.Fate;
import io.delayjob.engine.extension.Journal.Written;
import io.delayjob.engine.internal.administering.QueuesWatch;
import io.delayjob.engine.internal.calls.Futures;
import io.delayjob.engine.internal.calls.Queues;
import io.delayjob.engine.internal.calls.Shard;
import io.delayjob.engine.internal.pointing.PointedSubmits;
import io.delayjob.engine.internal.pointing.PointedSubmits.Way;
import io.delayjob.engine.ledger.LedgerException;
import io.delayjob.engine.ledger.LedgerException.Kind;
import io.delayjob.engine.ledger.NewJob;
import io.delayjob.engine.ledger.NotReplicatedException;
import io.delayjob.engine.telemetry.QueueTelemetry;
import io.delayjob.support.Checks;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks and writes jobs, and sends them through the lanes of their shards. */
public final class Producer implements DelayJobProducer {

    private static final Logger log = LoggerFactory.getLogger(Producer.class);

    /** How long a submit waits for Redis once the journal has its jobs. */
    private static final Duration JOURNALED_AFTER = Duration.ofSeconds(1);

    private final JobWriter writer;
    private final Queues queues;
    private final PointedSubmits pointing;
    private final Hooks hooks;
    private final boolean submitAfterCommit;
    private final QueuesWatch watch;
    private final Executor callbacks;

    /**
     * A producer.
     *
     * @param submitAfterCommit whether submits inside a transaction wait for its commit, unless the request says otherwise
     * @param callbacks runs the callbacks of returned futures, so that they cannot block the threads that read from Redis
     */
    public Producer(
            JobWriter writer,
            Queues queues,
            Hooks hooks,
            boolean submitAfterCommit,
            QueuesWatch watch,
            Executor callbacks) {
        this.writer = writer;
        this.queues = queues;
        this.pointing = new PointedSubmits(queues);
        this.hooks = hooks;
        this.submitAfterCommit = submitAfterCommit;
        this.watch = watch;
        this.callbacks = callbacks;
    }

    /** When a job is due, as its caller stated it. */
    private record When(@Nullable Duration delay, @Nullable Instant dueAt) {

        static When after(Duration delay) {
            return new When(Checks.delay(delay), null);
        }

        static When at(Instant dueAt) {
            return new When(null, Checks.dueAt(dueAt));
        }

        NewJob.Due due() {
            return delay != null
                    ? new NewJob.Due(Checks.ceilMillis(delay), true)
                    : new NewJob.Due(Checks.ceilMillis(Checks.notNull(dueAt, "dueAt")), false);
        }
    }

    /**
     * A checked job and its shard, and when it was submitted, a {@link System#nanoTime}.
     *
     * @param home the shard of its id, which is another one than that of its key or dedupe key only if the caller gave the id
     */
    private record Prepared(DelayJobRequest<?> request, When when, Shard shard, Shard home, NewJob job, long nanos) {

        String queue() {
            return shard.id().queue();
        }

        boolean isAway() {
            return home != shard;
        }

        PointedSubmits.Placed placed() {
            return new PointedSubmits.Placed(home, shard, job);
        }

        /** The job of a row: its delay counts from its submit, and the row may have been committed much later. */
        Prepared with(NewJob.@Nullable Journaled mark) {
            NewJob now = mark == null ? job : job.with(mark).after(NANOSECONDS.toMillis(System.nanoTime() - nanos));
            return new Prepared(request, when, shard, home, now, nanos);
        }

        Journal.Entry entry() {
            return new Journal.Entry(shard.id(), job, request.id() == null);
        }
    }

    /** A job that was sent. */
    private record Sent(Prepared prepared, CompletableFuture<SubmitResult> answer) {

        /** Answers that the journal has the job, unless there is a better answer. */
        void isJournaled() {
            answer.complete(result(prepared, SubmitResult.Outcome.JOURNALED));
        }

        /** Takes the ledger's answer; without one, the journal has the job. */
        void follow(CompletableFuture<SubmitResult> ledgers) {
            ledgers.whenComplete((result, failure) -> {
                if (failure == null) {
                    answer.complete(result);
                } else {
                    log.debug(
                            "the journal keeps job {} for a later try",
                            prepared.job().id(),
                            failure);
                    isJournaled();
                }
            });
        }
    }

    /**
     * The jobs of one submit that were sent.
     *
     * @param all all jobs of the submit, including those that wait for a commit
     */
    private record Sending(long begunNanos, List<Sent> jobs, List<Prepared> all) {

        CompletableFuture<Void> answered() {
            return CompletableFuture.allOf(jobs.stream().map(Sent::answer).toArray(CompletableFuture[]::new));
        }
    }

    @Override
    public <T> CompletableFuture<SubmitResult> submitAsync(DelayJobRequest<T> request, Duration delay) {
        return submitOne(prepare(request, When.after(delay)));
    }

    @Override
    public <T> CompletableFuture<SubmitResult> submitAsync(DelayJobRequest<T> request, Instant dueAt) {
        return submitOne(prepare(request, When.at(dueAt)));
    }

    @Override
    public <T> SubmitResult submit(DelayJobRequest<T> request, Duration delay) {
        return submitAndWait(prepare(request, When.after(delay)));
    }

    @Override
    public <T> SubmitResult submit(DelayJobRequest<T> request, Instant dueAt) {
        return submitAndWait(prepare(request, When.at(dueAt)));
    }

    private SubmitResult submitAndWait(Prepared prepared) {
        return submit(List.of(prepared), this::waitFor).join().get(0);
    }

    private CompletableFuture<SubmitResult> submitOne(Prepared prepared) {
        return submitAsync(List.of(prepared)).thenApply(results -> results.get(0));
    }

    /** Submits jobs from a thread that must not wait: where the journal waits, it does so on threads of its own. */
    private CompletableFuture<List<SubmitResult>> submitAsync(List<Prepared> all) {
        Executor threads = hooks.journal() == Journal.NONE
                ? null
                : hooks.journal().threadsFor(all.stream().map(Prepared::entry).toList());
        if (threads == null) {
            return submit(all, this::goOn);
        }
        try {
            return CompletableFuture.supplyAsync(() -> submit(all, this::goOn), threads)
                    .thenCompose(Function.identity());
        } catch (RejectedExecutionException e) {
            LedgerException full =
                    new LedgerException(Kind.NOT_RUN, "too many submits wait for the journal's database", e);
            return goOn(new Sending(System.nanoTime(), failed(all, full), all));
        }
    }

    @Override
    public CompletableFuture<List<SubmitResult>> submitAllAsync(
            Collection<? extends DelayJobRequest<?>> requests, Function<? super DelayJobRequest<?>, Duration> delay) {
        return submitAsync(prepareAfter(requests, delay));
    }

    @Override
    public CompletableFuture<List<SubmitResult>> submitAllAtAsync(
            Collection<? extends DelayJobRequest<?>> requests, Function<? super DelayJobRequest<?>, Instant> dueAt) {
        return submitAsync(prepareAt(requests, dueAt));
    }

    @Override
    public List<SubmitResult> submitAll(
            Collection<? extends DelayJobRequest<?>> requests, Function<? super DelayJobRequest<?>, Duration> delay) {
        return submit(prepareAfter(requests, delay), this::waitFor).join();
    }

    @Override
    public List<SubmitResult> submitAllAt(
            Collection<? extends DelayJobRequest<?>> requests, Function<? super DelayJobRequest<?>, Instant> dueAt) {
        return submit(prepareAt(requests, dueAt), this::waitFor).join();
    }

    private List<Prepared> prepareAfter(
            Collection<? extends DelayJobRequest<?>> requests, Function<? super DelayJobRequest<?>, Duration> delay) {
        Checks.notNull(delay, "delay");
        return prepareAll(requests, request -> When.after(delay.apply(request)));
    }

    private List<Prepared> prepareAt(
            Collection<? extends DelayJobRequest<?>> requests, Function<? super DelayJobRequest<?>, Instant> dueAt) {
        Checks.notNull(dueAt, "dueAt");
        return prepareAll(requests, request -> When.at(dueAt.apply(request)));
    }

    private List<Prepared> prepareAll(
            Collection<? extends DelayJobRequest<?>> requests, Function<DelayJobRequest<?>, When> when) {
        List<Prepared> prepared =
                new ArrayList<>(Checks.notNull(requests, "requests").size());
        for (DelayJobRequest<?> request : requests) {
            prepared.add(prepare(request, when.apply(Checks.notNull(request, "request"))));
        }
        return prepared;
    }

    private Prepared prepare(DelayJobRequest<?> original, When when) {
        DelayJobRequest<?> request =
                writer.withPriority(hooks.interceptors().submit(Checks.notNull(original, "request")));
        String queue = writer.queue(request);
        NewJob job = writer.write(request, queue, when.due());
        Shard home = queues.shard(queue, job.id());
        String place = JobWriter.place(request.options());
        Shard shard = place == null || queues.areTogether(queue, place, job.id()) ? home : queues.shard(queue, place);
        return new Prepared(request, when, shard, home, job, System.nanoTime());
    }

    private CompletableFuture<List<SubmitResult>> submit(
            List<Prepared> all, Function<Sending, CompletableFuture<List<SubmitResult>>> then) {
        if (hooks.journal() == Journal.NONE) {
            return submitDirectly(all, all, then);
        }
        Map<Boolean, List<Prepared>> parts = all.stream()
                .collect(Collectors.partitioningBy(one -> hooks.journal().takes(one.entry())));
        List<Prepared> journaled = Objects.requireNonNull(parts.get(true));
        List<Prepared> direct = Objects.requireNonNull(parts.get(false));
        return journaled.isEmpty() ? submitDirectly(all, all, then) : submitJournaled(journaled, direct, all, then);
    }

    /** Writes the jobs that the journal takes, and submits the others as ever. */
    private CompletableFuture<List<SubmitResult>> submitJournaled(
            List<Prepared> journaled,
            List<Prepared> direct,
            List<Prepared> all,
            Function<Sending, CompletableFuture<List<SubmitResult>>> then) {
        long begun = System.nanoTime();
        Written written;
        try {
            written = hooks.journal()
                    .write(journaled.stream().map(Prepared::entry).toList());
        } catch (LedgerException e) {
            // Of the other jobs none is sent either: an exception stands for them all.
            return then.apply(new Sending(begun, failed(all, e), all));
        }
        if (written.inTransaction()) {
            hooks.transactions().afterCommit(() -> sendWritten(journaled, written));
            return submitDirectly(direct, all, then);
        }
        List<Sent> sent = new ArrayList<>(journaled(journaled, written.fates()));
        sent.addAll(sent(direct, Way.DIRECT));
        return then.apply(new Sending(begun, sent, all));
    }

    private static List<Sent> failed(List<Prepared> jobs, LedgerException failure) {
        return jobs.stream()
                .map(one -> new Sent(one, CompletableFuture.failedFuture(failure)))
                .toList();
    }

    /** Sends jobs that a commit has made certain. The committing thread does not wait: the journal has the jobs. */
    private CompletableFuture<?> sendWritten(List<Prepared> journaled, Written written) {
        if (written.committed().getAsBoolean()) {
            Sending sending = new Sending(System.nanoTime(), journaled(journaled, written.fates()), journaled);
            // A ledger in memory has answered by now, and who committed then finds everything done.
            goOn(sending, sending.answered().isDone() ? Runnable::run : callbacks);
        }
        return completedFuture(null);
    }

    /** Sends jobs of the journal as soon as it says so. */
    private List<Sent> journaled(List<Prepared> jobs, CompletableFuture<List<Fate>> fates) {
        List<Sent> all = jobs.stream()
                .map(one -> new Sent(one, new CompletableFuture<>()))
                .toList();
        fates.whenComplete((known, failure) -> {
            if (failure == null) {
                send(all, known);
            } else {
                all.forEach(one -> one.answer().completeExceptionally(Futures.ledgerException(failure)));
            }
        });
        return all;
    }

    private void send(List<Sent> jobs, List<Fate> fates) {
        List<Sent> now = new ArrayList<>(jobs.size());
        List<Prepared> marked = new ArrayList<>(jobs.size());
        for (int i = 0; i < jobs.size(); i++) {
            Sent one = jobs.get(i);
            if (fates.get(i) instanceof Fate.Send send) {
                now.add(one);
                marked.add(one.prepared().with(send.mark()));
            } else if (fates.get(i) == Fate.Stay.WAITS) {
                one.isJournaled();
            } else {
                one.answer().complete(result(one.prepared(), SubmitResult.Outcome.EXISTS));
            }
        }
        List<Sent> sent = sent(marked, Way.JOURNALED);
        for (int i = 0; i < now.size(); i++) {
            now.get(i).follow(sent.get(i).answer());
        }
        // The journal has them: nobody needs to wait for a Redis that does not answer.
        CompletableFuture.allOf(now.stream().map(Sent::answer).toArray(CompletableFuture[]::new))
                .completeOnTimeout(null, JOURNALED_AFTER.toMillis(), TimeUnit.MILLISECONDS)
                .thenRun(() -> now.forEach(Sent::isJournaled));
    }

    /** Sends jobs, some of them after the commit of this thread's transaction. */
    private CompletableFuture<List<SubmitResult>> submitDirectly(
            List<Prepared> jobs, List<Prepared> all, Function<Sending, CompletableFuture<List<SubmitResult>>> then) {
        List<Prepared> deferred = jobs.stream().filter(this::waitsForCommit).toList();
        if (deferred.isEmpty() || !afterCommit(deferred)) {
            return jobs.isEmpty() ? completedFuture(deferred(all)) : then.apply(begin(jobs, all));
        }
        List<Prepared> now = jobs.stream().filter(one -> !waitsForCommit(one)).toList();
        return now.isEmpty() ? completedFuture(deferred(all)) : then.apply(begin(now, all));
    }

    /** Submits the jobs after the commit, for which the committing thread waits; false if there is no transaction. */
    private boolean afterCommit(List<Prepared> prepared) {
        return hooks.transactions().afterCommit(() -> goOn(begin(prepared, prepared), Runnable::run));
    }

    private boolean waitsForCommit(Prepared prepared) {
        Boolean afterCommit = prepared.request().afterCommit();
        return afterCommit == null ? submitAfterCommit : afterCommit;
    }

    private static List<SubmitResult> deferred(List<Prepared> jobs) {
        return jobs.stream().map(Producer::deferred).toList();
    }

    private static SubmitResult deferred(Prepared prepared) {
        return result(prepared, SubmitResult.Outcome.DEFERRED);
    }

    private static SubmitResult result(Prepared prepared, SubmitResult.Outcome outcome) {
        return new SubmitResult(prepared.queue(), prepared.job().id(), outcome);
    }

    private Sending begin(List<Prepared> prepared, List<Prepared> all) {
        return new Sending(System.nanoTime(), sent(prepared, Way.DIRECT), all);
    }

    /** Waits for the answers on the calling thread, so that no other thread has to be woken. */
    private CompletableFuture<List<SubmitResult>> waitFor(Sending sending) {
        boolean failed =
                sending.answered().handle((done, failure) -> failure != null).join();
        return completedFuture(results(sending, failed));
    }

    private CompletableFuture<List<SubmitResult>> goOn(Sending sending) {
        return goOn(sending, callbacks);
    }

    private CompletableFuture<List<SubmitResult>> goOn(Sending sending, Executor then) {
        return sending.answered().handleAsync((done, failure) -> results(sending, failure != null), then);
    }

    /** Sends the jobs, those of each shard together; the result is in the order of the jobs. */
    private List<Sent> sent(List<Prepared> prepared, Way way) {
        if (prepared.stream().noneMatch(this::mayPoint)) {
            return sentHome(prepared, way);
        }
        List<Prepared> away = prepared.stream().filter(Prepared::isAway).toList();
        Iterator<CompletableFuture<SubmitResult>> pointed = pointing.submit(
                        way, away.stream().map(Prepared::placed).toList())
                .iterator();
        Iterator<Sent> others = sentHome(
                        prepared.stream().filter(one -> !one.isAway()).toList(), way)
                .iterator();
        return prepared.stream()
                .map(one -> one.isAway() ? new Sent(one, pointed.next()) : orPointed(others.next(), way))
                .toList();
    }

    /** Whether the id of a job may belong to another shard than the job, or point to another one. */
    private boolean mayPoint(Prepared one) {
        return one.request().id() != null && queues.shards(one.queue()).size() > 1;
    }

    private Sent orPointed(Sent sent, Way way) {
        Prepared prepared = sent.prepared();
        return new Sent(prepared, pointing.orPointed(way, prepared.placed(), sent.answer()));
    }

    private static List<Sent> sentHome(List<Prepared> prepared, Way way) {
        Map<Shard, List<NewJob>> jobs = new LinkedHashMap<>();
        prepared.forEach(one -> jobs.computeIfAbsent(one.shard(), shard -> new ArrayList<>(prepared.size()))
                .add(one.job()));
        Map<Shard, Iterator<CompletableFuture<SubmitResult>>> answers = new HashMap<>();
        jobs.forEach((shard, its) -> answers.put(shard, way.send(shard, its).iterator()));
        List<Sent> sent = new ArrayList<>(prepared.size());
        prepared.forEach(one -> sent.add(
                new Sent(one, Objects.requireNonNull(answers.get(one.shard())).next())));
        return sent;
    }

    private List<SubmitResult> results(Sending sending, boolean failed) {
        long nanos = System.nanoTime() - sending.begunNanos();
        sending.jobs().forEach(one -> answered(one, nanos));
        List<SubmitResult> results = results(sending.all(), sending.jobs());
        if (failed) {
            throw failure(sending.jobs(), results);
        }
        return results;
    }

    /** The results in the order of all jobs; jobs that were not sent wait for their commit. */
    private static List<SubmitResult> results(List<Prepared> all, List<Sent> sent) {
        IdentityHashMap<Prepared, Sent> known = new IdentityHashMap<>(sent.size());
        sent.forEach(one -> known.put(one.prepared(), one));
        List<SubmitResult> results = new ArrayList<>(all.size());
        for (Prepared one : all) {
            Sent its = known.get(one);
            results.add(its == null ? deferred(one) : result(its));
        }
        return results;
    }

    private static SubmitResult result(Sent sent) {
        return Futures.failure(sent.answer()) == null
                ? sent.answer().join()
                : result(sent.prepared(), SubmitResult.Outcome.UNCONFIRMED);
    }

    private void answered(Sent sent, long nanos) {
        QueueTelemetry telemetry = hooks.telemetries().of(sent.prepared().queue());
        LedgerException failure = Futures.failure(sent.answer());
        if (failure == null) {
            SubmitResult result = sent.answer().join();
            telemetry.submitted(result.outcome(), nanos);
            watch.submitted(result.queue());
            publish(sent.prepared(), result);
        } else {
            telemetry.unconfirmed(outcome(failure), nanos);
        }
    }

    private void publish(Prepared prepared, SubmitResult result) {
        hooks.events()
                .publish(
                        JobEvent.Submitted.class,
                        () -> new JobEvent.Submitted(
                                prepared.queue(),
                                result.id(),
                                result.outcome(),
                                prepared.request(),
                                prepared.when().delay(),
                                prepared.when().dueAt()));
    }

    /** One exception per queue and cause of jobs that were not confirmed; the first has the others as suppressed exceptions. */
    private static DelayJobException failure(List<Sent> sent, List<SubmitResult> results) {
        Map<String, Map<LedgerException, List<String>>> ids = new LinkedHashMap<>();
        for (Sent one : sent) {
            LedgerException failure = Futures.failure(one.answer());
            if (failure != null) {
                ids.computeIfAbsent(one.prepared().queue(), queue -> new LinkedHashMap<>())
                        .computeIfAbsent(failure, cause -> new ArrayList<>())
                        .add(one.prepared().job().id());
            }
        }
        List<JobSubmissionException> failures = new ArrayList<>();
        ids.forEach(
                (queue, causes) -> causes.forEach((cause, jobs) -> failures.add(failure(queue, jobs, results, cause))));
        JobSubmissionException first = failures.get(0);
        failures.stream().skip(1).forEach(first::addSuppressed);
        return first;
    }

    private static JobSubmissionException failure(
            String queue, List<String> jobs, List<SubmitResult> results, LedgerException cause) {
        return cause instanceof NotReplicatedException few
                ? new ReplicationException(queue, jobs, few.required(), few.reached(), results, few)
                : new JobSubmissionException(queue, jobs, outcome(cause), results, cause);
    }

    private static Outcome outcome(LedgerException failure) {
        if (failure instanceof NotReplicatedException) {
            return Outcome.NOT_REPLICATED;
        }
        return failure.kind() == Kind.REFUSED || failure.kind() == Kind.NOT_RUN ? Outcome.NOT_STORED : Outcome.UNKNOWN;
    }
}
