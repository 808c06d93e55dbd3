package io.delayjob.redisson.internal.history;

import io.delayjob.engine.telemetry.QueueTelemetry;
import io.delayjob.redisson.history.Counts;
import io.delayjob.redisson.history.Lateness;
import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/** Counts what happens in one queue on this node. Thread-safe; {@link #unsent} and {@link #sent} are for one sender. */
final class QueueCounter implements QueueTelemetry {

    private final LongAdder completed = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder died = new LongAdder();
    private final LongAdder[] late =
            Stream.generate(LongAdder::new).limit(Lateness.BUCKETS).toArray(LongAdder[]::new);
    private volatile Counts sent = Counts.NONE;

    @Override
    public void began(long lateNanos) {
        late[Lateness.bucket(lateNanos)].increment();
    }

    @Override
    public void completed(String job) {
        completed.increment();
    }

    @Override
    public void retried(String job) {
        failed.increment();
    }

    @Override
    public void buried(String job) {
        died.increment();
    }

    /** Counts that have not been sent. */
    Counts unsent() {
        return Counts.of(
                        completed.sum(),
                        failed.sum(),
                        died.sum(),
                        Arrays.stream(late).mapToLong(LongAdder::sum).toArray())
                .minus(sent);
    }

    /** These were sent, or never will be. */
    QueueCounter sent(Counts counts) {
        sent = sent.plus(counts);
        return this;
    }
}
