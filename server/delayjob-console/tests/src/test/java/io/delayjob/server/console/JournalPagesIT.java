package io.delayjob.server.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.DelayJobJournal;
import io.delayjob.server.console.TestConsole.Browser;
import io.delayjob.testing.RealRedis;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.BeanPostProcessor;
import tools.jackson.databind.JsonNode;

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
                "delayjob.queues.indexed.index=order",
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

        String page = await().until(
                        () -> admin.get("").body(),
                        body -> body.contains("slow-disk: the journal is 12 s behind")
                                && body.contains(">quick-disk<"));

        assertThat(page).contains("href=\"/console/journal\">slow-disk").doesNotContain("quick-disk: the journal");
    }

    @Test
    void clearsRedisSaysWhatIsMissingAndPutsItBack() {
        submit("lost", "a", "PT1H");
        submit("lost", "b", "PT1H");
        await().until(() -> admin.get("/queues/lost?state=DELAYED").body().contains(">a<"));

        submit("other", "c", "PT1H");
        assertThat(admin.get("/journal/clearing?queue=lost").body())
                .contains("Queue lost has 2 unfinished jobs")
                .contains("Take the 2 unfinished jobs of queue lost out of Redis?")
                .contains("Cancel the 2 unfinished jobs of queue lost for good");
        assertThat(admin.post("/journal/clear", "queue", "lost", "most", "1", "forGood", "true")
                        .body())
                .contains("has 2 unfinished jobs, and at most 1 may be cleared");
        assertThat(admin.post("/journal/clear", "queue", "lost", "most", "2").body())
                .contains("2 jobs were taken out");
        assertThat(admin.get("/queues/lost?state=DELAYED").body()).doesNotContain(">a<");
        await().untilAsserted(() -> assertThat(
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
        await().untilAsserted(() -> assertThat(
                        admin.get("/job?queue=ended&id=ended-mail-0").body())
                .contains("Submitted", "Handed out", "attempt 1", "timed out"));
        admin.post("/job/cancel", "queue", "called-off", "id", "the-job");

        await().untilAsserted(() -> assertThat(admin.get("/search?q=the-job").body())
                .contains(
                        "href=\"/console/job?queue=called-off&amp;id=the-job\"",
                        "Cancelled</span><span class=\"dim\">\u00a0journal",
                        "Exact match",
                        "Find longer ids"));
        await().untilAsserted(() ->
                assertThat(admin.get("/job?queue=called-off&id=the-job").body()).contains("Cancelled"));
    }

    private void finish(String queue, String id, String param) {
        server.api(
                TestConsole.ADMIN,
                "/queues/" + queue + "/jobs",
                "{\"id\":\"%s\",\"topic\":\"t\",\"delay\":\"PT0S\",\"param\":%s}".formatted(id, param));
        JsonNode claimed =
                server.api(TestConsole.ADMIN, "/queues/" + queue + "/claims", "{\"max\":1,\"wait\":\"PT60S\"}");
        String handle = claimed.path("jobs").path(0).path("handle").asString("");
        server.api(
                TestConsole.ADMIN,
                "/settlements",
                "{\"settlements\":[{\"handle\":\"%s\",\"action\":\"complete\",\"result\":{\"done\":true}}]}"
                        .formatted(handle));
    }

    @Test
    void findsWhatHasEndedBesideWhatHasNotAndExportsBoth() {
        for (int number = 0; number < 3; number++) {
            finish("sold", "sale-" + number, "{\"order\":{\"id\":" + (700 + number) + ",\"password\":\"hunter2\"}}");
        }
        submit("sold", "sale-3", "PT1H");
        String all = admin.search(
                "queue:sold", ">sale-0<", ">sale-1<", ">sale-2<", ">sale-3<", "Looked at 1 of about 1", "that is all");

        assertThat(all).contains("at 3 that the journal has");
        assertThat(admin.search("queue:sold%20state:completed", ">sale-0<", ">sale-1<", ">sale-2<"))
                .doesNotContain(">sale-3<");
        assertThat(admin.search("order.id:701", ">sale-1<")).doesNotContain(">sale-0<", ">sale-2<");
        admin.search("queue:sold%20sale-", ">sale-0<", ">sale-2<", ">sale-3<");
        assertThat(admin.search("queue:sold%20ended:..2020-01-01", "Nothing found"))
                .doesNotContain(">sale-0<");
        assertThat(admin.search("queue:sold%20ended:2020-01-01..", ">sale-0<")).doesNotContain(">sale-3<");
        assertThat(admin.search("queue:sold%20node:nobody", "Nothing found")).doesNotContain(">sale-0<");

        assertThat(admin.get("/export.ndjson?q=queue:sold").body().lines())
                .hasSize(5)
                .anySatisfy(line -> assertThat(line)
                        .contains("sale-1", "\"id\":701", "•••", "\"state\":\"COMPLETED\"", "\"source\":\"journal\""))
                .anySatisfy(line -> assertThat(line).contains("sale-3", "\"source\":\"redis\""))
                .anySatisfy(line -> assertThat(line).contains("\"jobs\":4", "\"complete\":true"))
                .noneSatisfy(line -> assertThat(line).contains("hunter2"));
        Browser others = server.signedIn(server.token("sold-others", "\"read\"", "\"other\""));
        assertThat(others.get("/search?q=order.id:701").body()).doesNotContain("sale-1");
        assertThat(others.get("/search?q=sale-1").body()).doesNotContain("sale-1<");
    }

    @Test
    void findsWhatHasEndedByTheIndexToo() {
        finish("indexed", "ended", "{\"order\":7}");
        finish("indexed", "other", "{\"order\":8}");
        server.api(
                TestConsole.ADMIN,
                "/queues/indexed/jobs",
                "{\"id\":\"waits\",\"topic\":\"t\",\"delay\":\"PT1H\",\"param\":{\"order\":7}}");

        await().untilAsserted(() -> assertThat(
                        admin.get("/search?q=queue:indexed%20order:7").body())
                .contains(">ended<", ">waits<", "Found by the index.")
                .doesNotContain(">other<"));
        assertThat(admin.search("order:7%20state:completed", ">ended<", "Found by the index."))
                .doesNotContain(">waits<");
    }

    private String ask(String path) {
        return TestConsole.send(HttpRequest.newBuilder(URI.create(server.url() + "/api/v1" + path))
                        .header("Authorization", "Bearer " + TestConsole.ADMIN))
                .body();
    }

    @Test
    void theApiSearchesWhatHasEndedToo() {
        finish("sold-out", "last", "{\"order\":1}");

        await().untilAsserted(() -> assertThat(ask("/queues/sold-out/ended?state=COMPLETED&topic=t&text=order"))
                .contains("\"id\":\"last\"", "\"result\":{\"done\":true}", "\"examined\":1"));
        assertThat(ask("/queues/sold-out/ended?endedTo=2020-01-01T00:00:00Z")).contains("\"jobs\":[]");
    }
}
