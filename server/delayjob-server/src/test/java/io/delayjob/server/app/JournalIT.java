package io.delayjob.server.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.server.app.ServerProcess.Said;
import io.delayjob.server.command.Commands;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.util.FileSystemUtils;

/** The journal of the packaged server on its embedded default, and the commands that ask it. */
@Tag("proof")
class JournalIT {

    private static final String MODE = "--delayjob.queues.orders.journal.mode=always";

    @TempDir
    Path folder;

    private Said command(String... arguments) {
        return ServerProcess.command(folder, arguments);
    }

    /** A command that asks a server, in this JVM. */
    private static Said ask(String... arguments) {
        PrintStream out = System.out;
        PrintStream err = System.err;
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        try (PrintStream both = new PrintStream(said, true, UTF_8)) {
            System.setOut(both);
            System.setErr(both);
            return new Said(Commands.run(arguments), said.toString(UTF_8));
        } finally {
            System.setOut(out);
            System.setErr(err);
        }
    }

    @Test
    void whatRedisHasLostIsPutBackFromTheCommandLine() throws IOException {
        try (ServerProcess server = ServerProcess.start(folder, MODE)) {
            String url = server.url();
            assertThat(server.log()).contains("journal:       jdbc:h2:file:" + folder.resolve("redis/journal"));
            assertThat(PosixFilePermissions.toString(
                            Files.getPosixFilePermissions(folder.resolve("redis/journal.mv.db"))))
                    .isEqualTo("rw-------");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("redis"))))
                    .isEqualTo("rwx------");
            ServerProcess.post(
                    url,
                    "/queues/orders/jobs/batch",
                    "{\"jobs\": [{\"id\": \"a/1\", \"topic\": \"t\", \"delay\": \"PT1H\"},"
                            + " {\"id\": \"b\", \"topic\": \"t\", \"delay\": \"PT1H\"}]}");
            asksTheServer(url);
            Said locked = command("journal", "diff", MODE);
            assertThat(locked.code()).as(locked.text()).isEqualTo(3);
            assertThat(locked.text())
                    .contains(
                            "open in another process",
                            folder.resolve("redis/journal").toString());
            server.stop();
        }
        assertThat(FileSystemUtils.deleteRecursively(folder.resolve("redis/appendonlydir"))
                        || Files.deleteIfExists(folder.resolve("redis/appendonly.aof")))
                .isTrue();

        Said diff = command("journal", "diff", "--queue=orders", MODE);
        assertThat(diff.code()).as(diff.text()).isEqualTo(1);
        assertThat(diff.text()).contains("2 missing in Redis, 0 missing in the journal", "orders a/1: journal DELAYED");

        Said restored = command("journal", "restore", "--yes", MODE);
        assertThat(restored.code()).as(restored.text()).isZero();
        assertThat(restored.text()).contains("2 examined: 2 restored, 0 present");
    }

    private void asksTheServer(String url) {
        String[] server = {"--url=" + url, "--token=" + ServerProcess.TOKEN};
        await().untilAsserted(() -> {
            Said history = ask("journal", "history", "--queue=orders", "--id=a/1", server[0], server[1]);
            assertThat(history.code()).as(history.text()).isZero();
            assertThat(history.text()).contains(" SUBMITTED, state DELAYED, due 2");
        });
        await().untilAsserted(() -> {
            Said dry = ask("journal", "restore", "--queue=orders", server[0], server[1]);
            assertThat(dry.text())
                    .contains("2 examined: 0 to be restored, 2 present", "nothing was changed; add --yes");
            assertThat(dry.code()).isZero();
        });
        Said clear = ask("journal", "clear", "--queue=orders", server[0], server[1]);
        assertThat(clear.text()).contains("2 jobs to be removed from Redis", "nothing was changed; add --yes");
        Said diff = ask("journal", "diff", server[0], server[1]);
        assertThat(diff.text()).contains("2 compared, 0 journaled");
        assertThat(diff.code()).isZero();
        Said wrong = ask("journal", "diff", server[0], "--token=wrong");
        assertThat(wrong.text()).contains("the server answers 401");
        assertThat(wrong.code()).isEqualTo(3);
        Said unknown = ask("journal", "restore", "--queue=orders", "--id=c", server[0], server[1]);
        assertThat(unknown.text()).contains("knows no job 'c' of queue 'orders'");
        assertThat(unknown.code()).isEqualTo(2);
    }

    @Test
    void aJournalBesideARedisElsewhereNeedsADatabaseOfItsOwn() {
        Said refused = command("--delayjob.redis.url=redis://127.0.0.1:1", "--delayjob.journal.mode=always");

        assertThat(refused.code()).isEqualTo(1);
        assertThat(refused.text()).contains("spring.datasource.url", "all servers of this Redis");
    }

    @Test
    void aServerThatIsNotAskedToKeepAJournalOpensNoDatabase() {
        try (ServerProcess server = ServerProcess.start(folder)) {
            String url = server.url();
            assertThat(server.log()).contains("journal:       none").doesNotContain("Hikari");
            assertThat(folder.resolve("redis/journal.mv.db")).doesNotExist();
            Said none = ask("journal", "diff", "--url=" + url, "--token=" + ServerProcess.TOKEN);
            assertThat(none.code()).isEqualTo(3);
            assertThat(none.text()).contains("the server answers 404: this server keeps no journal");
        }
    }
}
