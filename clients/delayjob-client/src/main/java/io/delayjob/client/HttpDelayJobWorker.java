package io.delayjob.client;

import io.delayjob.ClaimedJob;
import io.delayjob.JobClaim;
import io.delayjob.support.Checks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Claims due jobs from a delayjob server over HTTP and runs them, until it is closed. The lease of a job is extended while its handler runs. A claim whose
 * answer was lost is repeated with its id, so that its jobs run at once and lose no attempt. Settlements are sent in batches. Outages of the server are
 * waited out, with the jobs in hand.
 *
 * <pre>{@code
 * var worker = new HttpDelayJobWorker(HttpDelayJobSettings.of(url, token), WorkerSettings.of("mail"), job -> send(job.claimed().param()));
 * Runtime.getRuntime().addShutdownHook(new Thread(worker::close));
 * worker.run();
 * }</pre>
 */
public final class HttpDelayJobWorker implements AutoCloseable {

    private static final System.Logger log = System.getLogger(HttpDelayJobWorker.class.getName());

    /** A claim with an id gets no more. */
    private static final int MOST = 200;

    private static final int TRIES_IN_A_LEASE = 4;
    private static final Duration LONGEST_FIRST_TRY = Duration.ofSeconds(3);
    private static final Duration END = Duration.ofMillis(500);
    private static final Duration LAST_ANSWERS = Duration.ofSeconds(10);
    private static final Duration LAST_CLAIM = Duration.ofSeconds(2);

    private final HttpDelayJobSettings server;
    private final HttpDelayJobClaims claims;
    private final WorkerSettings settings;
    private final JobHandler handler;
    private final WorkerSettler settler;
    private final Semaphore slots;
    private final Set<WorkerRun> running = ConcurrentHashMap.newKeySet();
    private final CompletableFuture<@Nullable Void> stopping = new CompletableFuture<>();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final AtomicBoolean begun = new AtomicBoolean();
    private volatile boolean reached;
    private volatile boolean outage;

    /**
     * A worker that has not begun. Nothing is asked until {@link #run}.
     *
     * @param server where the server is; the token needs the role {@code work}
     * @param settings how it works
     * @param handler runs the jobs, whatever their topic
     */
    public HttpDelayJobWorker(HttpDelayJobSettings server, WorkerSettings settings, JobHandler handler) {
        this.server = Checks.notNull(server, "server");
        this.settings = Checks.notNull(settings, "settings");
        this.handler = Checks.notNull(handler, "handler");
        this.claims = new HttpDelayJobClaims(server);
        this.settler = new WorkerSettler(claims, this::firstTry);
        this.slots = new Semaphore(settings.concurrency());
    }

    /** A part of the shortest lease in hand, so that one silent connection costs no lease. */
    private Duration firstTry() {
        return running.stream()
                .map(run -> run.lease().dividedBy(TRIES_IN_A_LEASE))
                .filter(part -> part.compareTo(LONGEST_FIRST_TRY) < 0)
                .min(Comparator.naturalOrder())
                .orElse(LONGEST_FIRST_TRY);
    }

    /**
     * Works until {@link #close} is called or the thread is interrupted, and its jobs have ended or were given back. Called once.
     *
     * @throws io.delayjob.DelayJobException if the server refuses the worker, or was not reached at all; the message says what to do
     * @throws IllegalArgumentException if the server refuses a value of the settings
     */
    public void run() {
        if (!begun.compareAndSet(false, true)) {
            throw new IllegalStateException("a worker runs once; make a new one");
        }
        ExecutorService claimers = Executors.newCachedThreadPool(work -> new Thread(work, "delayjob-claims"));
        ExecutorService runs = Executors.newCachedThreadPool(settings.threads());
        ScheduledThreadPoolExecutor timer = timer();
        try {
            int loops = Math.min(settings.claims(), settings.concurrency());
            int share = Math.min((settings.concurrency() + loops - 1) / loops, MOST);
            for (int i = 0; i < loops; i++) {
                claimers.execute(() -> claimUntilStopped(share, runs, timer));
            }
            stopping.get();
        } catch (ExecutionException e) {
            throw CallException.thrown(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            boolean interrupted = Thread.interrupted();
            end(claimers);
            endRuns();
            runs.shutdown();
            timer.shutdownNow();
            ended.countDown();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static ScheduledThreadPoolExecutor timer() {
        ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, work -> {
            Thread thread = new Thread(work, "delayjob-leases");
            thread.setDaemon(true);
            return thread;
        });
        timer.setRemoveOnCancelPolicy(true);
        return timer;
    }

    /** Claims nothing more, and waits until {@link #run} has returned: running jobs get the grace period, then are interrupted, and given back half a second later. */
    @Override
    public void close() {
        stopping.complete(null);
        if (!begun.compareAndSet(false, true)) {
            try {
                ended.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void claimUntilStopped(int share, ExecutorService runs, ScheduledThreadPoolExecutor timer) {
        try {
            while (!stopping.isDone()) {
                int free = takeSlots(share);
                Claimed claimed = Claimed.NOTHING;
                try {
                    claimed = claim(free);
                } finally {
                    slots.release(free - claimed.jobs().size());
                }
                for (ClaimedJob job : claimed.jobs()) {
                    begin(job, claimed.late(), runs, timer);
                }
            }
        } catch (InterruptedException e) {
            // It stops.
            return;
        } catch (RuntimeException | Error e) {
            stopping.completeExceptionally(e);
        }
    }

    /** Between one and so many. */
    private int takeSlots(int most) throws InterruptedException {
        slots.acquire();
        int taken = 1;
        while (taken < most && slots.tryAcquire()) {
            taken++;
        }
        return taken;
    }

    /**
     * The jobs of a claim.
     *
     * @param late whether a part of their leases may have passed before they came
     */
    private record Claimed(List<ClaimedJob> jobs, boolean late) {

        static final Claimed NOTHING = new Claimed(List.of(), false);
    }

    /** The first claim does not wait, so that a wrong address is told soon. */
    private Claimed claim(int max) throws InterruptedException {
        JobClaim claim = new JobClaim(
                settings.queues(),
                max,
                reached ? settings.maxWait() : Duration.ZERO,
                settings.lease(),
                settings.name(),
                UUID.randomUUID().toString());
        boolean late = false;
        try {
            while (true) {
                Duration pause;
                Call<List<ClaimedJob>> call = claims.call(claim);
                CompletableFuture<List<ClaimedJob>> answer = call.begin();
                try {
                    List<ClaimedJob> jobs = answer.get();
                    reached = true;
                    outage = false;
                    return new Claimed(jobs, late || call.isRepeated());
                } catch (ExecutionException e) {
                    late = true;
                    pause = bear(CallException.thrown(e));
                } finally {
                    answer.cancel(true);
                }
                TimeUnit.NANOSECONDS.sleep(pause.toNanos());
            }
        } catch (InterruptedException e) {
            giveBack(claim.withMaxWait(Duration.ZERO));
            throw e;
        }
    }

    /** How long to wait for a server that is away. One that was never reached may have another address. */
    private Duration bear(RuntimeException failure) {
        reached |= failure instanceof CallException answered && answered.problem() != null;
        if (!(failure instanceof CallException call) || !call.mayPass() || !reached) {
            throw failure;
        }
        if (!outage) {
            outage = true;
            tell("the worker waits for the server: " + failure.getMessage());
        }
        return call.pause();
    }

    /** Passes a problem on. If its receiver throws, the work goes on. */
    private void tell(String problem) {
        try {
            settings.problems().accept(problem);
        } catch (RuntimeException e) {
            log.log(System.Logger.Level.WARNING, problem, e);
        }
    }

    /** A claim that was hung up may have been answered meanwhile: its repeat says with which jobs. If that fails, they run when their leases end. */
    private void giveBack(JobClaim claim) {
        claims.call(claim)
                .begin()
                .orTimeout(LAST_CLAIM.toNanos(), TimeUnit.NANOSECONDS)
                .thenCompose(claims::giveBack)
                .handle((given, failure) -> failure)
                .join();
    }

    private void begin(ClaimedJob job, boolean late, ExecutorService runs, ScheduledThreadPoolExecutor timer) {
        WorkerRun run = new WorkerRun(job, settler, timer, server.timeout(), this::tell);
        running.add(run);
        runs.execute(() -> run.run(handler, late).whenComplete((settled, failure) -> {
            running.remove(run);
            slots.release();
        }));
    }

    private static void end(ExecutorService claimers) {
        claimers.shutdownNow();
        try {
            boolean unused =
                    claimers.awaitTermination(LAST_CLAIM.multipliedBy(2).toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void endRuns() {
        if (haveEnded(settings.grace())) {
            return;
        }
        settler.endWithin(LAST_ANSWERS);
        running.forEach(WorkerRun::stop);
        if (haveEnded(END)) {
            return;
        }
        List<CompletableFuture<?>> givenBack = new ArrayList<>();
        running.forEach(run -> givenBack.add(run.giveBack()));
        CompletableFuture.allOf(givenBack.toArray(CompletableFuture[]::new))
                .orTimeout(LAST_ANSWERS.toNanos(), TimeUnit.NANOSECONDS)
                .handle((given, failure) -> failure)
                .join();
    }

    /** Whether all slots are free within that time. */
    private boolean haveEnded(Duration within) {
        try {
            return slots.tryAcquire(settings.concurrency(), within.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
