package io.delayjob.benchmarks.contender;

import java.util.Base64;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.ConcurrentHistogram;

/** Counts the jobs of one prefix that have run in this process. Thread-safe. */
final class Tally {

    private static final long LONGEST_MICROS = 3_600_000_000L;
    private static final int PAGE = 1 << 16;

    private final ConcurrentHistogram lateness = new ConcurrentHistogram(LONGEST_MICROS, 3);
    private final Map<Integer, AtomicLongArray> seen = new ConcurrentHashMap<>();
    private final AtomicLong distinct = new AtomicLong();
    private final LongAdder runs = new LongAdder();
    private final LongAdder early = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAccumulator earliest = new LongAccumulator(Math::min, Long.MAX_VALUE);
    private final LongAccumulator first = new LongAccumulator(Math::min, Long.MAX_VALUE);
    private final LongAccumulator last = new LongAccumulator(Math::max, 0);

    /** A run has begun. */
    void begun(long nowMicros, long dueMicros) {
        long late = nowMicros - dueMicros;
        earliest.accumulate(late);
        first.accumulate(nowMicros);
        if (late < 0) {
            early.increment();
        }
        lateness.recordValue(Math.max(0, Math.min(late, LONGEST_MICROS)));
    }

    /** A run has ended well. */
    void ended(long nowMicros, int number) {
        runs.increment();
        last.accumulate(nowMicros);
        if (isNew(number)) {
            distinct.incrementAndGet();
        }
    }

    /** An attempt has been made to fail. */
    void failed() {
        failed.increment();
    }

    private boolean isNew(int number) {
        AtomicLongArray page = seen.computeIfAbsent(number / PAGE, key -> new AtomicLongArray(PAGE / Long.SIZE));
        long bit = 1L << number;
        long before = page.getAndAccumulate(number % PAGE / Long.SIZE, bit, (old, more) -> old | more);
        return (before & bit) == 0;
    }

    long distinct() {
        return distinct.get();
    }

    /** All counts, as the driver reads them. */
    Map<String, Object> report() {
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("runs", runs.sum());
        report.put("distinct", distinct.get());
        report.put("duplicates", runs.sum() - distinct.get());
        report.put("failed", failed.sum());
        report.put("early", early.sum());
        report.put("earliestMicros", runs.sum() == 0 ? 0 : earliest.get());
        report.put("firstRunMillis", runs.sum() == 0 ? 0 : first.get() / 1000.0);
        report.put("lastRunMillis", last.get() / 1000.0);
        report.put("lateness", Histograms.text(lateness));
        report.put("ids", Base64.getEncoder().encodeToString(ids().toByteArray()));
        return report;
    }

    private BitSet ids() {
        BitSet ids = new BitSet();
        seen.forEach((number, page) -> {
            for (int i = 0; i < page.length(); i++) {
                int word = number * PAGE + i * Long.SIZE;
                BitSet.valueOf(new long[] {page.get(i)}).stream().forEach(bit -> ids.set(word + bit));
            }
        });
        return ids;
    }
}
