package io.delayjob.server.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.server.app.DocsPage.Block;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
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

    private static final DocsPage PAGE = new DocsPage("server.md");

    @TempDir
    static Path folder;

    private Shell shell;

    private ServerProcess server;
    private String url;

    @BeforeAll
    void start() {
        server = ServerProcess.start(folder);
        url = server.url();
        shell = new Shell(
                folder,
                Map.of("TOKEN", ServerProcess.TOKEN, "DELAYJOB_URL", url, "DELAYJOB_TOKEN", ServerProcess.TOKEN));
    }

    @AfterAll
    void stop() {
        server.close();
    }

    @Test
    void theCommandsAnswerAsThePageSays() throws Exception {
        Shell.needs("docs/server.md", "bash", "curl", "sed", "tee");
        List<Block> blocks = PAGE.blocks();
        for (int i = 0; i < blocks.size(); i++) {
            Block block = blocks.get(i);
            if (block.is("sh") && block.text().contains("curl")) {
                String printed = shell.run(
                        "bash",
                        "-euc",
                        block.text()
                                .replace("http://localhost:8080", url)
                                .replace("export TOKEN=choose-a-long-one", "export TOKEN=" + ServerProcess.TOKEN)
                                // A person sees that it listens.
                                .replace("--max-time 5", "--max-time 12")
                                .replace("sleep 2", "until grep -qs listening events.txt; do sleep 0.1; done"));
                assertThat(printed.strip())
                        .matches(DocsPage.pattern(blocks.get(i + 1).text()));
            }
        }
    }

    @Test
    void thePythonWorkerRunsAJob() throws Exception {
        Shell.needs("docs/server.md", "python3");
        Path script = Files.writeString(folder.resolve("worker.py"), PAGE.only("python", "def work("));

        assertThat(shell.run("python3", script.toString())).isEqualTo("hello Ann\n");
        assertNothingIsLeft();
    }

    @Test
    void theJavaScriptWorkerRunsAJob() throws Exception {
        Shell.needs("docs/server.md", "node");
        Path script = Files.writeString(folder.resolve("worker.mjs"), PAGE.only("js", "settlement("));

        assertThat(shell.run("node", script.toString())).isEqualTo("hello Ann\n");
        assertNothingIsLeft();
    }

    @Test
    void thePythonClientFollowsEvents() throws Exception {
        Shell.needs("docs/server.md", "python3");
        Path script = Files.writeString(folder.resolve("events.py"), PAGE.only("python", "def events("));
        Path printed = folder.resolve("events.out");
        Process process = shell.process("python3", script.toString())
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
}
