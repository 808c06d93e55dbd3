package io.delayjob.client;

import io.delayjob.ClaimedJob;
import io.delayjob.DelayJobException;
import io.delayjob.JobSettlement;
import io.delayjob.LeaseLostException;
import io.delayjob.NonRetryableException;
import io.delayjob.Progress;
import io.delayjob.RateLimitedException;
import io.delayjob.support.Checks;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One attempt at a claimed job: runs the handler, extends the lease meanwhile, and settles the job. */
final class WorkerRun implements WorkerJob {

    /** Of jobs that an older server hands out, which does not tell. */
    private static final Duration DEFAULT_LEASE = Duration.ofSeconds(9);

    private static final int MOST_RESULT_BYTES = 8192;
    private static final int LONGEST_ERROR = 8192;

    private final ClaimedJob job;
    private final Duration lease;
    private final WorkerSettler settler;
    private final ScheduledExecutorService timer;
    private final Duration answerTime;
    private final Consumer<? super String> problems;
    private final CompletableFuture<@Nullable Void> settled = new CompletableFuture<>();
    private @Nullable Future<?> extending;
    private CompletableFuture<?> extension = CompletableFuture.completedFuture(null);
    private @Nullable Thread thread;
    private @Nullable Interruption interruption;
    private boolean over;
    private boolean byHand;
    private volatile @Nullable String result;

    /** Why a handler is told to end. */
    private enum Interruption {
        LOST,
        TIMEOUT,
        STOP
    }

    /**
     * An attempt that has not begun.
     *
     * @param timer extends the lease
     * @param answerTime how long to wait for the server's answer to a settlement by hand
     * @param problems is told what goes wrong besides the handler's exceptions
     */
    WorkerRun(
            ClaimedJob job,
            WorkerSettler settler,
            ScheduledExecutorService timer,
            Duration answerTime,
            Consumer<? super String> problems) {
        this.job = job;
        this.lease =
                job.options().lease() == null ? DEFAULT_LEASE : job.options().lease();
        this.settler = settler;
        this.timer = timer;
        this.answerTime = answerTime;
        this.problems = problems;
    }

    /**
     * Runs the handler.
     *
     * @param late whether a part of the lease may have passed already: then it is extended first, and a job that is lost is left alone
     * @return done when the attempt has ended and is settled
     */
    CompletableFuture<@Nullable Void> run(JobHandler handler, boolean late) {
        if (late && isLost()) {
            end();
            settled.complete(null);
            return settled;
        }
        beginExtending();
        Throwable failure = failureOf(handler);
        if (failure == null && isByHand()) {
            leaveToHand();
        } else {
            settleAs(failure);
        }
        return settled;
    }

    Duration lease() {
        return lease;
    }

    private boolean isLost() {
        try {
            return settler.settle(new JobSettlement.Extend(job.handle(), lease)).join();
        } catch (RuntimeException e) {
            // Perhaps it is not.
            return false;
        }
    }

    private synchronized void beginExtending() {
        long period = lease.toMillis() / 3;
        if (!over) {
            extending = timer.scheduleWithFixedDelay(this::extend, period, period, TimeUnit.MILLISECONDS);
        }
    }

    /** Extends the lease, unless that is under way already: another extension would only wait behind it. */
    private void extend() {
        if (isOver() || !extension.isDone()) {
            return;
        }
        extension = settler.settle(new JobSettlement.Extend(job.handle(), lease))
                .whenComplete((lost, failure) -> {
                    if (failure != null) {
                        problems.accept(label() + ": its lease was not extended: " + failure.getMessage());
                    } else if (lost && end()) {
                        interrupt(Interruption.LOST);
                        settled.complete(null);
                    }
                });
    }

    private @Nullable Throwable failureOf(JobHandler handler) {
        Duration timeout = job.options().timeout();
        Future<?> alarm = timeout == null
                ? null
                : timer.schedule(() -> interrupt(Interruption.TIMEOUT), timeout.toMillis(), TimeUnit.MILLISECONDS);
        try {
            begin();
            handler.run(this);
            return null;
        } catch (Throwable e) {
            return e;
        } finally {
            if (alarm != null) {
                alarm.cancel(false);
            }
            returned();
        }
    }

    private synchronized void begin() throws InterruptedException {
        thread = Thread.currentThread();
        if (interruption != null) {
            throw new InterruptedException("the worker stops");
        }
    }

    /** No interrupt of this attempt reaches the next one of the thread. */
    private synchronized void returned() {
        thread = null;
        boolean unused = Thread.interrupted();
    }

    private synchronized void interrupt(Interruption why) {
        if (interruption == null) {
            interruption = why;
            if (thread != null) {
                thread.interrupt();
            }
        }
    }

    private synchronized @Nullable Interruption interruption() {
        return interruption;
    }

    private synchronized boolean isOver() {
        return over;
    }

    private synchronized boolean isByHand() {
        return byHand;
    }

    /** False if it was over already. */
    private synchronized boolean end() {
        boolean first = !over;
        over = true;
        stopExtending();
        return first;
    }

    /** The place of the job in the worker is free again when its lease ends, at the latest. */
    private void leaveToHand() {
        stopExtending();
        timer.schedule(() -> settled.complete(null), lease.toMillis(), TimeUnit.MILLISECONDS);
    }

    private synchronized void stopExtending() {
        if (extending != null) {
            extending.cancel(false);
        }
    }

    private void settleAs(@Nullable Throwable failure) {
        if (!end()) {
            if (failure != null && isByHand()) {
                problems.accept(label() + ": its handler failed after it had settled the attempt: " + text(failure));
            }
            return;
        }
        JobSettlement settlement = settlement(failure);
        settler.settle(settlement).whenComplete((lost, refusal) -> {
            if (refusal != null) {
                problems.accept(label() + ": it runs again, because it could not be settled: " + refusal.getMessage());
            } else if (lost) {
                problems.accept(label() + ": it was lost before it was settled: " + settlement);
            }
            settled.complete(null);
        });
    }

    private JobSettlement settlement(@Nullable Throwable failure) {
        if (failure == null) {
            return new JobSettlement.Complete(job.handle(), result);
        } else if (interruption() == Interruption.STOP) {
            return new JobSettlement.Release(job.handle());
        } else if (failure instanceof RateLimitedException limited) {
            return new JobSettlement.Release(job.handle(), limited.delay());
        } else if (failure instanceof NonRetryableException) {
            return new JobSettlement.Bury(job.handle(), text(failure));
        }
        String late = interruption() == Interruption.TIMEOUT
                ? "the attempt was interrupted after its timeout of "
                        + job.options().timeout() + "\n"
                : "";
        return new JobSettlement.Retry(job.handle(), null, late + text(failure));
    }

    /** An application's exception may itself throw when it is asked for its message. */
    private static String text(Throwable failure) {
        try {
            StringWriter text = new StringWriter();
            failure.printStackTrace(new PrintWriter(text, true));
            return cut(text.toString());
        } catch (RuntimeException | Error e) {
            return failure.getClass().getName() + " (its message could not be read)";
        }
    }

    /** A server keeps no more, and takes no body that is much longer. */
    private static String cut(String text) {
        return text.length() <= LONGEST_ERROR ? text : text.substring(0, LONGEST_ERROR) + "…";
    }

    /** Asks the handler to end. If it fails after that, its job is given back. */
    void stop() {
        interrupt(Interruption.STOP);
    }

    /** Gives the job back, although its handler has not ended. */
    CompletableFuture<?> giveBack() {
        return end()
                ? settler.settle(new JobSettlement.Release(job.handle()))
                : CompletableFuture.completedFuture(null);
    }

    private String label() {
        return "job '" + job.id() + "' of queue '" + job.queue() + "'";
    }

    @Override
    public ClaimedJob claimed() {
        return job;
    }

    @Override
    public void result(String json) {
        int bytes = Checks.notNull(json, "json").getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MOST_RESULT_BYTES) {
            throw new IllegalArgumentException("the result of " + label() + " takes " + bytes + " bytes, more than "
                    + MOST_RESULT_BYTES + "; store it elsewhere");
        }
        Json.checkResult(json);
        result = json;
    }

    @Override
    public void extendLease(Duration newLease) {
        if (isOver() || isLost(new JobSettlement.Extend(job.handle(), newLease))) {
            throw new LeaseLostException(job.queue(), job.id());
        }
    }

    @Override
    public void progress(int percent, String text) {
        CompletableFuture<?> unused =
                settler.settle(new JobSettlement.Report(job.handle(), new Progress(percent, text)));
    }

    @Override
    public synchronized void settleByHand() {
        byHand = true;
    }

    @Override
    public void settle(JobSettlement settlement) {
        settleByHand();
        boolean ends = !(settlement instanceof JobSettlement.Extend) && !(settlement instanceof JobSettlement.Report);
        if (!ends || !settlement.handle().equals(job.handle())) {
            throw new IllegalArgumentException(
                    "the settlement must end the attempt and have its handle: " + settlement);
        }
        if (!end()) {
            if (interruption() == Interruption.LOST) {
                throw new LeaseLostException(job.queue(), job.id());
            }
            throw new IllegalStateException(
                    "attempt " + job.attempt() + " of " + label() + " has ended already: " + settlement);
        }
        try {
            if (isLost(settlement)) {
                throw new LeaseLostException(job.queue(), job.id());
            }
        } finally {
            settled.complete(null);
        }
    }

    private boolean isLost(JobSettlement settlement) {
        try {
            return settler.settle(settlement).get(answerTime.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw CallException.thrown(e);
        } catch (TimeoutException e) {
            throw new DelayJobException("the server did not answer for " + label() + " within " + answerTime, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DelayJobException("interrupted while the server was asked for " + label(), e);
        }
    }
}
