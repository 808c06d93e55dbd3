package io.delayjob.benchmarks.contender;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/** An open-loop load: submits jobs at fixed times, however long earlier submits take. */
final class Flow {

    private static final long BEHIND_MILLIS = 5;

    private final Contender contender;
    private final String prefix;
    private final int count;
    private final int perSecond;
    private final long maxDelayMillis;
    private final long startMillis = System.currentTimeMillis();
    private final long startNanos = System.nanoTime();
    private final LongAdder behind = new LongAdder();

    Flow(Contender contender, String prefix, int perSecond, int seconds, long maxDelayMillis) {
        this.contender = contender;
        this.prefix = prefix;
        this.count = perSecond * seconds;
        this.perSecond = perSecond;
        this.maxDelayMillis = maxDelayMillis;
    }

    /** Submits all, and returns how many submits failed. */
    long run(int threads) throws InterruptedException {
        return Crew.work(threads, count, 1, this::submitAtItsTime).errors();
    }

    private void submitAtItsTime(int number) throws Exception {
        long nanos = TimeUnit.SECONDS.toNanos(number) / perSecond;
        awaitTime(startNanos + nanos);
        if (System.nanoTime() - startNanos - nanos > TimeUnit.MILLISECONDS.toNanos(BEHIND_MILLIS)) {
            behind.increment();
        }
        // The same delays in every run.
        long delay = new Random(number).nextLong(maxDelayMillis + 1);
        long due = startMillis + TimeUnit.NANOSECONDS.toMillis(nanos) + delay;
        contender.submit(new Job(JobSeries.id(prefix, number), due, JobSeries.PAYLOAD));
    }

    private static void awaitTime(long nanoTime) {
        for (long left = nanoTime - System.nanoTime(); left > 0; left = nanoTime - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    int count() {
        return count;
    }

    /** How many submits began more than 5 ms after their time. */
    long behind() {
        return behind.sum();
    }
}
