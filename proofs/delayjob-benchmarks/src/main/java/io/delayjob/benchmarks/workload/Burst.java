package io.delayjob.benchmarks.workload;

import io.delayjob.benchmarks.driver.Meter;
import io.delayjob.benchmarks.driver.Outcome;
import io.delayjob.benchmarks.driver.Rig;
import io.delayjob.benchmarks.driver.Submit;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Jobs that become due within a short time, all submitted before the first is due. */
final class Burst {

    /** How many workers a node has, unless a workload says otherwise. */
    static final int WORKERS = 16;

    /** How long code is warmed up at most. */
    static final Duration LONGEST_WARM_UP = Duration.ofSeconds(20);

    private static final int FIRST_WARM_UP = 2000;
    private static final long WARM_MILLIS = 1500;
    private static final int GROWTH = 4;
    private static final int TRIES = 3;
    private static final double ROOM = 1.5;

    private final Rig rig;
    private final Size size;
    private int jobs;
    private int characters = Submit.CHARACTERS;
    private double submitPerMilli;
    private int number;

    private Burst(Rig rig, Size size, int jobs) {
        this.rig = rig;
        this.size = size;
        this.jobs = jobs;
    }

    /** Starts the usual workers and runs jobs that do not count. */
    static Burst warm(Trial trial, Rig rig) {
        return warm(trial, rig, WORKERS, 0, 0);
    }

    /** Starts workers and runs jobs that do not count; {@code failEvery} as in {@link Rig#consume(int, long, int)}. */
    static Burst warm(Trial trial, Rig rig, int workers, long workMillis, int failEvery) {
        rig.consume(workers, workMillis, failEvery);
        Burst burst = new Burst(rig, trial.size(), trial.burst());
        burst.warmUp();
        return burst;
    }

    /** Runs jobs until the JVM has compiled what they use, which takes some hundred thousand of them. */
    void warmUp() {
        warmUp(size.warmUp(), LONGEST_WARM_UP);
    }

    /** Runs so many jobs, unless that takes too long; ever more of them at a time, as long as the contender keeps up. */
    void warmUp(int total, Duration longest) {
        long start = System.nanoTime();
        int count = Math.min(FIRST_WARM_UP, total);
        int done = 0;
        while (done < total && millisSince(start) < longest.toMillis()) {
            long begun = System.nanoTime();
            warmUp(count);
            done += count;
            boolean fast = millisSince(begun) < WARM_MILLIS + size.spreadMillis();
            count = fast ? Math.min(GROWTH * count, jobs) : count;
        }
    }

    private static long millisSince(long startNanos) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
    }

    private void warmUp(int count) {
        String prefix = "warm" + number++;
        double millis = rig.submit(Submit.bulk(prefix, count, System.currentTimeMillis(), size.spreadMillis()));
        submitPerMilli = count / millis;
        rig.await(prefix, count, size.limit());
    }

    /** Of so many jobs from now on, instead of the usual number. */
    Burst of(int otherJobs) {
        jobs = otherJobs;
        return this;
    }

    /** Of jobs that carry so many characters from now on. */
    Burst carrying(int otherCharacters) {
        characters = otherCharacters;
        return this;
    }

    /** One run on workers that have not run anything yet; for that reason it is never repeated. */
    boolean runOnce(Notebook book) {
        return put(book, attempt(leadMillis()));
    }

    /** So many runs, fewer if one does not end in time. */
    void runs(Notebook book, int times) {
        boolean inTime = true;
        for (int i = 0; i < times && inTime; i++) {
            inTime = run(book);
        }
    }

    /** One run; false if it did not end in time, so that the rig is of no further use. */
    boolean run(Notebook book) {
        Attempt attempt = attempt(leadMillis());
        for (int i = 1; i < TRIES && attempt.isOnlyLate(); i++) {
            attempt = attempt(attempt.longerLead());
        }
        boolean inTime = put(book, attempt);
        cost(book, attempt);
        return inTime;
    }

    private long leadMillis() {
        return size.spreadMillis() + (long) (ROOM * jobs / submitPerMilli);
    }

    /**
     * A burst that was tried.
     *
     * @param leadMillis how long before its first job was due its submits began
     * @param submitMillis how long they took
     */
    private record Attempt(
            long dueMillis, long leadMillis, double submitMillis, Outcome outcome, Meter spent, double jvmCpuSeconds) {

        /** Whether nothing is wrong with it, but that jobs were still being submitted when the first were due. */
        boolean isOnlyLate() {
            return !isSubmittedBefore() && outcome.faults().isEmpty();
        }

        boolean isSubmittedBefore() {
            return submitMillis < leadMillis;
        }

        long longerLead() {
            return (long) (ROOM * Math.max((double) leadMillis, submitMillis)) + 1000;
        }
    }

    private Attempt attempt(long leadMillis) {
        String prefix = "burst" + number++;
        Meter before = rig.store().meter();
        double cpuBefore = rig.jvmCpuSeconds();
        long due = System.currentTimeMillis() + leadMillis;
        double submitMillis =
                rig.submit(Submit.bulk(prefix, jobs, due, size.spreadMillis()).carrying(characters));
        long left = Math.max(0, due - System.currentTimeMillis());
        Outcome outcome = rig.await(prefix, jobs, size.limit().plusMillis(left));
        Meter spent = rig.store().meter().since(before);
        return new Attempt(due, leadMillis, submitMillis, outcome, spent, outcome.jvmCpuSeconds() - cpuBefore);
    }

    /** Whether all jobs ran in time. */
    private boolean put(Notebook book, Attempt attempt) {
        book.put("perSecond", attempt.outcome().perSecond((double) attempt.dueMillis()));
        book.put(attempt.outcome());
        book.put("submittedPerSecond", attempt.outcome().expected() / attempt.submitMillis() * 1000);
        if (!attempt.isSubmittedBefore()) {
            book.note("jobs were still being submitted when the first were due");
        }
        if (attempt.outcome().missing() > 0) {
            book.note("stopped after %d s; the numbers are of what ran until then"
                    .formatted(size.limit().toSeconds()));
        }
        return attempt.outcome().missing() == 0;
    }

    private void cost(Notebook book, Attempt attempt) {
        double jobs = attempt.outcome().expected();
        book.put("storeCpuSecondsPerMillion", attempt.spent().cpuSeconds() / jobs * 1e6);
        book.put("jvmCpuSecondsPerMillion", attempt.jvmCpuSeconds() / jobs * 1e6);
        book.put("scriptMicrosPerJob", attempt.spent().scriptMicros() / jobs);
        book.scripts(rig.store());
    }
}
