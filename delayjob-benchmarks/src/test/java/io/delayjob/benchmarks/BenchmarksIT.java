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
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every workload, so small that its numbers mean nothing: what counts is that all is measured, and exact. */
@Tag("proof")
class BenchmarksIT {

    @TempDir
    private Path folder;

    @Test
    void measuresEveryWorkloadOfOursExactlyAndWritesThePage() throws Exception {
        List<Measurement> measurements = run(Workloads.all(), ContenderName.DELAYJOB);
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

    private List<Measurement> run(List<Workload> workloads, ContenderName contender) throws Exception {
        Path log = folder.resolve("contenders.log");
        Lab lab = new Lab(Size.SMOKE, log, System.out);
        new Suite(lab).run(workloads, List.of(contender));
        assertThat(Files.readString(log)).doesNotContain("Exception in thread");
        Path results = folder.resolve("performance.json");
        new Results(Map.of(), lab.measurements()).write(results);
        return Results.read(results).measurements();
    }
}
