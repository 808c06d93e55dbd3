package io.delayjob.benchmarks.driver;

/**
 * Counters of a server so far, and the memory of its data. A counter that the server does not have is 0.
 *
 * @param cpuSeconds processor time of its process
 * @param requests how often clients sent something; commands that were sent together count once, those of scripts not at all
 * @param scripts calls of scripts
 * @param scriptMicros time inside scripts
 * @param memoryBytes memory of its data now
 */
public record Meter(double cpuSeconds, long requests, long scripts, long scriptMicros, long memoryBytes) {

    // Each reading has a connection of its own, and so adds two requests: the end of the last connection, and INFO.
    private static final int OWN_REQUESTS = 2;

    static final Meter NOTHING = new Meter(0, 0, 0, 0, 0);

    /** Change since an earlier reading, without the requests of the reading itself. */
    public Meter since(Meter before) {
        return new Meter(
                cpuSeconds - before.cpuSeconds,
                requests - before.requests - OWN_REQUESTS,
                scripts - before.scripts,
                scriptMicros - before.scriptMicros,
                memoryBytes - before.memoryBytes);
    }

    Meter plus(Meter other) {
        return new Meter(
                cpuSeconds + other.cpuSeconds,
                requests + other.requests,
                scripts + other.scripts,
                scriptMicros + other.scriptMicros,
                memoryBytes + other.memoryBytes);
    }
}
