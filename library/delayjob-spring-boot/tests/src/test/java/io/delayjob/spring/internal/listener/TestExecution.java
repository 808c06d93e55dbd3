package io.delayjob.spring.internal.listener;

import io.delayjob.JobExecution;
import io.delayjob.JobOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** An attempt that nobody claimed. */
record TestExecution(@Nullable Object given, Map<String, String> headers) implements JobExecution<Object> {

    @Override
    public boolean hasParam() {
        return given != null;
    }

    @Override
    public Object param() {
        return Objects.requireNonNull(given);
    }

    @Override
    public String id() {
        return "job-1";
    }

    @Override
    public String job() {
        return "close-order";
    }

    @Override
    public String queue() {
        return "orders";
    }

    @Override
    public int attempt() {
        return 1;
    }

    @Override
    public int maxAttempts() {
        return 3;
    }

    @Override
    public JobOptions options() {
        return JobOptions.NONE.withMaxAttempts(3);
    }

    @Override
    public Instant dueAt() {
        return Instant.EPOCH;
    }

    @Override
    public Instant submittedAt() {
        return Instant.EPOCH;
    }

    @Override
    public void extendLease(Duration duration) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void progress(int percent, String text) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void result(@Nullable Object result) {
        throw new UnsupportedOperationException();
    }
}
