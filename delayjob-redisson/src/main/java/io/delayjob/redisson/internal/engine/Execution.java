package io.delayjob.redisson.internal.engine;

import io.delayjob.JobExecution;
import io.delayjob.LeaseLostException;
import io.delayjob.internal.Checks;
import io.delayjob.redisson.internal.ledger.Ledger;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One attempt, as the bean sees it. */
record Execution(
        Shard shard, Run run, JobRecord record, @Nullable Object param) implements JobExecution<Object> {

    @Override
    public String id() {
        return run.lease().id();
    }

    @Override
    public String queue() {
        return shard.id().queue();
    }

    @Override
    public int attempt() {
        return run.job().attempt();
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
        boolean held = Futures.await(shard.ledger().renew(List.of(new Ledger.Renewal(run.lease(), millis))))
                .get(0);
        if (!held) {
            throw new LeaseLostException(queue(), id());
        }
    }
}
