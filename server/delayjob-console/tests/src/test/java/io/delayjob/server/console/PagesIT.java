package io.delayjob.server.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.DelayJobSchedules;
import io.delayjob.JobOptions;
import io.delayjob.Schedule;
import io.delayjob.server.console.TestConsole.Browser;
import io.delayjob.testing.Chromium;
import io.delayjob.testing.RealRedis;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/**
 * Every page in a real browser, in both themes, at the widths of a phone, a tablet and a desk, in both languages: axe finds nothing that people
 * could not use, and no page is wider than its window. With {@code -Dconsole.pictures=FOLDER} it leaves a picture of each there.
 */
@Tag("proof")
@RealRedis
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init")
class PagesIT {

    private static final Path TEMPLATES = Path.of("../src/main/resources/io/delayjob/server/console/templates");
    /** Templates that are no pages: the layout, and fragments that pages include. */
    private static final Set<String> PARTS = Set.of("layout", "limits", "parts", "rows", "steps");

    private static final List<Integer> WIDTHS = List.of(390, 1024, 1280);
    /** Only violations are described: what passes need not be found again. */
    private static final String EACH_RULE = "{ resultTypes: ['violations'] }";

    private static final String RULES_OF_COLORS =
            "{ resultTypes: ['violations'], runOnly: ['color-contrast', 'link-in-text-block'] }";
    /** What can differ where the same elements are shown at another width. */
    private static final String RULES_OF_LAYOUT =
            "{ resultTypes: ['violations'], runOnly: ['color-contrast', 'link-in-text-block', 'scrollable-region-focusable'] }";

    /** Which elements of a page are shown. */
    private static final String SHOWN =
            "return [...document.body.querySelectorAll('*')].map(one => one.checkVisibility() ? 1 : 0).join('')";

    private static final String LONG = "a-very-long-id-without-a-space-" + "0123456789abcdef".repeat(5);
    private static final String LONG_QUEUE =
            "a_queue_of_the_longest_name_".repeat(3).substring(0, 64);
    private static final String EVIL = "<img src=x onerror=alert(1)>\\\"'&";
    private static final String TRACE =
            "java.lang.IllegalStateException: order 17 is in state <b>SHIPPED</b>, which nobody expected of an order that was not paid\n\tat shop.orders.confirmation.OrderConfirmationService.confirmTheOrder(OrderConfirmationService.java:118)\n\tat shop.Main.main(Main.java:7)";

    private final TreeMap<String, String> pages = new TreeMap<>();
    private String axe;
    private TestConsole server;

    @BeforeAll
    void start() throws Exception {
        Chromium.assumeFound(PagesIT.class);
        axe = axe();
        server = TestConsole.start(
                TestConsole.Kind.NETTY,
                "delayjob.journal.mode=always",
                "spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        fill(server.signedIn(TestConsole.ADMIN));
    }

    @AfterAll
    void stop() {
        if (server != null) {
            server.close();
        }
    }

    private static String axe() throws IOException {
        try (InputStream in = PagesIT.class.getResourceAsStream("/axe.min.js")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private void submit(String queue, String id, String topic, String delay) {
        server.api(
                TestConsole.ADMIN,
                "/queues/" + queue + "/jobs",
                "{\"id\":\"%s\",\"topic\":\"%s\",\"delay\":\"%s\",\"param\":{\"n\":12345678901234567890123,\"html\":\"%s\",\"password\":\"x\"},\"headers\":{\"h\":\"%s\"}}"
                        .formatted(id, topic, delay, EVIL, EVIL));
    }

    /** Jobs in every state, with names that are hard to show, and the addresses of all pages, each beside its template. */
    private void fill(Browser admin) {
        server.bury("orders", "send-mail", TRACE, 60);
        server.bury("orders", "bill", "card of customer 17 was declined: insufficient funds", 60);
        server.bury("payments", "settle", "超时:支付网关没有在十秒内应答", 2);
        submit("orders", LONG, "close-cart", "PT10M");
        submit("orders", EVIL, EVIL, "PT20M");
        submit("orders", "订单-四十二", "发送邮件", "PT30M");
        submit("a-queue-whose-name-is-rather-long-for-a-phone", "late", "t", "PT0S");
        server.bury(LONG_QUEUE, "x".repeat(60), "no", 2);
        submit(LONG_QUEUE, "in-the-longest", "t", "PT15M");
        server.api(
                TestConsole.ADMIN,
                "/queues/" + LONG_QUEUE + "/claims",
                "{\"max\":1,\"wait\":\"PT0S\",\"worker\":\"%s\"}".formatted("w".repeat(64)));
        admin.post("/queues/" + LONG_QUEUE + "/pause");
        admin.post("/targets/bind", "topic", LONG_QUEUE, "target", "https://example.com/" + "long/".repeat(20));
        submit("held", LONG, "close-cart", "PT0S");
        server.api(TestConsole.ADMIN, "/queues/held/claims", "{\"max\":1,\"wait\":\"PT60S\",\"worker\":\"worker-7\"}");
        server.api(TestConsole.ADMIN, "/queues/payments/pause", "{}");
        admin.post("/queues/limited/limits/set", "concurrency", "40", "key-concurrency", "1", "key-order", "STRICT");
        admin.post(
                "/queues/limited/keys/limit", "key", LONG, "permits", "100", "per", "1m", "burst", "10", "weight", "3");
        for (String id : List.of("first", "second", "third")) {
            server.api(
                    TestConsole.ADMIN,
                    "/queues/limited/jobs",
                    "{\"id\":\"%s\",\"topic\":\"sync\",\"delay\":\"PT0S\",\"key\":\"customer-42\"}".formatted(id));
        }
        server.api(TestConsole.ADMIN, "/queues/limited/claims", "{\"max\":9}");
        admin.post("/queues/limited/keys/pause", "key", EVIL);
        admin.post("/targets/bind", "topic", "hooks", "target", "https://example.com/a/rather/long/address/of/a/hook");
        admin.post("/targets/bind", "topic", "stopped", "target", "https://example.com/hook");
        admin.post("/targets/pause", "topic", "stopped");
        admin.post("/tokens", "name", "a-token-of-the-night-shift", "role", "read", "queues", "orders, payments");
        DelayJobSchedules schedules = server.bean(DelayJobSchedules.class);
        schedules.put(Schedule.cron("nightly-report", "report", "0 30 2 * * *")
                .withQueue("orders")
                .withZone("Europe/Berlin")
                .withOptions(JobOptions.NONE.withMaxAttempts(3).withPriority(7)));
        schedules.put(Schedule.every(LONG, EVIL, Duration.ofMinutes(90)).withQueue(LONG_QUEUE));
        schedules.put(Schedule.every("often", "sync", Duration.ofSeconds(1)).withQueue("orders"));
        schedules.trigger("nightly-report");
        await().until(() -> schedules.find("often").orElseThrow().decisions().size() > 1);
        schedules.pause("often");
        String errors = admin.get("/errors?queue=payments").body();
        String fault = errors.replaceAll("(?s).*?name=\"fault\" value=\"([0-9a-f]+)\".*", "$1");
        admin.post("/errors/ignore", "queue", "payments", "fault", fault);
        HttpResponse<String> begun = admin.post(
                "/runs",
                "q",
                "queue:orders topic:bill state:dead",
                "action",
                "redrive",
                "perSecond",
                "1",
                "expected-redrive",
                "60");
        String run = begun.headers().firstValue("Location").orElseThrow().substring("/console".length());
        admin.post(run + "/pause");
        await().until(() -> admin.get(run).body().contains(">paused<"));
        admin.post("/job/cancel", "queue", "nowhere", "id", LONG);

        pages.put("overview", "");
        pages.put("errors", "/errors");
        pages.put("errors ignored", "/errors?show=ignored");
        pages.put("errors of a queue", "/errors?queue=orders");
        pages.put("group", "/errors/group?queue=payments&fault=" + fault);
        pages.put("errors none", "/errors?show=resolved");
        pages.put("runs", "/runs");
        pages.put("run", run);
        pages.put("run-new", "/runs/new?q=queue:orders");
        pages.put("run-new none", "/runs/new?q=queue:nowhere");
        pages.put("schedule", "/schedule");
        pages.put("recurring", "/recurring");
        pages.put("recurring none", "/recurring?part=none");
        pages.put("recurring-one", "/recurring/schedule?name=nightly-report");
        pages.put(
                "recurring-one backfill",
                "/recurring/backfilling?perSecond=100&from=2024-01-01T00:00:00Z&to=2024-02-01T00:00:00Z&name=nightly-report");
        pages.put("recurring-one paused", "/recurring/schedule?name=often");
        pages.put("recurring-one long", "/recurring/schedule?name=" + LONG);
        pages.put("nodes", "/nodes");
        pages.put("targets", "/targets");
        pages.put("targets change", "/targets?change=hooks");
        pages.put("tokens", "/tokens");
        pages.put("journal", "/journal");
        pages.put("journal compared", "/journal?compare=true");
        pages.put("audit", "/audit");
        pages.put("queue", "/queues/orders?state=DELAYED");
        pages.put("queue dead", "/queues/orders?state=DEAD");
        pages.put("queue limited", "/queues/limited?state=READY");
        pages.put("queue none", "/queues/orders?state=RESERVED");
        pages.put("job delayed", "/job?queue=orders&id=" + LONG);
        pages.put("job", "/job?queue=orders&id=orders-send-mail-7");
        pages.put("job running", "/job?queue=held&id=" + LONG);
        pages.put("job unknown", "/job?queue=orders&id=none");
        pages.put("search", "/search?q=queue:orders");
        pages.put("search none", "/search?q=queue:orders%20topic:none");
        pages.put("search how", "/search?q=");
        pages.put("problem", "/queues/orders?state=ROTTEN");
        pages.put("login", "/login");
    }

    @Test
    void everyTemplateIsAmongThePages() throws IOException {
        assertThat(pages.keySet().stream().map(name -> name.split(" ", -1)[0]).collect(Collectors.toSet()))
                .isEqualTo(templates());
    }

    private static Set<String> templates() throws IOException {
        try (Stream<Path> files = Files.list(TEMPLATES)) {
            return files.map(file -> file.getFileName().toString().replace(".html", ""))
                    .filter(name -> !PARTS.contains(name))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    /** The languages at the same time, each in a browser of its own: nearly all of the time is axe's. */
    @ParameterizedTest
    @ValueSource(strings = {"en", "zh"})
    @Execution(ExecutionMode.CONCURRENT)
    void everyPageIsUsableByAllInEveryThemeAndWidth(String language) throws IOException {
        try (Chromium browser = Chromium.start(1280, 900)) {
            Reader reader = new Reader(browser, language);
            reader.look("login");
            browser.open(server.url() + "/console/login");
            browser.type("#token", TestConsole.ADMIN + "\uE007");
            await().until(browser::text, seen -> seen.contains("token 'admin'"));
            browser.open(server.url() + "/console?lang=" + language);
            for (String page : pages.keySet()) {
                if (!page.equals("login")) {
                    reader.look(page);
                }
            }

            assertThat(reader.findings).isEmpty();
        }
    }

    /** Looks at pages in one language. */
    private final class Reader {

        private final Chromium browser;
        private final String language;
        private final List<String> findings = new ArrayList<>();
        private final Set<String> dialogs = new HashSet<>();

        Reader(Chromium browser, String language) {
            this.browser = browser;
            this.language = language;
        }

        void look(String page) throws IOException {
            String path = Objects.requireNonNull(pages.get(page));
            browser.looksAt(1280, false);
            browser.open(server.url() + "/console" + path + (page.equals("login") ? "?lang=" + language : ""));
            assertThat(browser.run("return document.documentElement.lang").asString(""))
                    .as(page)
                    .isEqualTo(language);
            assertThat(browser.text()).as(page).doesNotContain("The server failed");
            browser.run("document.querySelectorAll('details').forEach(one => one.open = true)");
            browser.run(axe);
            Set<String> shown = new HashSet<>();
            for (int width : WIDTHS) {
                browser.looksAt(width, false);
                boolean isAsBefore = !shown.add(browser.run(SHOWN).asString(""));
                judge(page + " " + language + " " + width + " light", isAsBefore ? RULES_OF_LAYOUT : EACH_RULE);
                if (width > 390) {
                    judgeTables(page + " " + language + " " + width);
                }
                browser.looksAt(width, true);
                // The dark theme changes colors alone, which are the same in both languages.
                judge(page + " " + language + " " + width + " dark", language.equals("en") ? RULES_OF_COLORS : null);
            }
            browser.run("document.getElementById('keys').showModal()");
            judgeDialog("keys", page);
            browser.run("document.getElementById('keys').close()");
            if (!page.equals("login")) {
                browser.run(
                        "document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, bubbles: true }))");
                await().until(() -> browser.run("return document.querySelectorAll('#places [role=option]').length > 9")
                        .asBoolean(false));
                judgeDialog("palette", page);
            }
        }

        /** Judges an open dialog, unless the same was on a page before. */
        private void judgeDialog(String name, String page) throws IOException {
            String content = browser.run("return document.querySelector('dialog[open]').outerHTML")
                    .asString("");
            if (dialogs.add(content)) {
                judge(page + " " + language + " " + name, EACH_RULE);
            }
        }

        /**
         * Notes what is wrong with the page as it looks now.
         *
         * @param rules the options of axe; null not to ask it
         */
        private void judge(String what, @Nullable String rules) throws IOException {
            keepPicture(what);
            if (rules != null) {
                JsonNode found = browser.run("return axe.run(" + rules + ").then(all => all.violations.map(one =>"
                        + " one.id + ': ' + one.help + ' ' + one.nodes.map(node => node.html).join(' ')))");
                found.forEach(one -> findings.add(what + ": " + one.asString("")));
            }
            int over = browser.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
                    .asInt(0);
            if (over > 0) {
                findings.add(what + ": " + over + " px wider than the window");
            }
        }

        /** A table that is too wide can be moved within the page, but its last column is not seen. Phones have no room for them. */
        private void judgeTables(String what) {
            int over = browser.run("return Math.max(0, ...[...document.querySelectorAll('.scroll')]"
                            + ".map(one => one.scrollWidth - one.clientWidth))")
                    .asInt(0);
            if (over > 0) {
                findings.add(what + ": a table is " + over + " px wider than its place");
            }
        }

        private void keepPicture(String what) throws IOException {
            String folder = System.getProperty("console.pictures");
            if (folder != null && !what.endsWith(" keys")) {
                Files.write(
                        Files.createDirectories(Path.of(folder)).resolve(what.replace(' ', '-') + ".png"),
                        browser.picture());
            }
        }
    }
}
