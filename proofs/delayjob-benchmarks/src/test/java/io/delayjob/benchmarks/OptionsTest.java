package io.delayjob.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.benchmarks.contender.ContenderName;
import io.delayjob.benchmarks.workload.Size;
import io.delayjob.benchmarks.workload.Workload;
import io.delayjob.benchmarks.workload.Workloads;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OptionsTest {

    @Test
    void writesThePageOfTheDocumentationOnlyIfEverythingIsMeasuredInFull() {
        assertThat(of(Map.of()).folder()).isEqualTo(Path.of("docs"));
        assertThat(of(Map.of("quick", "true")).folder()).isEqualTo(Path.of("out"));
        assertThat(of(Map.of("quick", "")).size()).isEqualTo(Size.QUICK);
        assertThat(of(Map.of("workloads", "burst")).folder()).isEqualTo(Path.of("out"));
        assertThat(of(Map.of("contenders", "delayjob")).folder()).isEqualTo(Path.of("out"));
        assertThat(of(Map.of()).workloads()).isEqualTo(Workloads.all());
    }

    @Test
    void putsSomeWorkloadsIntoThePageIfTheyCompareAllInFullSize() {
        Options options = of(Map.of("workloads", "burst", "merge", ""));
        assertThat(options.folder()).isEqualTo(Path.of("docs"));
        assertThat(options.command()).doesNotContain("burst");
        for (String other : List.of("quick", "contenders")) {
            assertThatThrownBy(() -> of(Map.of("merge", "", other, "delayjob"))).hasMessageContaining(other);
        }
    }

    @Test
    void takesNamesSeparatedByCommas() {
        Options options = of(Map.of("workloads", "burst, steady", "contenders", "delayed-queue"));
        assertThat(options.workloads()).extracting(Workload::name).containsExactly("burst", "steady");
        assertThat(options.contenders()).containsExactly(ContenderName.DELAYED_QUEUE);
        assertThat(options.command())
                .endsWith("-Dbenchmarks.workloads=burst,steady -Dbenchmarks.contenders=delayed-queue");
    }

    @Test
    void refusesNamesThatItDoesNotKnow() {
        assertThatThrownBy(() -> of(Map.of("workloads", "bust")))
                .hasMessageContaining("bust")
                .hasMessageContaining("burst");
        assertThatThrownBy(() -> of(Map.of("contenders", "delayqueue"))).hasMessageContaining("delayqueue");
    }

    private static Options of(Map<String, String> properties) {
        Map<String, String> defaults =
                Map.of("quick", "false", "merge", "false", "render", "false", "docs", "docs", "out", "out");
        return Options.of(name -> properties.getOrDefault(name, defaults.getOrDefault(name, "")));
    }
}
