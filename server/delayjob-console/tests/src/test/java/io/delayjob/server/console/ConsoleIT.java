package io.delayjob.server.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.server.console.TestConsole.Browser;
import io.delayjob.testing.RealRedis;
import io.delayjob.testing.Variants;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** The console as browsers without script see it, in an application on WebFlux and in one on a servlet container. */
@Tag(Variants.TAG)
@RealRedis
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ParameterizedClass
@MethodSource("io.delayjob.server.console.TestConsole#kinds")
@SuppressWarnings("NullAway.Init")
class ConsoleIT {

    private static final String EVIL = "<img src=x onerror=alert(1)>\"'&";
    private static final String TRACE =
            "java.lang.IllegalStateException: order 17 is <b>bold</b>\\n\tat java.base/java.util.List.of(List.java:1)\\n\tat shop.Mailer.send(Mailer.java:42)";

    @Parameter
    private TestConsole.Kind kind;

    private TestConsole server;
    private Browser admin;

    @BeforeParameterizedClassInvocation
    void start() {
        server = TestConsole.start(
                kind,
                "delayjob.server.protocols.delay-queue.enabled=true",
                "delayjob.server.protocols.mykit.enabled=true",
                "delayjob.queues.indexed.index=order.id,tag");
        admin = server.signedIn(TestConsole.ADMIN);
    }

    @AfterParameterizedClassInvocation
    void stop() {
        server.close();
    }

    private void submit(String queue, String job) {
        server.api(TestConsole.ADMIN, "/queues/" + queue + "/jobs", job);
    }

    private static String json(String text) {
        return text.replace("\"", "\\\"");
    }

    @Test
    void leadsToTheSignInAndBackToThePage() {
        Browser nobody = new Browser(server.url(), "/console", "");

        HttpResponse<String> refused = nobody.get("/queues/mail?state=DEAD");
        assertThat(refused.statusCode()).isEqualTo(303);
        assertThat(refused.headers().firstValue("Location"))
                .hasValue("/console/login?to=%2Fqueues%2Fmail%3Fstate%3DDEAD");

        HttpResponse<String> wrong = nobody.post("/login", "token", "wrong", "to", "/");
        assertThat(wrong.statusCode()).isEqualTo(401);
        assertThat(wrong.body()).contains("unknown, revoked or expired").contains("name=\"token\"");

        HttpResponse<String> right = nobody.post("/login", "token", TestConsole.ADMIN, "to", "/queues/mail?state=DEAD");
        assertThat(right.headers().firstValue("Location")).hasValue("/console/queues/mail?state=DEAD");
        assertThat(right.headers().firstValue("Set-Cookie").orElse(""))
                .containsIgnoringCase("HttpOnly")
                .contains("SameSite=Lax", "Path=/console")
                .doesNotContain(TestConsole.ADMIN);

        assertThat(nobody.post("/login", "token", TestConsole.ADMIN, "to", "//elsewhere.example")
                        .headers()
                        .firstValue("Location"))
                .hasValue("/console");
    }

    @Test
    void leadsFromTheSignInBackToASearch() {
        Browser nobody = new Browser(server.url(), "/console", "");
        String search = "/search?q=queue:mail%20state:dead,retrying%20due:..2030-01-31T08:00:00Z";

        assertThat(nobody.get(search).headers().firstValue("Location"))
                .hasValue("/console/login?to=" + URLEncoder.encode(search, StandardCharsets.UTF_8));
        assertThat(nobody.post("/login", "token", TestConsole.ADMIN, "to", search)
                        .headers()
                        .firstValue("Location"))
                .hasValue("/console" + search);
    }

    /** Browsers ask for a change by POST; its address is no page. */
    @Test
    void leadsFromAChangeThatTheSignInDoesNotAllowAnyMoreBackToItsPage() {
        Browser ended = new Browser(server.url(), "/console", "delayjob-console=ended");

        HttpResponse<String> refused = TestConsole.send(ended.form("/queues/mail/pause")
                .header("Sec-Fetch-Site", "same-origin")
                .header("Referer", server.url() + "/console/queues/mail?state=DEAD"));

        assertThat(refused.headers().firstValue("Location"))
                .hasValue("/console/login?to=%2Fqueues%2Fmail%3Fstate%3DDEAD&ended");
        String form =
                ended.get("/login?to=%2Fqueues%2Fmail%3Fstate%3DDEAD&ended").body();
        assertThat(form)
                .contains("Your sign-in has ended", "name=\"to\" value=\"/queues/mail?state=DEAD\"")
                .contains("/console/login?lang=zh&amp;to=/queues/mail?state%3DDEAD");
        assertThat(ended.post("/login", "token", "wrong", "to", "/queues/mail?state=DEAD")
                        .body())
                .contains("name=\"to\" value=\"/queues/mail?state=DEAD\"");
        assertThat(TestConsole.send(ended.form("/queues/mail/pause")
                                .header("Sec-Fetch-Site", "same-origin")
                                .header("Referer", "http://elsewhere.example/console-of-others"))
                        .headers()
                        .firstValue("Location"))
                .hasValue("/console/login?to=%2F&ended");
        assertThat(ended.get("/login?to=//elsewhere.example").body()).doesNotContain("elsewhere");
    }

    @Test
    void answersAnAddressThatItDoesNotHaveAsAPage() {
        for (String path : List.of("/nonsense", "/queues/a/b", "/job/cancel", "/assets/nonsense")) {
            HttpResponse<String> page = admin.get(path);
            assertThat(page.statusCode()).as(path).isEqualTo(404);
            assertThat(page.headers().firstValue("Content-Type").orElse("")).startsWith("text/html");
            assertThat(page.body()).contains("There is no such page", path, "/console.css", "To the overview");
        }
        assertThat(admin.get("/%3Cimg%20src=x%3E").body())
                .contains("There is no such page")
                .doesNotContain("<img src=x");
        assertThat(TestConsole.send(admin.form("/nonsense").GET().header("Accept-Language", "zh"))
                        .body())
                .contains("没有这个页面", "lang=\"zh\"");
        assertThat(admin.post("/nonsense").statusCode()).isEqualTo(404);
        assertThat(new Browser(server.url(), "/console", "")
                        .get("/nonsense")
                        .headers()
                        .firstValue("Location"))
                .hasValue("/console/login?to=%2Fnonsense");
        assertThat(TestConsole.send(HttpRequest.newBuilder(URI.create(server.url() + "/api/v1/nonsense"))
                                .header("Authorization", "Bearer " + TestConsole.ADMIN))
                        .headers()
                        .firstValue("Content-Type")
                        .orElse(""))
                .as("programs are answered as they were")
                .contains("json");
    }

    /** While servers of two releases answer in turn, each may be asked for the style of the other. */
    @Test
    void servesItsFilesUnderTheAddressOfAnotherReleaseButLetsNobodyKeepThem() {
        String release = admin.get("").headers().firstValue("Delayjob-Console").orElseThrow();

        HttpResponse<String> own = admin.get("/assets/" + release + "/console.css");
        HttpResponse<String> others = admin.get("/assets/0123456789ab/console.css");

        assertThat(own.headers().firstValue("Cache-Control").orElse("")).contains("immutable");
        assertThat(others.body()).isEqualTo(own.body());
        assertThat(others.headers().allValues("Cache-Control")).containsExactly("no-store");
        assertThat(admin.get("/assets/" + release + "/none.css").statusCode()).isEqualTo(404);
    }

    @Test
    void servesTheOverviewWithASlashAtItsEndToo() {
        HttpResponse<String> page = admin.get("/");

        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.body()).contains("Needs attention", "href=\"/console/errors\"");
        assertThat(new Browser(server.url(), "/console", "").get("/").headers().firstValue("Location"))
                .hasValue("/console/login?to=%2F");
    }

    @Test
    void signsOutForGood() {
        Browser browser = server.signedIn(TestConsole.ADMIN);
        assertThat(browser.get("").statusCode()).isEqualTo(200);

        browser.post("/logout");

        assertThat(browser.get("").statusCode()).isEqualTo(303);
    }

    @Test
    void refusesWhatAnotherSiteHadABrowserSend() {
        assertThat(TestConsole.send(admin.form("/queues/csrf/pause").header("Sec-Fetch-Site", "cross-site"))
                        .statusCode())
                .isEqualTo(403);
        assertThat(TestConsole.send(admin.form("/queues/csrf/pause")).statusCode())
                .isEqualTo(403);
        assertThat(TestConsole.send(admin.form("/queues/csrf/pause").header("Origin", "http://elsewhere.example"))
                        .statusCode())
                .isEqualTo(403);
        assertThat(TestConsole.send(admin.form("/queues/csrf/pause").header("Origin", server.url()))
                        .statusCode())
                .isEqualTo(303);
    }

    @Test
    void loadsNothingFromElsewhereAndRunsNothingInline() {
        HttpResponse<String> page = admin.get("");

        assertThat(page.headers().firstValue("Content-Security-Policy").orElse(""))
                .contains("default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'")
                .doesNotContain("unsafe");
        assertThat(page.body())
                .doesNotContain("http://", "https://", "<style", " style=", " onclick=", "<script>")
                .contains("/console/assets/");
    }

    @Test
    void showsWhatNeedsAttentionFirst() {
        submit("forgotten", "{\"id\":\"f\",\"topic\":\"t\",\"delay\":\"PT0S\"}");
        server.bury("broken", "t", "no", 1);

        String page = await().until(() -> admin.get("").body(), body -> body.contains("broken: 1 died"));

        assertThat(page)
                .contains("forgotten: 1 due now, and no live node runs this queue")
                .containsPattern("<b>[^<–]+</b><span>oldest overdue job");
    }

    @Test
    void showsHtmlAsText() {
        submit(
                "evil",
                "{\"id\":\"%s\",\"topic\":\"%s\",\"param\":{\"%s\":\"%s\"},\"headers\":{\"h\":\"%s\"},\"delay\":\"PT1H\"}"
                        .formatted(json(EVIL), json(EVIL), json(EVIL), json(EVIL), json(EVIL)));
        server.bury("evil", "topic", TRACE.replace("\\n", "\n"), 1);

        Stream.of(
                        "/queues/evil?state=DELAYED",
                        "/queues/evil?state=DEAD",
                        "/search?q=queue:evil",
                        "/search?q=%3Cimg",
                        "/errors",
                        "/runs/new?q=queue:evil%20state:delayed",
                        "/queues/evil?state=DEAD&topic=%3Cimg&id=%3Cimg",
                        "/job?queue=evil&id="
                                + java.net.URLEncoder.encode(EVIL, java.nio.charset.StandardCharsets.UTF_8),
                        "/job?queue=evil&id=evil-topic-0",
                        "/job?queue=evil&id=%3Cimg%20src=x%3E",
                        "/queues/%3Cimg%20src=x%3E")
                .forEach(path ->
                        assertThat(admin.get(path).body()).as(path).doesNotContain("<img src=x", "<b>bold</b>"));
        assertThat(admin.get("/job?queue=evil&id=evil-topic-0").body()).contains("&lt;b&gt;bold&lt;/b&gt;");
    }

    @Test
    void showsEveryDigitAndNoSecret() {
        submit(
                "facts",
                "{\"id\":\"digits\",\"topic\":\"t\",\"delay\":\"PT1H\",\"param\":{\"big\":12345678901234567890123,\"exact\":1.10,\"user\":{\"password\":\"hunter2\"},\"list\":[{\"apiKey\":\"k-1\"}]},\"headers\":{\"Authorization\":\"Bearer xyz\"}}");

        assertThat(admin.get("/job?queue=facts&id=digits").body())
                .contains("12345678901234567890123", "1.10", "•••")
                .doesNotContain("hunter2", "k-1", "Bearer xyz");
    }

    @Test
    void saysWhyAJobDoesNotRunInTheReadersLanguageAndWithTheTime() {
        submit("reasons", "{\"id\":\"later\",\"topic\":\"t\",\"delay\":\"PT1H\"}");
        assertThat(admin.get("/job?queue=reasons&id=later").body())
                .containsPattern("<b>Its time has not come</b> · <time datetime=\"20[^\"]+Z\"")
                .contains("lang=\"en\">job &#39;later&#39;: it is not due until 20");
        Browser inChinese = new Browser(admin.url(), admin.base(), admin.cookie() + "; delayjob-console-language=zh");
        assertThat(inChinese.get("/job?queue=reasons&id=later").body()).contains("<b>它还没有到期</b> · <time datetime=\"20");
        assertThat(admin.get("/job?queue=reasons&id=never").body()).contains("<b>No such job is known</b><p");
    }

    @Test
    void findsTheJobsThatHaveEveryTagOfASearch() {
        submit("tags", "{\"id\":\"both\",\"topic\":\"t\",\"delay\":\"PT1H\",\"tags\":[\"customer:42\",\"vip\"]}");
        submit("tags", "{\"id\":\"one-of-them\",\"topic\":\"t\",\"delay\":\"PT1H\",\"tags\":[\"vip\"]}");

        assertThat(admin.search("queue:tags%20tag:vip%20tag:customer:42", "id=both", "that is all"))
                .doesNotContain("one-of-them");
        assertThat(admin.get("/job?queue=tags&id=both").body())
                .contains("/search?q=tag:customer:42", ">customer:42</a>", "/search?q=tag:vip");
        assertThat(admin.get("/export.csv?q=queue:tags%20tag:customer:42").body())
                .contains("customer:42 vip")
                .doesNotContain("one-of-them");
        assertThat(admin.get("/export.ndjson?q=queue:tags%20tag:customer:42").body())
                .contains("\"tags\":[\"customer:42\",\"vip\"]");
    }

    @Test
    void submitsAnEditedCopyWithWhatIsHidden() {
        submit(
                "copies",
                "{\"id\":\"original\",\"topic\":\"t\",\"delay\":\"PT1H\",\"param\":{\"to\":\"ann\",\"password\":\"hunter2\"},"
                        + "\"maxAttempts\":7,\"backoff\":{\"initial\":\"PT3S\"},\"lease\":\"PT40S\",\"timeout\":\"PT9S\",\"timeToLive\":\"PT2H\",\"priority\":7,\"tags\":[\"vip\"],"
                        + "\"headers\":{\"tenant\":\"acme\"}}");
        assertThat(admin.get("/job?queue=copies&id=original").body())
                .contains("0 of 7", "PT40S", "PT9S", "PT2H", "7 of 0 to 9");

        HttpResponse<String> copied = admin.post(
                "/job/copy",
                "queue",
                "copies",
                "id",
                "original",
                "newId",
                "copy",
                "topic",
                "t",
                "delay",
                "0s",
                "param",
                "{\"to\":\"bob\",\"password\":\"•••\"}");

        assertThat(copied.headers().firstValue("Location")).hasValue("/console/job?queue=copies&id=copy&notice=copied");
        JsonNode copy = server.api(TestConsole.ADMIN, "/queues/copies/claims", "{\"max\":1,\"wait\":\"PT60S\"}")
                .path("jobs")
                .path(0);
        assertThat(copy.path("param")).hasToString("{\"to\":\"bob\",\"password\":\"hunter2\"}");
        assertThat(copy.path("headers").path("tenant").asString()).isEqualTo("acme");
        assertThat(copy.path("headers").path("delayjob-copy-of").asString()).isEqualTo("original");
        assertThat(admin.get("/job?queue=copies&id=copy").body())
                .contains("href=\"/console/job?queue=copies&amp;id=original\"");
        assertThat(copy.path("maxAttempts").asInt()).isEqualTo(7);
        assertThat(copy.path("backoff").path("initial").asString()).isEqualTo("PT3S");
        assertThat(copy.path("lease").asString()).isEqualTo("PT40S");
        assertThat(copy.path("timeout").asString()).isEqualTo("PT9S");
        assertThat(copy.path("timeToLive").asString()).isEqualTo("PT2H");
        assertThat(copy.path("priority").asInt()).isEqualTo(7);
        assertThat(copy.path("tags").path(0).asString()).isEqualTo("vip");
    }

    @Test
    void showsFindsAndEditsPriorities() {
        submit("ranks", "{\"id\":\"urgent\",\"topic\":\"t\",\"delay\":\"PT1H\",\"priority\":7}");
        submit("ranks", "{\"id\":\"plain\",\"topic\":\"t\",\"delay\":\"PT1H\"}");

        assertThat(admin.get("/queues/ranks?state=DELAYED").body()).containsOnlyOnce("priority 7");
        assertThat(admin.search("queue:ranks%20priority:7,8", "id=urgent", "that is all"))
                .contains("priority 7")
                .doesNotContain("id=plain");
        assertThat(admin.get("/export.csv?q=queue:ranks").body()).contains(",7,,");
        assertThat(admin.get("/export.ndjson?q=queue:ranks").body()).containsOnlyOnce("\"priority\":7");

        assertThat(copied("urgent", "higher", "9").statusCode()).isEqualTo(303);
        assertThat(copied("urgent", "usual", "").statusCode()).isEqualTo(303);
        HttpResponse<String> refused = copied("urgent", "refused", "10");

        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body()).contains("priority must be 0 to 9: &#39;10&#39;");
        assertThat(admin.get("/export.ndjson?q=queue:ranks").body())
                .contains("\"priority\":9", "\"priority\":4")
                .doesNotContain("\"refused\"");
    }

    private HttpResponse<String> copied(String id, String newId, String priority) {
        return admin.post(
                "/job/copy",
                "queue",
                "ranks",
                "id",
                id,
                "newId",
                newId,
                "topic",
                "t",
                "delay",
                "1h",
                "priority",
                priority);
    }

    @Test
    void actsOnAJobAndWritesDownWhoDidIt() {
        submit("acts", "{\"id\":\"a/1\",\"topic\":\"t\",\"delay\":\"PT1H\"}");

        assertThat(admin.post("/job/reschedule", "queue", "acts", "id", "a/1", "delay", "2h")
                        .statusCode())
                .isEqualTo(303);
        assertThat(admin.post("/job/run-now", "queue", "acts", "id", "a/1").statusCode())
                .isEqualTo(303);
        assertThat(admin.post("/job/redrive", "queue", "acts", "id", "a/1").statusCode())
                .isEqualTo(409);
        assertThat(admin.post("/job/cancel", "queue", "acts", "id", "a/1").statusCode())
                .isEqualTo(303);
        assertThat(admin.post("/job/cancel", "queue", "acts", "id", "a/1").statusCode())
                .isEqualTo(404);
        server.api(TestConsole.ADMIN, "/queues/acts/pause", "{}");

        assertThat(admin.get("/audit").body())
                .contains(
                        "reschedule",
                        "run-now",
                        "cancel",
                        "READY, due ",
                        "a/1",
                        "&#39;admin&#39;",
                        "/queues/acts/pause")
                .doesNotContain("/queues/acts/jobs<");
        assertThat(admin.get("/job?queue=acts&id=a/1").body()).contains("never submitted there, or has finished");
    }

    @Test
    void theDeadJobsThatHoldAKeyAreNamed() {
        post("/queues/holding/limits/set", "key-order", "STRICT_HOLD");
        submit("holding", "{\"id\":\"h1\",\"topic\":\"t\",\"delay\":\"PT0S\",\"key\":\"customer 42\"}");
        submit("holding", "{\"id\":\"h2\",\"topic\":\"t\",\"delay\":\"PT0S\",\"key\":\"customer 42\"}");
        String handle = server.api(TestConsole.ADMIN, "/queues/holding/claims", "{\"max\": 2}")
                .at("/jobs/0/handle")
                .stringValue();
        server.api(
                TestConsole.ADMIN,
                "/settlements",
                "{\"settlements\": [{\"handle\": \"%s\", \"action\": \"bury\", \"error\": \"no\"}]}".formatted(handle));
        assertThat(admin.get("/queues/holding").body())
                .contains(
                        "in strict order, also behind dead jobs",
                        "<option value=\"STRICT_HOLD\" selected=\"selected\">")
                .contains("waits for dead jobs</span> <a href=\"/console/job?queue=holding&amp;id=h1\">h1</a>");
    }

    @Test
    void theLimitsOfAQueueAreOnItsPageAndCanBeChangedThere() {
        post("/queues/limited/limits/set", "concurrency", "40", "key-concurrency", "1", "key-order", "STRICT");
        submit("limited", "{\"id\":\"a1\",\"topic\":\"t\",\"delay\":\"PT0S\",\"key\":\"customer 42\"}");
        submit("limited", "{\"id\":\"a2\",\"topic\":\"t\",\"delay\":\"PT0S\",\"key\":\"customer 42\"}");
        server.api(TestConsole.ADMIN, "/queues/limited/claims", "{\"max\": 2}");
        assertThat(admin.get("/queues/limited").body())
                .contains("40 at once", "1 at once", "in strict order", "customer 42")
                .contains(
                        "href=\"#limits\">keys held back: 1</a>",
                        "href=\"#limits\">due jobs held back: 1</a>",
                        "id=\"limits\"")
                .contains("id=a2", "id=a1");
        await().untilAsserted(
                        () -> assertThat(admin.get("/job?queue=limited&id=a2").body())
                                .contains("customer 42", "runs as many jobs at once as it may, 1: a1"));
        post("/queues/limited/keys/limit", "key", "customer 42", "concurrency", "2", "weight", "3");
        assertThat(admin.get("/queues/limited").body())
                .contains("2 at once", "weight 3")
                .doesNotContain("keys held back", "due jobs held back");
        post("/queues/limited/keys/pause", "key", "customer 42");
        assertThat(admin.get("/queues/limited").body()).contains("keys held back: 1");
        post("/queues/limited/keys/resume", "key", "customer 42");
        post(
                "/queues/limited/keys/limit",
                "key",
                "customer 42",
                "concurrency",
                "2",
                "weight",
                "3",
                "permits",
                "1",
                "per",
                "1h");
        server.api(TestConsole.ADMIN, "/queues/limited/claims", "{\"max\": 2}");
        submit("limited", "{\"id\":\"a3\",\"topic\":\"t\",\"delay\":\"PT0S\",\"key\":\"customer 42\"}");
        assertThat(admin.get("/queues/limited").body()).contains("keys held back: 1", "id=a3", "not before");
        post("/queues/limited/keys/clear", "key", "customer 42");
        post("/queues/limited/limits/clear");
        assertThat(admin.get("/queues/limited").body()).doesNotContain("40 at once", "weight 3");
        assertThat(rows(admin.get("/audit").body()))
                .anySatisfy(row -> assertThat(row).contains("set-limits", "limited", "concurrency=40"))
                .anySatisfy(row -> assertThat(row).contains("pause-key", "customer 42", "paused, "))
                .anySatisfy(row -> assertThat(row)
                        .as("with the limits before")
                        .contains("clear-key", "customer 42", "concurrency=2", "weight=3"));
    }

    @Test
    void theAuditHasTheLimitsBeforeAndAfterAChangeByTheApi() {
        post("/queues/limited-api/keys/limit", "key", "k 7", "concurrency", "7");
        server.api(TestConsole.ADMIN, "/queues/limited-api/limits/keys/k%207/pause", "");
        server.api(TestConsole.ADMIN, "/queues/limited-api/limits/keys/k%207/resume", "");
        assertThat(rows(admin.get("/audit").body()))
                .anySatisfy(row -> assertThat(row)
                        .contains("/queues/limited-api/limits/keys/k%207/pause")
                        .containsSubsequence("Limits[concurrency=7", "paused, Limits[concurrency=7"))
                .anySatisfy(row -> assertThat(row)
                        .contains("/queues/limited-api/limits/keys/k%207/resume")
                        .containsSubsequence("paused, Limits[concurrency=7", "Limits[concurrency=7"));
    }

    private void post(String path, String... form) {
        HttpResponse<String> answer = admin.post(path, form);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(303);
    }

    @Test
    void writesDownHowItWasBeforeAndAfterWhatTheApiDid() {
        submit("by-api", "{\"id\":\"a%/1\",\"topic\":\"t\",\"delay\":\"PT1H\"}");
        submit("by-api", "{\"id\":\"b\",\"topic\":\"t\",\"delay\":\"PT1H\"}");
        String id = kind == TestConsole.Kind.NETTY ? "a%25%2F1" : "b";

        server.api(TestConsole.ADMIN, "/queues/by-api/jobs/" + id + "/reschedule", "{\"delay\":\"P400D\"}");
        server.api(TestConsole.ADMIN, "/queues/by-api/pause", "{}");
        server.api(TestConsole.ADMIN, "/queues/by-api/jobs/actions", "{\"action\":\"cancel\",\"ids\":[\"b\"]}");
        server.token("made-by-api", "\"read\"", "\"mail\"");
        server.api(TestConsole.ADMIN, "/tokens/made-by-api/rotate", "{}");
        assertThat(TestConsole.send(HttpRequest.newBuilder(URI.create(server.url() + "/api/v1/queues/by-api/jobs/none"))
                                .header("Authorization", "Bearer " + TestConsole.ADMIN)
                                .DELETE())
                        .statusCode())
                .isEqualTo(404);

        assertThat(rows(admin.get("/audit").body()))
                .anySatisfy(row -> assertThat(row)
                        .contains("/jobs/" + id + "/reschedule", "DELAYED, due ", "→")
                        .containsPattern("due 20[0-9-]+T.* → DELAYED, due 20"))
                .anySatisfy(row -> assertThat(row)
                        .contains("/queues/by-api/pause", "2 waiting, 0 running, 0 dead → paused, 2 waiting"))
                .anySatisfy(row -> assertThat(row)
                        .contains("/queues/by-api/jobs/actions", "paused, 2 waiting", "→ paused, 1 waiting"))
                .anySatisfy(
                        row -> assertThat(row).contains("/tokens/made-by-api/rotate", "read in mail → read in mail"))
                .noneSatisfy(row -> assertThat(row).contains("/queues/by-api/jobs/none"));
        assertThat(rows(admin.get("/audit?unchanged=true").body()))
                .anySatisfy(row -> assertThat(row)
                        .contains("/queues/by-api/jobs/none", "404")
                        .doesNotContain("→"));
    }

    /** A rule that goes by the path as it was written is led around by writing it in another way. */
    @Test
    void writesDownWhichQueueWasChangedHoweverItsAddressIsWritten() {
        submit("hop-9", "{\"id\":\"batch\",\"topic\":\"t\",\"delay\":\"PT1H\"}");
        submit("hop-9", "{\"id\":\"second\",\"topic\":\"t\",\"delay\":\"PT1H\"}");

        assertThat(delete("/api/v1/queues/%68op-9/%6Aobs/batch")).isEqualTo(200);
        server.api(TestConsole.ADMIN, "/queues/%68op-9/jobs/actions", "{\"action\":\"cancel\",\"ids\":[\"second\"]}");

        Browser its = server.signedIn(server.token("of-hop-9", "\"read\"", "\"hop-9\""));
        assertThat(rows(its.get("/audit").body()))
                .anySatisfy(row -> assertThat(row).contains("DELETE", "/queues/hop-9/jobs/batch", "DELAYED, due "))
                .anySatisfy(row -> assertThat(row).contains("/queues/hop-9/jobs/actions", "1 waiting"));
    }

    @Test
    void writesDownWhatOlderProtocolsDeleteAndNotWhatTheySubmitAndTake() {
        protocol("POST", "/protocols/mykit/push", "{\"topic\":\"audited\",\"id\":\"m1\",\"delay\":3600000}");
        protocol("GET", "/protocols/mykit/delete?jobId=m1", "");
        protocol("GET", "/protocols/mykit/clearAll", "");
        protocol(
                "POST",
                "/protocols/delay-queue",
                "{\"command\":\"add\",\"topic\":\"audited\",\"id\":\"d1\",\"delay\":3600,\"TTR\":60,\"body\":1}");
        protocol("POST", "/protocols/delay-queue", "{\"command\":\"delete\",\"id\":\"d1\"}");
        protocol("POST", "/protocols/delay-queue", "{\"command\":\"pop\",\"topic\":\"audited\"}");

        List<String> rows = rows(admin.get("/audit").body());
        assertThat(rows)
                .anySatisfy(row -> assertThat(row).contains("GET", "/protocols/mykit/clearAll"))
                .anySatisfy(row -> assertThat(row).contains("GET", "/protocols/mykit/delete?jobId=m1"))
                .noneSatisfy(row -> assertThat(row).contains("/push"));
        assertThat(rows.stream().filter(row -> row.contains("/protocols/delay-queue")))
                .singleElement()
                .asString()
                .contains("delete", "d1");
    }

    private void protocol(String method, String path, String body) {
        assertThat(TestConsole.send(HttpRequest.newBuilder(URI.create(server.url() + path))
                                .header("Authorization", "Bearer " + TestConsole.ADMIN)
                                .method(method, HttpRequest.BodyPublishers.ofString(body)))
                        .statusCode())
                .isEqualTo(200);
    }

    private int delete(String path) {
        return TestConsole.send(HttpRequest.newBuilder(URI.create(server.url() + path))
                        .header("Authorization", "Bearer " + TestConsole.ADMIN)
                        .DELETE())
                .statusCode();
    }

    @Test
    void refusesPagesWhoseAddressIsWrittenInAnotherWay() {
        for (String path : List.of("/%63onsole/login", "/console;a=b/login", "/console/queues/%C0%AE")) {
            HttpResponse<String> refused = TestConsole.send(
                    HttpRequest.newBuilder(URI.create(server.url() + path)).GET());
            assertThat(refused.statusCode()).as(path).isEqualTo(400);
        }
        HttpResponse<String> paused =
                TestConsole.send(HttpRequest.newBuilder(URI.create(server.url() + "/%63onsole/queues/csrf/pause"))
                        .header("Cookie", admin.cookie())
                        .header("Origin", "http://elsewhere.example")
                        .POST(HttpRequest.BodyPublishers.noBody()));
        assertThat(paused.statusCode()).isEqualTo(400);
    }

    @Test
    void marksTheCookieAsSecureBehindAProxyThatEndsTls() {
        for (String[] header :
                new String[][] {{"Origin", "https://jobs.example.com"}, {"X-Forwarded-Proto", "https"}}) {
            HttpResponse<String> answer = TestConsole.send(new Browser(server.url(), "/console", "")
                    .form("/login", "token", TestConsole.ADMIN)
                    .header("Sec-Fetch-Site", "same-origin")
                    .header(header[0], header[1]));
            assertThat(answer.headers().firstValue("Set-Cookie").orElse(""))
                    .as(header[0])
                    .contains("Secure");
        }
        assertThat(new Browser(server.url(), "/console", "")
                        .post("/login", "token", TestConsole.ADMIN)
                        .headers()
                        .firstValue("Set-Cookie")
                        .orElse(""))
                .containsIgnoringCase("HttpOnly")
                .doesNotContain("Secure");
    }

    @Test
    void looksForAFewMadeUpSignInsAMinuteOnly() {
        try (TestConsole guessed = TestConsole.start(kind, "delayjob.server.limits.failed-logins-per-minute=5")) {
            Browser known = guessed.signedIn(TestConsole.ADMIN);
            List<Integer> statuses = IntStream.range(0, 12)
                    .mapToObj(i -> new Browser(guessed.url(), "/console", "delayjob-console=made-up-" + i)
                            .get("")
                            .statusCode())
                    .toList();

            assertThat(statuses.subList(0, 5)).containsOnly(303);
            assertThat(statuses).contains(429);
            assertThat(known.get("").statusCode()).isEqualTo(200);
        }
    }

    /** The rows of a page's table, as text. */
    private static List<String> rows(String page) {
        return Stream.of(page.split("<tr>", -1))
                .map(row -> row.replaceAll("<[^>]*>", "").replaceAll("\\s+", " "))
                .toList();
    }

    @Test
    void writesDownWhyAnActionWasRefusedAsWhoAskedForItIsTold() {
        admin.post("/job/cancel", "queue", "refused", "id", "nowhere");

        assertThat(admin.get("/audit?unchanged=true").body())
                .contains("queue &#39;refused&#39; has no job &#39;nowhere&#39;")
                .doesNotContain("ProblemDetail");
    }

    @Test
    void aPeriodOrABurstWithoutPermitsIsNoRate() {
        for (String field : List.of("per", "key-burst")) {
            HttpResponse<String> refused =
                    admin.post("/queues/rateless/limits/set", field, field.equals("per") ? "1s" : "3");

            assertThat(refused.statusCode()).as(field).isEqualTo(400);
            assertThat(refused.body()).contains("permits is missing");
        }
        assertThat(admin.get("/queues/rateless").body()).doesNotContain("limits/clear");
    }

    @Test
    void saysWhichOrdersThereAreToWhoSetsAnother() {
        HttpResponse<String> ofEach = admin.post("/queues/orders/limits/set", "concurrency", "3", "key-order", "FOO");
        HttpResponse<String> ofOne = admin.post("/queues/orders/keys/limit", "key", "k", "order", "strict");

        assertThat(ofEach.statusCode()).isEqualTo(400);
        assertThat(ofEach.body()).contains("key-order must be one of SKIP, STRICT, STRICT_HOLD: &#39;FOO&#39;");
        assertThat(ofOne.statusCode()).isEqualTo(400);
        assertThat(ofOne.body()).contains("order must be one of SKIP, STRICT, STRICT_HOLD: &#39;strict&#39;");
        assertThat(admin.get("/queues/orders").body()).doesNotContain("limits/clear", "keys/clear");
    }

    @Test
    void saysWhichStatesThereAreToWhoAsksForAnother() {
        HttpResponse<String> refused = admin.get("/queues/states?state=ROTTEN");

        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body()).contains("state is &#39;ROTTEN&#39;; give one of", "READY");
    }

    @Test
    void findsJobsAndSaysHowFarItLooked() {
        server.bury("found", "mail", TRACE.replace("\\n", "\n"), 5);

        assertThat(admin.search("found-mail-3", "found-mail-3")).doesNotContain("found-mail-2");
        assertThat(admin.search("queue:found%20error:BOLD", "found-mail-0", "Looked at 5"))
                .contains("found-mail-4");
        assertThat(admin.search("queue:found%20order.id:2", "found-mail-2")).doesNotContain("found-mail-3");
        assertThat(admin.search("topic:mail%20state:delayed", "Nothing found")).doesNotContain("found-mail-");
        assertThat(admin.get("/search?q=due:2031-01-01..").body()).doesNotContain("found-mail-");
        assertThat(admin.get("/search?q=state:rotten").statusCode()).isEqualTo(400);
        assertThat(admin.get("/search?q=user.password:x").body()).contains("hidden and cannot be looked for");
    }

    @Test
    void findsByTheIndexAtOnceAndLooksOnOnlyIfItIsAsked() {
        for (int number = 0; number < 3; number++) {
            String job =
                    "{\"id\":\"order-%1$d\",\"topic\":\"t\",\"delay\":\"PT1H\",\"tags\":[\"t-%2$d\"],\"param\":{\"order\":{\"id\":%1$d}}}";
            submit("indexed", job.formatted(number, number % 2));
        }

        String found = admin.get("/search?q=queue:indexed%20order.id:2").body();
        assertThat(found)
                .contains("id=order-2", "Found by the index.", "Search all jobs")
                .doesNotContain("id=order-1", "Looked at", "hx-trigger=\"load");
        assertThat(admin.get("/search?q=tag:t-0%20state:delayed").body())
                .contains("id=order-0", "id=order-2", "Found by the index.")
                .doesNotContain("id=order-1");
        assertThat(admin.get("/search?q=queue:indexed%20tag:t-0%20order.id:2").body())
                .contains("id=order-2")
                .doesNotContain("id=order-0");
        assertThat(admin.search("queue:indexed%20tag:t-0%20state:dead", "Nothing found"))
                .doesNotContain("Found by the index");
        assertThat(admin.search("queue:indexed%20tag:t-1&after=0%7C0", "id=order-1", "Looked at 3"))
                .doesNotContain("Found by the index");
    }

    @Test
    void looksFurtherInPartsUntilAllWereLookedAt() {
        StringBuilder jobs = new StringBuilder();
        for (int batch = 0; batch < 12; batch++) {
            jobs.setLength(0);
            for (int i = 0; i < 1000; i++) {
                jobs.append(i == 0 ? "" : ",")
                        .append("{\"topic\":\"t\",\"delay\":\"PT1H\",\"param\":{\"n\":\"p-%d-%d\"}}"
                                .formatted(batch, i));
            }
            server.api(TestConsole.ADMIN, "/queues/far-down/jobs/batch", "{\"jobs\":[" + jobs + "]}");
        }
        String shown = admin.get("/search?q=queue:far-down%20n:p-11-999").body();
        int parts = 0;
        while (shown.contains("hx-trigger=\"load delay:100ms\"")) {
            assertThat(shown).contains("Searching");
            Matcher next = Pattern.compile("hx-get=\"/console([^\"]+)\"").matcher(shown);
            assertThat(next.find()).isTrue();
            shown = admin.get(next.group(1).replace("&amp;", "&")).body();
            assertThat(shown).doesNotContain("<html");
            parts++;
        }

        assertThat(parts).isPositive();
        assertThat(shown).contains("Looked at 12,000 of about 12,000", "that is all");
        assertThat(admin.get("/search/part?q=n:1&after=0&sofar=x").statusCode()).isEqualTo(400);
        assertThat(admin.get("/search?q=n:1&after=x").statusCode()).isEqualTo(400);
    }

    /** With a due range, what is outside of it is not looked at. */
    @Test
    void looksOnlyAtJobsThatAreDueInTheRange() {
        for (int day = 1; day <= 9; day++) {
            server.api(
                    TestConsole.ADMIN,
                    "/queues/by-day/jobs",
                    "{\"id\":\"day-%1$d\",\"topic\":\"t\",\"dueAt\":\"2097-01-0%1$dT12:00:00Z\"}".formatted(day));
        }

        String query = "queue:by-day%20due:2097-01-03..2097-01-04";
        assertThat(admin.search(query, ">day-3<", ">day-4<", "Looked at 2 of about 9"))
                .doesNotContain(">day-2<", ">day-5<");
    }

    /** 5,000 waiting jobs are looked at in all. */
    @Test
    void showsTheRetriesOfASmallQueueBesideALargeOneAndHowFarItLooked() {
        String jobs = String.join(",", Collections.nCopies(1000, "{\"topic\":\"t\",\"delay\":\"PT30M\"}"));
        for (int batch = 0; batch < 6; batch++) {
            server.api(TestConsole.ADMIN, "/queues/a-waits/jobs/batch", "{\"jobs\":[" + jobs + "]}");
        }
        server.api(
                TestConsole.ADMIN,
                "/settlements",
                "{\"settlements\":[{\"handle\":\"%s\",\"action\":\"retry\",\"delay\":\"PT1H\",\"error\":\"no route\"}]}"
                        .formatted(server.claim("z-fails")));

        // A look may be two seconds old, and on a busy machine its time may be over before it has seen all it would.
        await().untilAsserted(() -> assertThat(admin.get("/errors").body())
                .contains("/errors?queue=z-fails")
                .containsPattern("a-waits</a> <span>looked at [\\d,]+ of 6,000 waiting jobs")
                .doesNotContain("z-fails</a> <span>looked at"));
        await().untilAsserted(
                        () -> assertThat(admin.get("/schedule?queue=a-waits").body())
                                .contains("<td class=\"n\"><span>6,000</span></td>")
                                .doesNotContain("z-fails"));
    }

    @Test
    void redrivesAGroupInTheBackground() {
        server.bury("group", "mail", TRACE.replace("\\n", "\n"), 30);
        server.bury("group", "bill", "timed out after 17 ms", 3);

        String errors = admin.get("/errors?queue=group").body();
        assertThat(errors)
                .contains("IllegalStateException", "shop.Mailer.send(Mailer.java:42)", "timed out after # ms");
        String fault = errors.replaceAll("(?s).*?IllegalStateException.*?name=\"fault\" value=\"([0-9a-f]+)\".*", "$1");

        String preview =
                admin.get("/runs/new?q=queue:group%20state:dead&fault=" + fault).body();
        assertThat(preview).contains("30 jobs");
        HttpResponse<String> begun = admin.post(
                "/runs",
                "q",
                "queue:group state:dead",
                "fault",
                fault,
                "action",
                "redrive",
                "perSecond",
                "200",
                "expected-redrive",
                "30");
        String run = begun.headers().firstValue("Location").orElseThrow().substring("/console".length());

        await().until(() -> admin.get(run).body().contains("100"));
        await().untilAsserted(() -> assertThat(admin.get(run + "/progress").body())
                .contains(">done<", "<b>30</b>")
                .doesNotContain("hx-get"));
        assertThat(admin.get("/queues/group?state=DEAD").body())
                .contains("bill-0")
                .doesNotContain("mail-0");
        await().untilAsserted(() -> assertThat(admin.get("/audit").body())
                .contains(
                        "begin-redrive",
                        "queue:group state:dead · java.lang.IllegalStateException shop.Mailer.send(Mailer.java:42)",
                        "30 at 200/s",
                        "done: 30, skipped: 0"));
        assertThat(admin.get("/runs").body())
                .contains("queue:group state:dead · java.lang.IllegalStateException shop.Mailer.send");
    }

    @Test
    void pausesAndEndsARun() {
        server.bury("slow", "mail", "no", 20);
        String run = admin.post(
                        "/runs",
                        "q",
                        "queue:slow state:dead",
                        "action",
                        "redrive",
                        "perSecond",
                        "1",
                        "expected-redrive",
                        "20")
                .headers()
                .firstValue("Location")
                .orElseThrow()
                .substring("/console".length());

        admin.post(run + "/pause");
        await().until(() -> admin.get(run).body().contains(">paused<"));
        admin.post(run + "/abort");
        await().until(() -> admin.get(run).body().contains(">aborted<"));

        assertThat(admin.get("/queues/slow?state=DEAD").body())
                .as("those whose turn had not come")
                .contains("title=\"slow-mail-");
    }

    @Test
    void speaksTheLanguageOfTheBrowser() {
        List<String> chinese = List.of("zh", "zh-CN", "zh-TW,en;q=0.5");
        chinese.forEach(language -> assertThat(
                        TestConsole.send(admin.form("").GET().header("Accept-Language", language))
                                .body())
                .contains("需要关注", "lang=\"zh\""));
        assertThat(TestConsole.send(admin.form("").GET().header("Accept-Language", "fr"))
                        .body())
                .contains("Needs attention", "lang=\"en\"");
    }

    @Test
    void refusesInTheLanguageOfTheBrowserAndNamesTheField() {
        HttpResponse<String> search =
                TestConsole.send(admin.form("/search?q=state:rotten").GET().header("Accept-Language", "zh"));
        assertThat(search.statusCode()).isEqualTo(400);
        assertThat(search.body())
                .contains("这个值不允许", "state 是 delayed、ready、running、dead、completed、cancelled 之一：&#39;rotten&#39;");

        submit("refused", "{\"id\":\"r\",\"topic\":\"t\",\"delay\":\"PT1H\"}");
        HttpResponse<String> form =
                TestConsole.send(admin.form("/job/reschedule", "queue", "refused", "id", "r", "delay", "soon")
                        .header("Sec-Fetch-Site", "same-origin")
                        .header("Accept-Language", "zh"));
        assertThat(form.statusCode()).isEqualTo(400);
        assertThat(form.body()).contains("data-field=\"delay\"", "delay 必须是一段时长");
    }

    @Test
    void showsFiftyFoundJobsAtMostAndGoesOnBehindThem() {
        server.bury("many", "mail", "no", 120);
        Pattern row = Pattern.compile("(?s)<tr data-row.*?<a href=\"[^\"]*id=(many-mail-\\d+)");
        Pattern next = Pattern.compile("href=\"/console(/search\\?q=[^\"]*after=[^\"]*)\"");
        List<String> found = new ArrayList<>();
        String path = "/search?q=queue:many%20state:dead";
        while (path != null) {
            String page = admin.get(path).body();
            List<String> rows =
                    row.matcher(page).results().map(one -> one.group(1)).toList();
            assertThat(rows).hasSizeLessThanOrEqualTo(50);
            found.addAll(rows);
            path = next.matcher(page)
                    .results()
                    .map(one -> one.group(1).replace("&amp;", "&"))
                    .findFirst()
                    .orElse(null);
        }
        assertThat(found).hasSize(120).doesNotHaveDuplicates();
    }

    @Test
    void sendsEveryLookToThoseWhoWatch() throws Exception {
        submit("watched", "{\"id\":\"w\",\"topic\":\"t\",\"delay\":\"PT1H\"}");
        try (Watcher watcher = Watcher.of(admin)) {
            await().until(() -> watcher.messages() >= 3 && watcher.last().contains("watched"));
            assertThat(watcher.last()).contains("<table>").doesNotContain("<html");
        }
    }

    @Test
    void sendsOnlyWhatHasChanged() throws Exception {
        submit("watched-now", "{\"id\":\"w\",\"topic\":\"t\",\"delay\":\"PT1H\"}");
        try (Watcher watcher = Watcher.of(admin)) {
            await().until(() -> watcher.last().contains("watched-now"));
            long before = watcher.bytes();
            int messages = watcher.messages();

            await().until(() -> watcher.messages() >= messages + 5);

            assertThat(watcher.bytes() - before).isLessThan(3L * watcher.last().length());
        }
    }

    @Test
    void sendsToEachWhoWatchesWhatIsTheirs() throws Exception {
        submit("watched-a", "{\"id\":\"w\",\"topic\":\"t\",\"delay\":\"PT1H\"}");
        submit("watched-b", "{\"id\":\"w\",\"topic\":\"t\",\"delay\":\"PT1H\"}");
        TestConsole.Browser guest = server.signedIn(server.token("watches-b", "\"read\"", "\"watched-b\""));
        try (Watcher one = Watcher.of(admin);
                Watcher other = Watcher.of(admin);
                Watcher guests = Watcher.of(guest)) {
            await().until(() -> one.last().contains("watched-a") && other.messages() >= 2 && guests.messages() >= 2);
            assertThat(one.last()).contains("watched-b");
            assertThat(guests.last()).contains("watched-b").doesNotContain("watched-a");
        }
        try (Watcher again = Watcher.of(admin)) {
            await().until(() -> again.messages() >= 2);
            assertThat(again.last()).contains("watched-a", "watched-b");
        }
    }
}
