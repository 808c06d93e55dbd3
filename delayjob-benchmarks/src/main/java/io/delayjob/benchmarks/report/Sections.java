package io.delayjob.benchmarks.report;

import java.util.List;

/** The parts of the page. */
final class Sections {

    private static final Column RATE = new Column("perSecond", "jobs/s");
    private static final Column P50 = new Column("p50Millis", "p50, ms");
    private static final Column P99 = new Column("p99Millis", "p99, ms");
    private static final Column P999 = new Column("p999Millis", "p99.9, ms");
    private static final Column MAX = new Column("maxMillis", "max, ms");
    private static final Column SCRIPT_MICROS = new Column("scriptMicrosPerJob", "in scripts, µs/job");
    private static final Column SCRIPT_P99 = new Column("p99ScriptMillis", "script p99, ms");
    private static final Column SLOWEST = new Column("slowestScriptMillis", "longest script, ms");

    static final List<Section> ALL = List.of(
            new Section(
                    "burst",
                    "A burst",
                    "Jobs due within one second, all submitted before, run by 16 workers, while none or many others wait for a"
                            + " time between one and two days away. The rate counts from the first due time to the end of the last"
                            + " job.",
                    Pictures.BURST,
                    List.of(RATE, P50, P99, P999, MAX)),
            new Section(
                    "steady",
                    "A steady load",
                    "So many submits a second, each at its time whatever became of those before, with delays of 0 to 5 s drawn at"
                            + " random. Lateness counts from the time at which the job was meant to be due to the begin of its run;"
                            + " a submit that is late makes its job late.",
                    Pictures.LATENESS,
                    List.of(P50, P99, P999, MAX, new Column("scriptsPerSecond", "scripts/s"))),
            new Section(
                    "submit",
                    "Submits",
                    "Jobs that are due far from now: one after the other from one thread, from 64 threads, and in bulk, in batches"
                            + " of 500 from four threads. A submit ends when the store has confirmed it.",
                    "",
                    List.of(RATE)),
            new Section(
                    "short",
                    "Jobs of a millisecond",
                    "Jobs that sleep for a millisecond, due within one second, on 64 workers. They could do 64,000 a second if"
                            + " nothing took any time but the jobs.",
                    "",
                    List.of(RATE, new Column("percentOfMaximum", "% of the maximum"), P50, P99)),
            new Section(
                    "retries",
                    "Retries",
                    "A burst in which every job fails once and is tried again after a millisecond. Lateness counts to the begin of"
                            + " the second attempt.",
                    "",
                    List.of(RATE, P50, P99)),
            new Section(
                    "drain",
                    "After a downtime",
                    "Jobs that came due while no node was there, and one node that has just started, with 16 workers. The rate"
                            + " counts from the begin of the first job.",
                    "",
                    List.of(RATE, SCRIPT_MICROS, SCRIPT_P99, SLOWEST)),
            new Section(
                    "scaling",
                    "Nodes and shards",
                    "The burst on one to three nodes of 16 workers each, all on this machine beside their Redis, and one to four"
                            + " shards.",
                    Pictures.SCALING,
                    List.of(RATE, P50, P99, new Column("jvmCpuSecondsPerMillion", "JVMs, CPU s per million"))),
            new Section(
                    "mixed",
                    "Nodes with different beans",
                    "Twenty jobs a second on four nodes: all of them have the bean, or one alone. The two fleets take turns, each with"
                            + " a Redis of its own on this machine.",
                    "",
                    List.of(P50, P99, P999, MAX)),
            new Section(
                    "idle",
                    "Nothing to do",
                    "What nodes without jobs ask of Redis. Requests that a client sends together count once.",
                    "",
                    List.of(
                            new Column("requestsPerSecondPerNode", "requests/s and node"),
                            new Column("scriptsPerSecond", "scripts/s"))),
            new Section(
                    "memory",
                    "Memory",
                    "What a job that waits takes of Redis' memory. Its payload has 128 characters, beside its id and due time.",
                    "",
                    List.of(new Column("bytesPerJob", "bytes/job"))),
            new Section(
                    "persistence",
                    "With an append-only file",
                    "The burst, and single submits from 64 threads, on a Redis that keeps an append-only file.",
                    "",
                    List.of(RATE, P50, P99, new Column("singlesPerSecond", "single submits/s"))),
            new Section(
                    "cluster",
                    "On a cluster",
                    "The burst on one queue, its shards on three masters with a replica each, all on this machine.",
                    "",
                    List.of(RATE, P50, P99, MAX)));

    /** What the burst cost; a second look at its measurements. */
    static final Section COST = new Section(
            "burst",
            "What a job costs",
            "Over its whole life: submitted in bulk, waited for, run, completed. Of the burst above.",
            "",
            List.of(
                    new Column("storeCpuSecondsPerMillion", "store, CPU s per million"),
                    new Column("jvmCpuSecondsPerMillion", "JVM, CPU s per million"),
                    SCRIPT_MICROS,
                    SCRIPT_P99,
                    SLOWEST,
                    new Column("submittedPerSecond", "submitted/s, in bulk")));

    private Sections() {}
}
