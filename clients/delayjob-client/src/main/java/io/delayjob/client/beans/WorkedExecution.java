package io.delayjob.client.beans;

import io.delayjob.client.WorkerJob;
import io.delayjob.engine.handler.ParamCodec;
import io.delayjob.support.Checks;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One attempt that this process has claimed. */
final class WorkedExecution extends RemoteExecution {

    private static final Duration SHORTEST_LEASE = Duration.ofSeconds(1);

    private final WorkerJob work;
    private volatile @Nullable String result;

    WorkedExecution(WorkerJob work, @Nullable Object param, ParamCodec params) {
        super(work.claimed(), param, params);
        this.work = work;
    }

    @Override
    public void extendLease(Duration duration) {
        boolean isShort = Checks.positive(duration, "duration").compareTo(SHORTEST_LEASE) < 0;
        work.extendLease(isShort ? SHORTEST_LEASE : duration);
    }

    @Override
    public void progress(int percent, String text) {
        work.progress(percent, text);
    }

    @Override
    public void result(@Nullable Object newResult) {
        result = newResult == null ? null : written(newResult);
    }

    /** The result as JSON; null for none. */
    @Nullable String result() {
        return result;
    }
}
