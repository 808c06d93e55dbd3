package io.delayjob.server.console;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.server.console.TestConsole.Browser;
import io.delayjob.testing.RealRedis;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The pages of an application that has a journal: what Redis lost is seen and put back, and what ended is found. */
@RealRedis
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init")
class JournalPagesIT {

    private TestConsole server;
    private Browser admin;

    @BeforeAll
    void start() {
        server = TestConsole.start(
                TestConsole.Kind.NETTY,
                "delayjob.journal.mode=always",
                "spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        admin = server.signedIn(TestConsole.ADMIN);
    }

    @AfterAll
    void stop() {
        server.close();
    }

    private void submit(String queue, String id, String delay) {
        server.api(
                TestConsole.ADMIN,
                "/queues/" + queue + "/jobs",
                "{\"id\":\"%s\",\"topic\":\"t\",\"delay\":\"%s\"}".formatted(id, delay));
    }

    @Test
    void clearsRedisSaysWhatIsMissingAndPutsItBack() {
        submit("lost", "a", "PT1H");
        submit("lost", "b", "PT1H");
        await().atMost(10, SECONDS)
                .until(() -> admin.get("/queues/lost?state=DELAYED").body().contains(">a<"));

        assertThat(admin.post("/journal/clear", "queue", "lost").body()).contains("2 jobs were taken out");
        assertThat(admin.get("/queues/lost?state=DELAYED").body()).doesNotContain(">a<");
        await().atMost(10, SECONDS)
                .untilAsserted(() -> assertThat(
                                admin.get("/journal?compare=true&queue=lost").body())
                        .contains("missing in Redis", ">a<", ">b<"));
        assertThat(admin.post("/journal/restore", "queue", "lost", "dryRun", "true")
                        .body())
                .contains("2 jobs would be restored");
        assertThat(admin.post("/journal/restore", "queue", "lost", "perSecond", "100")
                        .body())
                .contains("2 jobs were restored");
        assertThat(admin.get("/queues/lost?state=DELAYED").body()).contains(">a<", ">b<");
        assertThat(admin.post("/journal/restore", "queue", "lost", "perSecond", "none")
                        .statusCode())
                .isEqualTo(400);
        assertThat(admin.get("/audit").body()).contains("clear-redis", "restore-dry-run", "cleared: 2");
    }

    @Test
    void tellsWhatHappenedToAJobAndFindsItAfterItsEnd() {
        submit("called-off", "the-job", "PT1H");
        server.bury("ended", "mail", "timed out", 1);
        await().atMost(10, SECONDS)
                .untilAsserted(() -> assertThat(
                                admin.get("/job?queue=ended&id=ended-mail-0").body())
                        .contains("Submitted", "Handed out", "attempt 1", "timed out"));
        admin.post("/job/cancel", "queue", "called-off", "id", "the-job");

        await().atMost(10, SECONDS)
                .untilAsserted(() -> assertThat(admin.get("/search?q=the-job").body())
                        .contains("The journal knows this id", "called-off / the-job"));
        await().atMost(10, SECONDS)
                .untilAsserted(() -> assertThat(
                                admin.get("/job?queue=called-off&id=the-job").body())
                        .contains("Cancelled"));
    }
}
