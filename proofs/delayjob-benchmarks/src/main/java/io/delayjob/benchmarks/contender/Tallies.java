package io.delayjob.benchmarks.contender;

import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Work of every job: fails the first attempt of those that it is told to, else sleeps; each run is counted under the prefix of the job's id. */
public final class Tallies implements Work {

    private final Map<String, Tally> tallies = new ConcurrentHashMap<>();
    private volatile long workMillis;
    private volatile int failEvery;

    /**
     * Sets what every job does from now on.
     *
     * @param every the first attempt fails of the jobs whose numbers are divisible by this; 0 if none fails
     */
    void setWork(long millis, int every) {
        workMillis = millis;
        failEvery = every;
    }

    Tally of(String prefix) {
        return tallies.computeIfAbsent(prefix, key -> new Tally());
    }

    @Override
    public void runSince(String id, long dueMicros, int attempt) throws Exception {
        int dash = id.lastIndexOf('-');
        Tally tally = of(id.substring(0, dash));
        int number = Integer.parseInt(id, dash + 1, id.length(), 10);
        if (attempt == 1 && failEvery > 0 && number % failEvery == 0) {
            tally.failed();
            throw new IllegalStateException("told to fail");
        }
        tally.begun(nowMicros(), dueMicros);
        if (workMillis > 0) {
            Thread.sleep(workMillis);
        }
        tally.ended(nowMicros(), number);
    }

    /** The time, epoch µs. */
    public static long nowMicros() {
        Instant now = Instant.now();
        return now.getEpochSecond() * 1_000_000 + now.getNano() / 1000;
    }
}
