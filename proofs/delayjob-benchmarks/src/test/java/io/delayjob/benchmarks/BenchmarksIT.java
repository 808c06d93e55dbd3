package io.delayjob.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.benchmarks.contender.ContenderName;
import io.delayjob.benchmarks.driver.Nodes;
import io.delayjob.benchmarks.report.Measurement;
import io.delayjob.benchmarks.report.Page;
import io.delayjob.benchmarks.report.Results;
import io.delayjob.benchmarks.workload.Lab;
import io.delayjob.benchmarks.workload.Size;
import io.delayjob.benchmarks.workload.Workload;
import io.delayjob.benchmarks.workload.Workloads;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every workload, so small that its numbers mean nothing: what counts is that all is measured, and exact. */
@Tag("proof")
class BenchmarksIT {

    /** So many workloads are measured at a time, and one of those with many nodes: most of a small one is starting and waiting. */
    private static final int AT_A_TIME = 2;

    /** Each has three nodes or more, which would be JVMs of their own beside those of another one. */
    private static final Set<String> WITH_MANY_NODES = Set.of("limited", "mixed", "delivery", "dead-target", "journal");

    @TempDir
    private Path folder;

    private Nodes nodes;

    @BeforeEach
    void openNodes() throws Exception {
        nodes = Nodes.used(Files.createTempFile(folder, "contenders", ".log"));
    }

    @AfterEach
    void closeNodes() throws Exception {
        nodes.close();
        assertThat(Files.readString(nodes.log())).doesNotContain("Exception in thread");
    }

    @Test
    void measuresEveryWorkloadOfOursExactlyAndWritesThePage() throws Exception {
        List<Measurement> measurements = runOurs(Workloads.all());
        assertExact(measurements);
        assertThat(measurements.stream().map(Measurement::workload).distinct().toList())
                .isEqualTo(Workloads.all().stream()
                        .filter(workload -> workload.obstacle().get().isEmpty())
                        .map(Workload::name)
                        .toList());
        assertThat(wrong(measurements, one -> one.values().containsKey("perSecond") && one.min("perSecond") <= 0))
                .as("measurements without a rate")
                .isEmpty();
        assertThat(variants(measurements, "idle-schedules"))
                .containsExactly("schedules=0 nodes=2", "schedules=100 nodes=2");
        assertThat(variants(measurements, "instant")).containsExactly("schedules=200 shards=8", "jobs=200 shards=8");
        assertThat(variants(measurements, "start")).containsExactly("burst=first", "burst=warm");
        assertThat(variants(measurements, "http"))
                .containsExactly("workers=process", "workers=http batch=100", "workers=http batch=1");
        assertThat(variants(measurements, "parked"))
                .containsExactly("polls=0", "polls=200 queues=1", "polls=200 queues=10");
        assertThat(variants(measurements, "delivery")).containsExactly("workers=process", "targets=1", "targets=50");
        assertThat(variants(measurements, "dead-target"))
                .containsExactly("dead=none", "dead=refuses", "dead=never answers");
        assertThat(variants(measurements, "scripts"))
                .contains("script=claim jobs=200", "script=retry jobs=200", "script=retry-longest-errors jobs=63")
                .contains("script=find_schedules jobs=200", "script=fire jobs=200");
        assertThat(wrong(measurements, one -> one.workload().equals("scripts") && one.max("maxCpuMillis") <= 0))
                .as("scripts that cost nothing")
                .isEmpty();
        Page.write(new Results(Map.of(), measurements), folder);
        assertThat(folder.resolve("performance.md")).content().contains("## A burst", "## On a cluster", "| exact |");
        assertThat(folder.resolve("images/performance")).isDirectoryContaining("glob:**/{burst,lateness,scaling}.svg");
    }

    @Test
    void measuresBareRedissonBesideIt() throws Exception {
        List<Workload> burst = Workloads.of(List.of("burst"));
        assertWhole(run(burst, ContenderName.DELAYED_QUEUE), 2);
        assertWhole(run(burst, ContenderName.SCHEDULED_EXECUTOR), 1);
    }

    private static void assertWhole(List<Measurement> measurements, int expected) {
        assertExact(measurements);
        assertThat(measurements.size()).isEqualTo(expected);
        assertThat(wrong(measurements, one -> one.median("ran") != 1000))
                .as("measurements without all jobs")
                .isEmpty();
    }

    /** Says the faults alone: a measurement with its settings and values fills a screen. */
    private static void assertExact(List<Measurement> measurements) {
        assertThat(measurements.stream()
                        .flatMap(one -> one.faults().stream().map(fault -> named(one) + ": " + fault))
                        .toList())
                .as("faults")
                .isEmpty();
    }

    private static List<String> wrong(List<Measurement> measurements, Predicate<Measurement> isWrong) {
        return measurements.stream().filter(isWrong).map(BenchmarksIT::named).toList();
    }

    private static String named(Measurement one) {
        return "%s %s %s".formatted(one.workload(), one.contender(), one.variant());
    }

    private static List<String> variants(List<Measurement> measurements, String workload) {
        return measurements.stream()
                .filter(one -> one.workload().equals(workload))
                .map(Measurement::variant)
                .toList();
    }

    private List<Measurement> runOurs(List<Workload> workloads) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(AT_A_TIME);
        ExecutorService manyNodes = Executors.newSingleThreadExecutor();
        try {
            List<Future<List<Measurement>>> runs = new ArrayList<>();
            for (Workload workload : workloads) {
                ExecutorService those = WITH_MANY_NODES.contains(workload.name()) ? manyNodes : threads;
                runs.add(those.submit(() -> run(List.of(workload), ContenderName.DELAYJOB)));
            }
            List<Measurement> measurements = new ArrayList<>();
            for (Future<List<Measurement>> run : runs) {
                measurements.addAll(run.get());
            }
            return measurements;
        } finally {
            threads.shutdownNow();
            manyNodes.shutdownNow();
        }
    }

    private List<Measurement> run(List<Workload> workloads, ContenderName contender) throws Exception {
        Lab lab = new Lab(Size.SMOKE, nodes, System.out);
        new Suite(lab).run(workloads, List.of(contender));
        Path results = Files.createTempFile(folder, "performance", ".json");
        new Results(Map.of(), lab.measurements()).write(results);
        return Results.read(results).measurements();
    }
}
