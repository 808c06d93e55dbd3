package io.delayjob.benchmarks.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.delayjob.benchmarks.contender.ContenderName;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** The opponents that are not of Redisson; Rqueue's test is in its module. */
@Tag("proof")
class OpponentsIT {

    private static final int JOBS = 200;
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource(names = {"DB_SCHEDULER", "JOBRUNR", "BULLMQ"})
    void runsABurstAndRecordsHowLateItWas(ContenderName opponent) throws Exception {
        Optional<String> obstacle = Programs.obstacle(opponent);
        obstacle.ifPresent(reason -> System.out.println(opponent + " is left out: " + reason));
        assumeTrue(obstacle.isEmpty(), obstacle::toString);
        try (RunningStore store = RunningStore.start(opponent.storeKind());
                Node node = Node.start(opponent, null, folder.resolve("log"))) {
            String url = store.store().url();
            JsonNode opened = call(node, "open", Map.of("contender", opponent.toString(), "store", url));
            assertThat(opened.path("settings").path("release").asString()).startsWith(opponent.toString());
            runsExactly(node);
        }
    }

    private static void runsExactly(Node node) throws DataFormatException {
        long due = System.currentTimeMillis() + 500;
        call(node, "submit", Map.of("prefix", "a", "count", JOBS - 10, "dueMillis", due, "spreadMillis", 100));
        call(node, "submit", new Submit("a", JOBS - 10, 10, due, 0, "single", 1, 1, 128));
        call(node, "consume", Map.of("workers", 4, "failEvery", 0));
        call(node, "await", Map.of("prefix", "a", "count", JOBS, "seconds", PATIENCE.toSeconds()));
        JsonNode report = call(node, "report", Map.of("prefix", "a"));
        assertThat(report.path("distinct").intValue()).as("%s", report).isEqualTo(JOBS);
        assertThat(report.path("runs").intValue()).as("%s", report).isEqualTo(JOBS);
        assertThat(report.path("early").intValue()).as("%s", report).isZero();
        assertThat(lateness(report).getTotalCount()).isEqualTo(JOBS);
    }

    private static Histogram lateness(JsonNode report) throws DataFormatException {
        byte[] bytes = Base64.getDecoder().decode(report.path("lateness").asString());
        return Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(bytes), 0);
    }

    private static JsonNode call(Node node, String what, Object arguments) {
        JsonNode answer = node.call(what, arguments, PATIENCE.plusSeconds(30));
        assertThat(answer.path("errors").asInt(0)).as("%s", answer).isZero();
        return answer;
    }
}
