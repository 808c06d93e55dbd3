package io.delayjob.client;

import io.delayjob.JobClaim;
import io.delayjob.support.Checks;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How a {@link HttpDelayJobWorker} works. Immutable; each {@code with…} method returns a changed copy.
 *
 * @param queues whose jobs it runs, 1 to 100, those that come first preferred
 * @param concurrency how many jobs run at once, at least 1
 * @param claims how many claims wait at once, at least 1
 * @param maxWait how long a claim waits for a job, 1 ms to 60 s
 * @param lease the lease of jobs that were submitted without one, at least 1 s; null for that of their queue
 * @param name the name that is shown with its jobs, 1 to 64 of {@code A-Z a-z 0-9 . _ : @ / -}
 * @param grace how long running jobs may take when the worker stops
 * @param threads makes the threads that jobs run on
 * @param problems is told what goes wrong besides the handler's exceptions, and of an outage of the server once
 */
public record WorkerSettings(
        List<String> queues,
        int concurrency,
        int claims,
        Duration maxWait,
        @Nullable Duration lease,
        String name,
        Duration grace,
        ThreadFactory threads,
        Consumer<? super String> problems) {

    /** Jobs that run at once, unless set. */
    public static final int DEFAULT_CONCURRENCY = 10;

    /** How long running jobs may take when the worker stops, unless set. */
    public static final Duration DEFAULT_GRACE = Duration.ofSeconds(20);

    private static final int CLAIMS = 2;
    private static final Duration WAIT = Duration.ofSeconds(20);
    private static final int LONGEST_NAME = 64;

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if one is not allowed; the message names it
     */
    public WorkerSettings {
        Checks.atLeastOne(concurrency, "concurrency");
        Checks.atLeastOne(claims, "claims");
        Checks.positive(maxWait, "maxWait");
        Checks.notNegative(grace, "grace");
        Checks.notNull(threads, "threads");
        Checks.notNull(problems, "problems");
        queues = new JobClaim(queues, 1, maxWait, lease, Checks.notNull(name, "name"), null).queues();
    }

    /**
     * Ten jobs at once, two claims that wait 20 s each, the queues' own leases, and 20 s for jobs that run at the stop. It is named after its host and
     * process, and tells problems to the log of the JDK ({@link System.Logger}).
     *
     * @param queues whose jobs it runs
     */
    public static WorkerSettings of(String... queues) {
        System.Logger log = System.getLogger(HttpDelayJobWorker.class.getName());
        return new WorkerSettings(
                List.of(queues),
                DEFAULT_CONCURRENCY,
                CLAIMS,
                WAIT,
                null,
                ownName(),
                DEFAULT_GRACE,
                work -> new Thread(work, "delayjob-worker"),
                problem -> log.log(System.Logger.Level.WARNING, problem));
    }

    private static String ownName() {
        String process = "-" + ProcessHandle.current().pid();
        String host = host().replaceAll("[^A-Za-z0-9._-]", "-");
        return host.substring(0, Math.min(host.length(), LONGEST_NAME - process.length())) + process;
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "worker";
        }
    }

    /** The settings with another number of jobs that run at once, at least 1. */
    public WorkerSettings withConcurrency(int newConcurrency) {
        return new WorkerSettings(queues, newConcurrency, claims, maxWait, lease, name, grace, threads, problems);
    }

    /** The settings with another number of claims that wait at once, at least 1. */
    public WorkerSettings withClaims(int newClaims) {
        return new WorkerSettings(queues, concurrency, newClaims, maxWait, lease, name, grace, threads, problems);
    }

    /** The settings with another time that a claim waits for a job, 1 ms to 60 s. */
    public WorkerSettings withMaxWait(Duration newMaxWait) {
        return new WorkerSettings(queues, concurrency, claims, newMaxWait, lease, name, grace, threads, problems);
    }

    /** The settings with a lease of jobs that were submitted without one, at least 1 s. */
    public WorkerSettings withLease(Duration newLease) {
        return new WorkerSettings(queues, concurrency, claims, maxWait, newLease, name, grace, threads, problems);
    }

    /** The settings with another name, 1 to 64 of {@code A-Z a-z 0-9 . _ : @ / -}. */
    public WorkerSettings withName(String newName) {
        return new WorkerSettings(queues, concurrency, claims, maxWait, lease, newName, grace, threads, problems);
    }

    /** The settings with another time that running jobs may take when the worker stops. */
    public WorkerSettings withGrace(Duration newGrace) {
        return new WorkerSettings(queues, concurrency, claims, maxWait, lease, name, newGrace, threads, problems);
    }

    /** The settings with other threads that jobs run on. */
    public WorkerSettings withThreads(ThreadFactory newThreads) {
        return new WorkerSettings(queues, concurrency, claims, maxWait, lease, name, grace, newThreads, problems);
    }

    /** The settings with another receiver of problems. */
    public WorkerSettings withProblems(Consumer<? super String> newProblems) {
        return new WorkerSettings(queues, concurrency, claims, maxWait, lease, name, grace, threads, newProblems);
    }
}
