package io.delayjob.benchmarks.contender;

import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Work of every job: fails the first attempt if told to, else sleeps; each run is counted under the prefix of the job's id. */
public final class Tallies implements Work {

    private final Map<String, Tally> tallies = new ConcurrentHashMap<>();
    private volatile long workMillis;
    private volatile boolean failFirst;

    /** Sets what every job does from now on. */
    void setWork(long millis, boolean failsFirst) {
        workMillis = millis;
        failFirst = failsFirst;
    }

    Tally of(String prefix) {
        return tallies.computeIfAbsent(prefix, key -> new Tally());
    }

    @Override
    public void runSince(String id, long dueMicros, int attempt) throws Exception {
        int dash = id.lastIndexOf('-');
        Tally tally = of(id.substring(0, dash));
        if (failFirst && attempt == 1) {
            tally.failed();
            throw new IllegalStateException("told to fail");
        }
        tally.begun(nowMicros(), dueMicros);
        if (workMillis > 0) {
            Thread.sleep(workMillis);
        }
        tally.ended(nowMicros(), Integer.parseInt(id, dash + 1, id.length(), 10));
    }

    /** The time, epoch µs. */
    public static long nowMicros() {
        Instant now = Instant.now();
        return now.getEpochSecond() * 1_000_000 + now.getNano() / 1000;
    }
}
