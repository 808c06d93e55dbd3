package io.delayjob.server.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.server.app.ServerPage.Block;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Every example of docs/server.md, run as it stands there. One whose program this machine lacks is skipped, which is printed. */
@Tag("proof")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ServerPageIT {

    @TempDir
    static Path folder;

    private ServerProcess server;
    private String url;

    @BeforeAll
    void start() {
        server = ServerProcess.start(folder);
        url = server.url();
    }

    @AfterAll
    void stop() {
        server.close();
    }

    @Test
    void theCommandsAnswerAsThePageSays() throws Exception {
        needs("bash", "curl", "sed", "tee");
        List<Block> blocks = ServerPage.blocks();
        for (int i = 0; i < blocks.size(); i++) {
            Block block = blocks.get(i);
            if (block.is("sh") && block.text().contains("curl")) {
                String printed = run(
                        "bash",
                        "-euc",
                        block.text()
                                .replace("http://localhost:8080", url)
                                .replace("export TOKEN=choose-a-long-one", "export TOKEN=" + ServerProcess.TOKEN)
                                // A person sees that it listens.
                                .replace("--max-time 5", "--max-time 12")
                                .replace("sleep 2", "until grep -qs listening events.txt; do sleep 0.1; done"));
                assertThat(printed.strip())
                        .matches(ServerPage.pattern(blocks.get(i + 1).text()));
            }
        }
    }

    @Test
    void thePythonWorkerRunsAJob() throws Exception {
        needs("python3");
        Path script = Files.writeString(folder.resolve("worker.py"), ServerPage.only("python", "def work("));

        assertThat(run("python3", script.toString())).isEqualTo("hello Ann\n");
        assertNothingIsLeft();
    }

    @Test
    void theJavaScriptWorkerRunsAJob() throws Exception {
        needs("node");
        Path script = Files.writeString(folder.resolve("worker.mjs"), ServerPage.only("js", "settlement("));

        assertThat(run("node", script.toString())).isEqualTo("hello Ann\n");
        assertNothingIsLeft();
    }

    @Test
    void thePythonClientFollowsEvents() throws Exception {
        needs("python3");
        Path script = Files.writeString(folder.resolve("events.py"), ServerPage.only("python", "def events("));
        Path printed = folder.resolve("events.out");
        Process process = process("python3", script.toString())
                .redirectOutput(printed.toFile())
                .start();
        try {
            await().pollInterval(1, TimeUnit.SECONDS).untilAsserted(() -> {
                ServerProcess.post(url, "/queues/letters/jobs", "{\"topic\": \"greet\", \"delay\": \"PT1H\"}");
                assertThat(process.isAlive()).isTrue();
                assertThat(printed).content().containsPattern("(?m)^submitted [\\w-]+$");
            });
        } finally {
            process.destroyForcibly();
        }
    }

    private void assertNothingIsLeft() {
        assertThat(ServerProcess.get(url, "/queues/greetings").toString())
                .contains("\"delayed\":0,\"ready\":0,\"reserved\":0,\"dead\":0");
    }

    private static void needs(String... programs) {
        for (String program : programs) {
            boolean found = List.of(System.getenv("PATH").split(":", -1)).stream()
                    .anyMatch(place -> Files.isExecutable(Path.of(place, program)));
            if (!found) {
                System.out.println(
                        "skipped: an example of docs/server.md needs " + program + ", which is not on the PATH");
            }
            assumeThat(found).as("%s is on the PATH", program).isTrue();
        }
    }

    private String run(String... command) throws IOException, InterruptedException {
        Process process = process(command).start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(printed).isZero();
        return printed;
    }

    private ProcessBuilder process(String... command) {
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
        builder.environment().put("TOKEN", ServerProcess.TOKEN);
        builder.environment().put("DELAYJOB_URL", url);
        builder.environment().put("DELAYJOB_TOKEN", ServerProcess.TOKEN);
        return builder;
    }
}
