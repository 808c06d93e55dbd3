package io.delayjob.benchmarks.contender.rqueue;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.benchmarks.contender.ContenderMain;
import io.delayjob.testing.OwnRedis;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Timeout(600)
class RqueueIT {

    private static final JsonMapper JSON = new JsonMapper();
    private static final int JOBS = 200;

    @Test
    void runsABurstOnTheClassPathOfItsOwnAndRecordsHowLateItWas() throws Exception {
        Process program = program();
        try (OwnRedis redis = OwnRedis.start();
                Writer commands = program.outputWriter(UTF_8);
                BufferedReader answers = program.inputReader(UTF_8)) {
            Calls calls = new Calls(commands, answers);
            calls.call("{'do':'open','contender':'rqueue','store':'%s'}".formatted(redis.url()));
            long due = System.currentTimeMillis() + 500;
            calls.call("{'do':'submit','prefix':'a','count':%d,'dueMillis':%d,'threads':4}".formatted(JOBS, due));
            calls.call("{'do':'consume','workers':4}");
            calls.call("{'do':'await','prefix':'a','count':%d,'seconds':180}".formatted(JOBS));
            isWhole(calls.call("{'do':'report','prefix':'a'}"));
            calls.call("{'do':'submit','prefix':'overdue','count':%d,'dueMillis':%d,'threads':4}".formatted(JOBS, due));
            calls.call("{'do':'await','prefix':'overdue','count':%d,'seconds':180}".formatted(JOBS));
            isWhole(calls.call("{'do':'report','prefix':'overdue'}"));
        } finally {
            program.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
        }
    }

    private static void isWhole(JsonNode report) throws Exception {
        assertThat(report.path("distinct").intValue()).as("%s", report).isEqualTo(JOBS);
        assertThat(report.path("runs").intValue()).as("%s", report).isEqualTo(JOBS);
        assertThat(report.path("early").intValue()).as("%s", report).isZero();
        byte[] lateness = Base64.getDecoder().decode(report.path("lateness").asString());
        assertThat(Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(lateness), 0)
                        .getTotalCount())
                .isEqualTo(JOBS);
    }

    private static Process program() throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ContenderMain.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private record Calls(Writer commands, BufferedReader answers) {

        JsonNode call(String command) throws IOException {
            commands.write(command.replace('\'', '"') + "\n");
            commands.flush();
            JsonNode answer = JSON.readTree(answers.readLine());
            assertThat(answer.has("error")).as("%s", answer).isFalse();
            assertThat(answer.path("errors").asInt(0)).as("%s", answer).isZero();
            return answer;
        }
    }
}
