package io.delayjob.engine.internal.running;

import io.delayjob.Acknowledgment;
import io.delayjob.DelayJobException;
import io.delayjob.LeaseLostException;
import io.delayjob.engine.internal.calls.Futures;
import io.delayjob.engine.ledger.LedgerException;
import io.delayjob.engine.settings.AttemptPolicy;
import io.delayjob.support.Checks;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/** Lets a listener settle its attempt. Thread-safe. */
final class ManualAcknowledgment implements Acknowledgment {

    private final Run run;
    private final AttemptPolicy policy;
    private final Endings endings;
    private final Function<Ending.Settle, CompletableFuture<Boolean>> settle;
    private final String queue;
    private final Duration timeout;
    private final AtomicBoolean settled = new AtomicBoolean();

    /**
     * Settles one run.
     *
     * @param settle settles the run in the ledger; answers false if the lease was lost
     * @param timeout how long to wait for the ledger's answer
     */
    ManualAcknowledgment(
            Run run,
            AttemptPolicy policy,
            Endings endings,
            Function<Ending.Settle, CompletableFuture<Boolean>> settle,
            String queue,
            Duration timeout) {
        this.run = run;
        this.policy = policy;
        this.endings = endings;
        this.settle = settle;
        this.queue = queue;
        this.timeout = timeout;
    }

    @Override
    public void acknowledge() {
        beginToSettle();
        report(endings.complete(run));
    }

    @Override
    public void retry(Duration wait) {
        long millis = Checks.ceilMillis(Checks.notNegative(wait, "wait"));
        beginToSettle();
        report(endings.retryAfter(run, policy, new DelayJobException("its listener asked for a retry", null), millis));
    }

    @Override
    public void reject(String reason) {
        if (Checks.notNull(reason, "reason").isBlank()) {
            throw new IllegalArgumentException("reason must not be blank: '" + reason + "'");
        }
        beginToSettle();
        report(endings.bury(run, "its listener rejected it: " + reason, null));
    }

    /** Refuses any later acknowledgment; false if there was one already. */
    boolean close() {
        return settled.compareAndSet(false, true);
    }

    private void beginToSettle() {
        if (!settled.compareAndSet(false, true)) {
            throw new IllegalStateException("attempt " + run.job().attempt().number() + " of job '"
                    + run.lease().id() + "' in queue '" + queue + "' was already acknowledged, retried or rejected");
        }
    }

    private void report(Ending.Settle ending) {
        boolean held = await(settle.apply(ending));
        if (!held) {
            throw new LeaseLostException(queue, run.lease().id());
        }
    }

    private boolean await(CompletableFuture<Boolean> answer) {
        try {
            return answer.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw Futures.ledgerException(e);
        } catch (TimeoutException e) {
            throw new LedgerException(
                    LedgerException.Kind.UNKNOWN,
                    "Redis did not confirm within " + timeout + " how job '"
                            + run.lease().id() + "' in queue '" + queue
                            + "' ended; delayjob keeps trying, and the job runs again if its lease ends first",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LedgerException(
                    LedgerException.Kind.UNKNOWN,
                    "interrupted while Redis was being told how job '"
                            + run.lease().id() + "' in queue '" + queue + "' ended",
                    e);
        }
    }
}
