package io.delayjob.server.console;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.DelayJobJournal;
import io.delayjob.server.console.TestConsole.Browser;
import io.delayjob.testing.RealRedis;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.BeanPostProcessor;

/** The pages of an application that has a journal: what Redis lost is seen and put back, and what ended is found. */
@RealRedis
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init")
class JournalPagesIT {

    private TestConsole server;
    private Browser admin;

    @BeforeAll
    void start() {
        server = TestConsole.startWith(
                LateJournal.class,
                TestConsole.Kind.NETTY,
                "delayjob.journal.mode=always",
                "spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        admin = server.signedIn(TestConsole.ADMIN);
    }

    @AfterAll
    void stop() {
        server.close();
    }

    /** Makes the journal say of some queues that it is behind; the rest it does as ever. */
    static class LateJournal implements BeanPostProcessor {

        private static final Map<String, Duration> LAGS =
                Map.of("slow-disk", Duration.ofSeconds(12), "quick-disk", Duration.ofMillis(9_999));

        @Override
        public Object postProcessAfterInitialization(Object bean, String name) {
            return bean instanceof DelayJobJournal journal ? late(journal) : bean;
        }

        private static Object late(DelayJobJournal journal) {
            return Proxy.newProxyInstance(
                    LateJournal.class.getClassLoader(),
                    new Class<?>[] {DelayJobJournal.class},
                    (proxy, method, arguments) -> method.getName().equals("lag") && LAGS.containsKey(arguments[0])
                            ? LAGS.get(arguments[0])
                            : AopUtils.invokeJoinpointUsingReflection(journal, method, arguments));
        }
    }

    private void submit(String queue, String id, String delay) {
        server.api(
                TestConsole.ADMIN,
                "/queues/" + queue + "/jobs",
                "{\"id\":\"%s\",\"topic\":\"t\",\"delay\":\"%s\"}".formatted(id, delay));
    }

    @Test
    void saysOnTheOverviewWhichJournalIsTenSecondsBehind() {
        submit("slow-disk", "a", "PT1H");
        submit("quick-disk", "a", "PT1H");

        String page = await().atMost(10, SECONDS)
                .until(() -> admin.get("").body(), body -> body.contains("slow-disk: the journal is 12 s behind"));

        assertThat(page)
                .contains("href=\"/console/journal\">Look", ">quick-disk<")
                .doesNotContain("quick-disk: the journal");
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
