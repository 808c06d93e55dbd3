package io.delayjob.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.benchmarks.contender.ContenderName;
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
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every workload, so small that its numbers mean nothing: what counts is that all is measured, and exact. */
@Tag("proof")
class BenchmarksIT {

    /** So many workloads are measured at a time: most of a small one is starting and waiting. */
    private static final int AT_A_TIME = 3;

    @TempDir
    private Path folder;

    @Test
    void measuresEveryWorkloadOfOursExactlyAndWritesThePage() throws Exception {
        List<Measurement> measurements = runOurs(Workloads.all());
        assertThat(measurements)
                .allSatisfy(one -> assertThat(one.faults()).as(one.toString()).isEmpty())
                .extracting(Measurement::workload)
                .containsSubsequence(Workloads.all().stream()
                        .filter(workload -> workload.obstacle().get().isEmpty())
                        .map(Workload::name)
                        .toList());
        assertThat(measurements)
                .filteredOn(one -> one.values().containsKey("perSecond"))
                .allSatisfy(one ->
                        assertThat(one.min("perSecond")).as(one.toString()).isPositive());
        assertThat(variants(measurements, "start")).containsExactly("burst=first", "burst=warm");
        assertThat(variants(measurements, "http"))
                .containsExactly("workers=process", "workers=http batch=100", "workers=http batch=1");
        assertThat(variants(measurements, "parked"))
                .containsExactly("polls=0", "polls=200 queues=1", "polls=200 queues=10");
        assertThat(variants(measurements, "delivery")).containsExactly("workers=process", "targets=1", "targets=50");
        assertThat(variants(measurements, "dead-target"))
                .containsExactly("dead=none", "dead=refuses", "dead=never answers");
        assertThat(variants(measurements, "scripts"))
                .contains("script=claim jobs=200", "script=retry jobs=200", "script=retry-longest-errors jobs=63");
        assertThat(measurements)
                .filteredOn(one -> one.workload().equals("scripts"))
                .allSatisfy(one -> assertThat(one.max("maxCpuMillis")).isPositive());
        Page.write(new Results(Map.of(), measurements), folder);
        assertThat(folder.resolve("performance.md")).content().contains("## A burst", "## On a cluster", "| exact |");
        assertThat(folder.resolve("images/performance")).isDirectoryContaining("glob:**/{burst,lateness,scaling}.svg");
    }

    @Test
    void measuresBareRedissonBesideIt() throws Exception {
        List<Workload> burst = Workloads.of(List.of("burst"));
        assertThat(run(burst, ContenderName.DELAYED_QUEUE)).hasSize(2).allSatisfy(BenchmarksIT::isWhole);
        assertThat(run(burst, ContenderName.SCHEDULED_EXECUTOR)).hasSize(1).allSatisfy(BenchmarksIT::isWhole);
    }

    private static List<String> variants(List<Measurement> measurements, String workload) {
        return measurements.stream()
                .filter(one -> one.workload().equals(workload))
                .map(Measurement::variant)
                .toList();
    }

    private static void isWhole(Measurement one) {
        assertThat(one.faults()).as(one.toString()).isEmpty();
        assertThat(one.median("ran")).isEqualTo(1000);
    }

    private List<Measurement> runOurs(List<Workload> workloads) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(AT_A_TIME);
        try {
            List<Future<List<Measurement>>> runs = new ArrayList<>();
            for (Workload workload : workloads) {
                runs.add(threads.submit(() -> run(List.of(workload), ContenderName.DELAYJOB)));
            }
            List<Measurement> measurements = new ArrayList<>();
            for (Future<List<Measurement>> run : runs) {
                measurements.addAll(run.get());
            }
            return measurements;
        } finally {
            threads.shutdownNow();
        }
    }

    private List<Measurement> run(List<Workload> workloads, ContenderName contender) throws Exception {
        Path log = Files.createTempFile(folder, "contenders", ".log");
        Lab lab = new Lab(Size.SMOKE, log, System.out);
        new Suite(lab).run(workloads, List.of(contender));
        assertThat(Files.readString(log)).doesNotContain("Exception in thread");
        Path results = Files.createTempFile(folder, "performance", ".json");
        new Results(Map.of(), lab.measurements()).write(results);
        return Results.read(results).measurements();
    }
}
