package io.delayjob.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.embedded.RedisCall;
import io.delayjob.server.Api.Answer;
import io.delayjob.testing.RedisServer;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Recurring jobs over HTTP. */
@EachServer
@SuppressWarnings("NullAway.Init")
class SchedulesIT {

    private static final String NIGHTLY =
            "{\"queue\": \"reports\", \"topic\": \"report\", \"param\": {\"of\": 1.50}, \"cron\": \"0 0 3 * * *\", "
                    + "\"zone\": \"Europe/Berlin\", \"overlap\": \"ALLOW\", \"maxAttempts\": 2}";

    @Parameter
    private TestServer.Kind kind;

    private final String prefix = TestServer.prefix();
    private TestServer server;
    private Api admin;

    @BeforeParameterizedClassInvocation
    void start() {
        server = kind.start(prefix, new String[0]);
        admin = server.api();
    }

    @AfterParameterizedClassInvocation
    void stop() {
        server.close();
    }

    private static Answer is(int status, Answer answer) {
        assertThat(answer.status()).as("%s", answer).isEqualTo(status);
        return answer;
    }

    private Api with(String name, String roles, String queue) {
        return server.api(is(
                        201,
                        admin.post(
                                "/tokens",
                                "{\"name\": \"%s\", \"roles\": [%s], \"queues\": [\"%s\"]}"
                                        .formatted(name, roles, queue)))
                .json()
                .path("token")
                .asString());
    }

    @Test
    void storesShowsPausesResumesAndRemovesASchedule() {
        Answer put = is(200, admin.send("PUT", "/schedules/nightly", NIGHTLY));
        assertThat(put.json().path("zone").asString()).isEqualTo("Europe/Berlin");
        assertThat(put.json().path("catchUp").asString()).isEqualTo("LAST");
        assertThat(put.json().path("maxAttempts").asInt()).isEqualTo(2);
        assertThat(put.json().path("param").path("of").asDouble()).isEqualTo(1.5);
        assertThat(put.json().path("nextAt").asString()).isNotEmpty();
        assertThat(is(200, admin.send("PUT", "/schedules/nightly", NIGHTLY)).json())
                .isEqualTo(put.json());
        assertThat(is(200, admin.get("/schedules")).json().path("schedules").findValuesAsString("name"))
                .contains("nightly");
        assertThat(is(200, admin.get("/schedules/nightly/preview?count=3"))
                        .json()
                        .path("instants")
                        .size())
                .isEqualTo(3);
        assertThat(is(200, admin.post("/schedules/nightly/pause"))
                        .json()
                        .path("paused")
                        .asBoolean())
                .isTrue();
        assertThat(is(200, admin.post("/schedules/nightly/resume"))
                        .json()
                        .path("paused")
                        .asBoolean())
                .isFalse();
        String id = is(200, admin.post("/schedules/nightly/trigger"))
                .json()
                .path("job")
                .path("id")
                .asString();
        Answer job = is(200, admin.get("/queues/reports/jobs/" + id));
        assertThat(job.response().body()).contains("\"of\":1.50");
        assertThat(is(200, admin.get("/schedules/nightly/explanation"))
                        .json()
                        .path("text")
                        .asString())
                .startsWith("schedule 'nightly': its next instant is ");
        is(204, admin.delete("/schedules/nightly"));
        is(404, admin.get("/schedules/nightly/explanation"));
        assertThat(is(404, admin.get("/schedules/nightly")).problem()).isEqualTo("no-such-schedule");
        is(404, admin.post("/schedules/nightly/trigger"));
        is(404, admin.delete("/schedules/nightly"));
    }

    @Test
    void pausesAndResumesAScheduleThatThisServerCannotRead() throws IOException {
        is(200, admin.send("PUT", "/schedules/newer", NIGHTLY.replace("reports", "newer")));
        overwrite("newer", "newer", "{\"v\":2}");
        assertThat(is(500, admin.get("/schedules/newer")).json().path("type").asString())
                .isEqualTo("urn:delayjob:problem:unreadable-schedule");
        assertThat(is(500, admin.post("/schedules/newer/trigger"))
                        .json()
                        .path("detail")
                        .asString())
                .contains("schedule 'newer' cannot be read", "update this node, or put the schedule again");
        is(500, admin.get("/schedules/newer/preview"));
        is(404, with("schedules-elsewhere", "\"read\"", "elsewhere").get("/schedules/newer"));
        assertThat(is(200, admin.post("/schedules/newer/pause")).response().body())
                .isEmpty();
        assertThat(is(200, admin.post("/schedules/newer/resume")).response().body())
                .isEmpty();
        is(200, admin.send("PUT", "/schedules/newer", NIGHTLY));
        is(204, admin.delete("/schedules/newer"));
    }

    private void overwrite(String queue, String name, String definition) throws IOException {
        String schedules = prefix + ":{" + queue + ":0}:schedules";
        assertThat(RedisCall.call(RedisServer.shared().url(), "HSET", schedules, name, definition))
                .as("fields that are new")
                .isEqualTo("0");
    }

    @Test
    void aWorkerElsewhereGetsTheOccurrences() {
        is(
                200,
                admin.send(
                        "PUT", "/schedules/ticks", "{\"queue\": \"ticks\", \"topic\": \"tick\", \"every\": \"PT1S\"}"));
        await().atMost(Duration.ofMinutes(1))
                .untilAsserted(() -> assertThat(admin.post("/queues/ticks/claims", "{\"wait\": \"PT5S\"}")
                                .response()
                                .body())
                        .contains("delayjob-scheduled-for"));
        is(204, admin.delete("/schedules/ticks"));
    }

    @Test
    void makesUpForInstantsThatHavePassed() {
        is(200, admin.send("PUT", "/schedules/missed", NIGHTLY));
        String week =
                "{\"from\": \"2024-01-01T00:00:00Z\", \"to\": \"2024-01-08T00:00:00Z\", \"dryRun\": %s, \"perSecond\": 1000000}";
        Answer counted = is(200, admin.post("/schedules/missed/backfill", week.formatted(true)));
        assertThat(counted.json().path("instants").asInt()).isEqualTo(7);
        assertThat(counted.json().path("first").asString()).isEqualTo("2024-01-01T02:00:00Z");
        assertThat(counted.json().path("stored").asInt()).isZero();
        assertThat(is(200, admin.post("/schedules/missed/backfill", week.formatted(false)))
                        .json()
                        .path("stored")
                        .asInt())
                .isEqualTo(7);
        assertThat(is(200, admin.get("/queues/reports/jobs?state=READY&idPrefix=missed@"))
                        .json()
                        .path("jobs")
                        .size())
                .isEqualTo(7);
        assertThat(is(200, admin.get("/schedules/missed/history"))
                        .json()
                        .path("decisions")
                        .isEmpty())
                .as("a backfill decides no instant")
                .isTrue();
        Answer refused = is(
                400,
                admin.post(
                        "/schedules/missed/backfill",
                        "{\"from\": \"2024-01-08T00:00:00Z\", \"to\": \"2024-01-01T00:00:00Z\"}"));
        assertThat(refused.json().path("detail").asString()).contains("from must be before to");
        is(400, admin.post("/schedules/missed/backfill", "{\"from\": \"2024-01-08T00:00:00Z\"}"));
        is(204, admin.delete("/schedules/missed"));
        is(404, admin.post("/schedules/missed/backfill", week.formatted(true)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '!',
            quoteCharacter = '`',
            value = {
                "'cron': '0 0 0 30 2 *' ! never fires",
                "'cron': 'daily' ! cron",
                "'every': 'PT0.5S' ! every must be at least PT1S",
                "'every': 'PT15M', 'cron': '0 0 3 * * *' ! a schedule needs cron or every",
                "'every': 'PT15M', 'zone': 'Europe/Atlantis' ! Europe/Atlantis",
                "'every': 'PT15M', 'window': 'PT9S' ! window must be at least PT10S"
            })
    void refusesWhatNoScheduleCanBe(String fields, String message) {
        Answer refused = is(
                400,
                admin.send(
                        "PUT",
                        "/schedules/refused",
                        "{\"queue\": \"q\", \"topic\": \"t\", %s}".formatted(fields.replace('\'', '"'))));
        assertThat(refused.json().path("detail").asString()).contains(message);
        is(404, admin.get("/schedules/refused"));
    }

    @Test
    void refusesANameThatIsTooLong() {
        is(400, admin.send("PUT", "/schedules/" + "n".repeat(129), NIGHTLY));
    }

    @Test
    void aCallerSeesAndChangesTheSchedulesOfItsQueuesAlone() {
        Api reader = with("schedules-reader", "\"read\"", "mine");
        Api operator = with("schedules-operator", "\"read\", \"operate\"", "mine");
        Api owner = with("schedules-owner", "\"read\", \"operate\", \"submit\"", "mine");
        String own = NIGHTLY.replace("reports", "mine");
        is(200, admin.send("PUT", "/schedules/foreign", NIGHTLY));

        is(404, reader.get("/schedules/foreign"));
        is(404, owner.post("/schedules/foreign/trigger"));
        is(404, owner.delete("/schedules/foreign"));
        is(403, owner.send("PUT", "/schedules/foreign", own));
        is(404, owner.send("PUT", "/schedules/mine", NIGHTLY));
        is(403, operator.send("PUT", "/schedules/mine", own));
        is(200, owner.send("PUT", "/schedules/mine", own));
        is(200, reader.get("/schedules/mine"));
        is(403, reader.post("/schedules/mine/pause"));
        is(200, operator.post("/schedules/mine/pause"));
        assertThat(is(200, reader.get("/schedules")).json().path("schedules").findValuesAsString("name"))
                .contains("mine")
                .doesNotContain("foreign");
        is(204, owner.delete("/schedules/mine"));
        is(204, admin.delete("/schedules/foreign"));
    }
}
