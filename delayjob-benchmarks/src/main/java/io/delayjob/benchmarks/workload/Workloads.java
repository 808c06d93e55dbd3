package io.delayjob.benchmarks.workload;

import java.util.List;

/** All workloads, in the order in which they are measured. */
public final class Workloads {

    private static final List<Workload> ALL = List.of(
            new SubmitWorkload(),
            new BurstWorkload(),
            new StartWorkload(),
            new SteadyWorkload(),
            new ShortJobsWorkload(),
            new RetriesWorkload(),
            new ScriptsWorkload(),
            new DrainWorkload(),
            new IdleWorkload(),
            new MemoryWorkload(),
            new PersistenceWorkload(),
            new ClusterWorkload(),
            new ScalingWorkload(),
            new MixedFleetWorkload());

    private Workloads() {}

    /** All of them. */
    public static List<Workload> all() {
        return ALL;
    }

    /** Those of that names. */
    public static List<Workload> of(List<String> names) {
        return names.stream().map(Workloads::of).toList();
    }

    private static Workload of(String name) {
        return ALL.stream()
                .filter(workload -> workload.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no such workload: " + name + "; there are "
                        + ALL.stream().map(Workload::name).toList()));
    }
}
