package io.delayjob.redisson.internal.engine;

import io.delayjob.DelayJobException;
import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobRequest;
import io.delayjob.JobSubmissionException;
import io.delayjob.JobSubmissionException.Outcome;
import io.delayjob.internal.Checks;
import io.delayjob.redisson.internal.ledger.LedgerException;
import io.delayjob.redisson.internal.ledger.LedgerException.Kind;
import io.delayjob.redisson.internal.ledger.NewJob;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;

/** Checks and writes jobs, and hands them to the lane of their shard. */
final class Producer implements DelayJobProducer {

    private final JobRegistry registry;
    private final ParamCodec params;
    private final RecordCodec records = new RecordCodec();
    private final Queues queues;
    private final EngineSettings settings;
    private final Executor callbacks;

    /**
     * A producer.
     *
     * @param callbacks runs what callers hang on the futures, so that they cannot block the threads that read from Redis
     */
    Producer(JobRegistry registry, ParamCodec params, Queues queues, EngineSettings settings, Executor callbacks) {
        this.registry = registry;
        this.params = params;
        this.queues = queues;
        this.settings = settings;
        this.callbacks = callbacks;
    }

    /** A checked job and where it goes. */
    private record Prepared(String queue, NewJob job) {}

    /** Jobs on their way to one shard. */
    private record Sent(String queue, List<String> ids, List<CompletableFuture<Boolean>> answers) {}

    @Override
    public <T> CompletableFuture<String> submitDelayJobAsync(DelayJobRequest<T> request, Duration delay) {
        return submitOne(prepare(request, fromNow(delay)));
    }

    @Override
    public <T> CompletableFuture<String> submitDelayJobAsync(DelayJobRequest<T> request, Instant dueAt) {
        return submitOne(prepare(request, new NewJob.Due(Checks.ceilMillis(Checks.dueAt(dueAt)), false)));
    }

    private CompletableFuture<String> submitOne(Prepared prepared) {
        return submit(List.of(prepared)).thenApply(ids -> ids.get(0));
    }

    @Override
    public CompletableFuture<List<String>> submitDelayJobsAsync(
            Collection<? extends DelayJobRequest<?>> requests, Function<? super DelayJobRequest<?>, Duration> delay) {
        Checks.notNull(delay, "delay");
        List<Prepared> prepared =
                new ArrayList<>(Checks.notNull(requests, "requests").size());
        for (DelayJobRequest<?> request : requests) {
            prepared.add(prepare(Checks.notNull(request, "request"), fromNow(delay.apply(request))));
        }
        return submit(prepared);
    }

    private static NewJob.Due fromNow(Duration delay) {
        return new NewJob.Due(Checks.ceilMillis(Checks.delay(delay)), true);
    }

    private Prepared prepare(DelayJobRequest<?> request, NewJob.Due due) {
        RegisteredJob job = registry.of(Checks.notNull(request, "request").jobClass());
        String body = records.body(job.name(), request, params.write(job, request.param()));
        String id = request.id() == null ? JobIds.random() : request.id();
        Long lease = request.lease() == null ? null : request.lease().toMillis();
        String queue = request.queue() == null ? settings.defaultQueue() : request.queue();
        return new Prepared(queue, new NewJob(id, due, lease, body));
    }

    private CompletableFuture<List<String>> submit(List<Prepared> prepared) {
        Map<Shard, List<NewJob>> byShard = new LinkedHashMap<>();
        for (Prepared one : prepared) {
            Shard shard = queues.shard(one.queue(), one.job().id());
            byShard.computeIfAbsent(shard, s -> new ArrayList<>()).add(one.job());
        }
        List<Sent> sent = new ArrayList<>();
        byShard.forEach((shard, jobs) -> sent.add(
                new Sent(shard.id().queue(), jobs.stream().map(NewJob::id).toList(), shard.submit(jobs))));
        CompletableFuture<?>[] answers =
                sent.stream().flatMap(part -> part.answers().stream()).toArray(CompletableFuture[]::new);
        return CompletableFuture.allOf(answers)
                .handleAsync(
                        (done, failure) -> {
                            if (failure != null) {
                                throw failure(sent);
                            }
                            return prepared.stream().map(one -> one.job().id()).toList();
                        },
                        callbacks);
    }

    /** One exception for each queue with jobs that were not confirmed; the first carries the others. */
    private static DelayJobException failure(List<Sent> sent) {
        List<JobSubmissionException> failures =
                sent.stream().flatMap(part -> failures(part).stream()).toList();
        JobSubmissionException first = failures.get(0);
        failures.stream().skip(1).forEach(first::addSuppressed);
        return first;
    }

    private static List<JobSubmissionException> failures(Sent part) {
        Map<LedgerException, List<String>> ids = new LinkedHashMap<>();
        for (int i = 0; i < part.ids().size(); i++) {
            LedgerException failure = Futures.failure(part.answers().get(i));
            if (failure != null) {
                ids.computeIfAbsent(failure, f -> new ArrayList<>())
                        .add(part.ids().get(i));
            }
        }
        return ids.entrySet().stream()
                .map(entry -> new JobSubmissionException(
                        part.queue(), entry.getValue(), outcome(entry.getKey()), entry.getKey()))
                .toList();
    }

    private static Outcome outcome(LedgerException failure) {
        return failure.kind() == Kind.REFUSED || failure.kind() == Kind.NOT_RUN ? Outcome.NOT_STORED : Outcome.UNKNOWN;
    }
}
