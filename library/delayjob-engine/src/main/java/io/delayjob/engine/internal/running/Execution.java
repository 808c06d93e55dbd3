package io.delayjob.engine.internal.running;

import io.delayjob.JobExecution;
import io.delayjob.JobOptions;
import io.delayjob.LeaseLostException;
import io.delayjob.Progress;
import io.delayjob.engine.handler.ParamCodec;
import io.delayjob.engine.internal.calls.Futures;
import io.delayjob.engine.internal.calls.Shard;
import io.delayjob.engine.internal.records.JobRecord;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.settings.AttemptPolicy;
import io.delayjob.support.Checks;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The view of one attempt that the bean or listener gets. */
final class Execution implements JobExecution<Object> {

    private final Shard shard;
    private final ParamCodec params;
    private final Run run;
    private final JobRecord record;
    private final AttemptPolicy policy;
    private final @Nullable Object param;
    private @Nullable Progress unsent;
    private boolean sending;

    Execution(Shard shard, ParamCodec params, Run run, JobRecord record, AttemptPolicy policy, @Nullable Object param) {
        this.shard = shard;
        this.params = params;
        this.run = run;
        this.record = record;
        this.policy = policy;
        this.param = param;
    }

    @Override
    public String id() {
        return run.lease().id();
    }

    @Override
    public String job() {
        return record.job();
    }

    @Override
    public String queue() {
        return shard.id().queue();
    }

    @Override
    public Object param() {
        if (param == null) {
            throw new IllegalStateException("job '" + id() + "' in queue '" + queue() + "' has no param");
        }
        return param;
    }

    @Override
    public boolean hasParam() {
        return param != null;
    }

    @Override
    public int attempt() {
        return run.job().attempt().number();
    }

    @Override
    public int maxAttempts() {
        return policy.attempts();
    }

    @Override
    public JobOptions options() {
        return record.optionsUnder(policy);
    }

    @Override
    public Instant dueAt() {
        return Instant.ofEpochMilli(run.job().dueMillis());
    }

    @Override
    public Instant submittedAt() {
        return Instant.ofEpochMilli(record.submittedAtMillis());
    }

    @Override
    public Map<String, String> headers() {
        return record.headers();
    }

    @Override
    public void extendLease(Duration duration) {
        long millis = Checks.ceilMillis(Checks.positive(duration, "duration"));
        long asked = System.nanoTime();
        boolean held = Futures.await(shard.ledger().renew(List.of(new Ledger.Renewal(run.lease(), millis))))
                .get(0);
        if (!held) {
            throw new LeaseLostException(queue(), id());
        }
        run.extended(millis, asked);
    }

    @Override
    public void progress(int percent, String text) {
        Progress progress = new Progress(percent, text);
        synchronized (this) {
            unsent = progress;
            if (sending) {
                return;
            }
            sending = true;
        }
        sendProgress();
    }

    /** Only one report is under way at a time; a newer one replaces the one that waits. */
    private void sendProgress() {
        Progress next;
        synchronized (this) {
            next = unsent;
            unsent = null;
            sending = next != null;
        }
        if (next != null) {
            shard.report(new Ledger.Report(run.lease(), next)).whenComplete((held, failure) -> sendProgress());
        }
    }

    @Override
    public void result(@Nullable Object result) {
        run.result(result == null ? null : params.writeResult(record.job(), result));
    }
}
