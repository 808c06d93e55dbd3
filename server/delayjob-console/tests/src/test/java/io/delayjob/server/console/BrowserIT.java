package io.delayjob.server.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.redisson.autoconfigure.DelayJobRedis;
import io.delayjob.testing.Chromium;
import io.delayjob.testing.RealRedis;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The console in a real browser, with its script. Says why it is skipped where there is none. */
@RealRedis
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init")
class BrowserIT {

    private static final String ENTER = "\uE007";
    private static final String HOME = "\uE011";
    private static final String RIGHT = "\uE014";
    private static final String UP = "\uE013";
    private static final String DOWN = "\uE015";
    private static final String ESCAPE = "\uE00C";
    private static final String ONE_STREAM = "delayjob.console.limits.live-pages-per-caller=1";

    private TestConsole server;
    private Chromium browser;

    @BeforeAll
    void start() throws Exception {
        Chromium.assumeFound(BrowserIT.class);
        server = TestConsole.start(TestConsole.Kind.NETTY, "delayjob.queues.kept.retention.time=1h");
        server.bury(
                "orders",
                "mail",
                "java.lang.IllegalStateException: no route\n\tat shop.Mailer.send(Mailer.java:42)",
                60);
        server.api(TestConsole.ADMIN, "/queues/parcels/jobs", "{\"id\":\"p\",\"topic\":\"post\",\"delay\":\"PT1H\"}");
        browser = Chromium.start(1280, 900);
    }

    @BeforeEach
    void comeAnew() {
        browser.open(server.url() + "/console");
        // The cookie may be that of another server of this machine.
        if (address().startsWith("/console/login")) {
            signIn();
        }
        sees("Needs attention");
    }

    private void signIn() {
        has("#token");
        browser.type("#token", TestConsole.ADMIN + ENTER);
    }

    @AfterAll
    void stop() {
        if (browser != null) {
            browser.close();
        }
        if (server != null) {
            server.close();
        }
    }

    private void sees(String text) {
        await().until(browser::text, seen -> seen.contains(text));
    }

    private void has(String css) {
        await().untilAsserted(() -> assertThat(browser.run("return document.querySelector(\"" + css + "\") !== null")
                        .asBoolean(false))
                .as(() -> css + " on " + address() + ": " + browser.text())
                .isTrue());
    }

    /** Where the browser is, within the server. */
    private String address() {
        return browser.run("return location.pathname + location.search").asString("");
    }

    /** Marks the page that is loaded, so that it can be told from one that was loaded since. */
    private void mark() {
        browser.run("window.marked = true");
    }

    private boolean isMarked() {
        return browser.run("return window.marked === true").asBoolean(false);
    }

    @Test
    void findsAFailedJobRedrivesItsGroupAndReadsWhoDidIt() {
        browser.open(server.url() + "/console");
        sees("orders: 60 died within the last hour");
        browser.press("/");
        assertThat(browser.run("return document.activeElement.id").asString("")).isEqualTo("q");
        browser.type("#q", "orders-mail-7" + ENTER);
        sees("Exact match.");
        await().until(() -> rowOfTheFocus() == 0);
        browser.press(ENTER);
        has("form[action$='/job/redrive']");
        sees("shop.Mailer.send");

        browser.press("e");
        String group = "tbody tr:has(a[href$='queue=orders']) form button";
        has(group);
        sees("IllegalStateException");
        browser.click("tbody tr:has(a[href$='queue=orders']) summary");
        browser.click(group);
        sees("Redrive 60");
        assertThat(browser.run("return document.getElementById('rate').value").asString(""))
                .isEqualTo("50");
        browser.click("button[value=redrive]");
        await().until(() -> browser.run("const state = document.querySelector('main .tag.good');"
                        + "return state !== null && document.querySelector('progress').value === 100")
                .asBoolean(false));
        sees("60 of 60");
        browser.open(server.url() + "/console/queues/orders?state=DEAD");
        assertThat(browser.text()).doesNotContain("orders-mail-");
        browser.open(server.url() + "/console/queues/orders?state=READY");
        assertThat(browser.text()).contains("orders-mail-");

        browser.click("nav a[href$='/audit']");
        sees("begin-redrive");
    }

    /** A user whose sign-in ends during a run signs in again and is back at the run, which went on meanwhile. */
    @Tag("proof")
    @Test
    void leadsFromARunToTheSignInAndBackToTheRun() {
        server.bury("slow", "mail", "no", 400);
        browser.open(server.url() + "/console/runs/new?q=queue:slow%20state:dead");
        browser.run("document.getElementById('rate').value = 1");
        browser.click("button[value=redrive]");
        has("main progress");
        String run = address();

        browser.forgetCookies();

        has("#token");
        assertThat(browser.run("return document.querySelectorAll('h1').length").asInt(0))
                .as("the sign-in is a page, not a part of one")
                .isEqualTo(1);
        assertThat(browser.text()).contains("Afterwards you are back at", run.substring("/console".length()));
        TestConsole.Browser other = server.signedIn(TestConsole.ADMIN);
        long dead = dead(other);
        await().until(() -> dead(other) < dead);
        browser.type("#token", "a wrong one" + ENTER);
        sees("unknown, revoked or expired");
        signIn();
        has("main progress");
        assertThat(address()).isEqualTo(run);
        browser.click("form[action$='/abort'] button");
        sees("aborted");
    }

    private static long dead(TestConsole.Browser browser) {
        return browser.get("/export.ndjson?q=queue:slow%20state:dead")
                .body()
                .lines()
                .count();
    }

    @Tag("proof")
    @Test
    void aButtonThatIsPressedAfterTheSignInHasEndedDoesNothingAndSaysSo() {
        browser.open(server.url() + "/console/job?queue=parcels&id=p");
        endSignIn();

        browser.click("form[action$='/run-now'] button");

        sees("Your sign-in has ended. What you asked for after that was not done");
        signIn();
        has("form[action$='/run-now']");
        assertThat(address()).isEqualTo("/console/job?queue=parcels&id=p");
    }

    @Tag("proof")
    @Test
    void aListLeadsToTheSignInByItselfWhenThatEndsAndBack() {
        browser.open(server.url() + "/console/queues/parcels?state=DELAYED");
        sees("Delayed 1");

        endSignIn();

        sees("Your sign-in has ended");
        signIn();
        sees("Delayed 1");
        assertThat(address()).isEqualTo("/console/queues/parcels?state=DELAYED");
    }

    /** Ends the sign-in of the browser on the server; the browser has its cookie still. */
    private void endSignIn() {
        server.bean(DelayJobRedis.class)
                .redisson()
                .getKeys()
                .deleteByPattern(server.bean(DelayJobRedis.class).keyPrefix() + "*console:session:*");
    }

    /** A tab that is left open for longer than a sign-in lasts. */
    @Tag("proof")
    @Test
    void anOverviewLeadsToTheSignInByItselfWhenThatEndsAndBack() {
        try (TestConsole brief = TestConsole.start(TestConsole.Kind.NETTY, "delayjob.console.session=20s")) {
            browser.open(brief.url() + "/console?last=24h");
            signIn();
            sees("Needs attention");

            sees("Your sign-in has ended");
            signIn();
            sees("Needs attention");
            assertThat(address()).isEqualTo("/console/?last=24h");
        }
    }

    @Tag("proof")
    @Test
    void anOverviewOutlivesARestartOfTheServerAndLeadsToTheSignInIfThatHasEndedMeanwhile() {
        String prefix = "delayjob.key-prefix=restarted-" + UUID.randomUUID();
        TestConsole first = TestConsole.start(TestConsole.Kind.NETTY, prefix);
        String url = first.url();
        try (first) {
            browser.open(url + "/console?last=24h");
            signIn();
            sees("Needs attention");
            mark();
        }
        sees("No connection to the server");
        browser.run("scrollTo(0, document.body.scrollHeight)");
        assertThat(browser.run("return document.getElementById('away').getBoundingClientRect().top")
                        .asInt(-1))
                .as("seen wherever the page is")
                .isNotNegative();
        String port = "server.port=" + URI.create(url).getPort();
        try (TestConsole second = TestConsole.start(TestConsole.Kind.NETTY, prefix, port)) {
            second.api(TestConsole.ADMIN, "/queues/since/jobs", "{\"topic\":\"t\",\"delay\":\"PT1H\"}");
            sees("since");
            assertThat(browser.text()).doesNotContain("No connection");
            assertThat(isMarked()).as("the page that was open").isTrue();
        }
        sees("No connection to the server");
        browser.forgetCookies();
        try (TestConsole third = TestConsole.start(TestConsole.Kind.NETTY, prefix, port)) {
            signIn();
            sees("since");
            assertThat(third.url()).isEqualTo(url);
            assertThat(address()).isEqualTo("/console/?last=24h");
        }
    }

    @Tag("proof")
    @Test
    void aPageOfAnotherReleaseIsLoadedAnewAndNotMixedWithThisOne() {
        mark();
        browser.run("XMLHttpRequest.prototype.getResponseHeader = () => 'another'");
        browser.click("nav a[href$='/errors']");
        await().until(() -> address().equals("/console/errors") && !isMarked());

        browser.open(server.url() + "/console");
        mark();
        browser.run("performance.now = () => 6e5; const live = document.getElementById('live');"
                + "live.dataset.stream = live.dataset.stream.replace(/assets=\\w+/, 'assets=another');"
                + "document.dispatchEvent(new Event('visibilitychange'))");
        await().until(() -> !isMarked());
        sees("Needs attention");
    }

    /** A clock that is ten minutes fast makes no job ten minutes old. */
    @Tag("proof")
    @Test
    void tellsTimesByTheClockOfTheServer() {
        server.api(TestConsole.ADMIN, "/queues/clock/jobs", "{\"id\":\"c\",\"topic\":\"t\",\"delay\":\"PT5H\"}");
        String job = server.url() + "/console/job?queue=clock&id=c";
        browser.runsBefore("const real = Date.now; Date.now = () => real() + 36e5");
        try {
            browser.open(job);
            await().until(browser::text, seen -> seen.contains("in 5 hr"));
        } finally {
            browser.runsBefore("");
        }
    }

    /** A browser makes six connections to a server at most, and each tab that shows the overview used to hold one of them. */
    @Tag("proof")
    @Test
    void twelveWindowsShareOneStreamAndGiveItUpWhenTheyAreHidden() {
        String first = browser.window();
        List<String> windows = new ArrayList<>();
        try (TestConsole one = TestConsole.start(TestConsole.Kind.NETTY, ONE_STREAM)) {
            browser.open(one.url() + "/console");
            signIn();
            sees("Needs attention");
            for (int more = 0; more < 11; more++) {
                windows.add(browser.openWindow());
                browser.open(one.url() + "/console");
                sees("Needs attention");
            }
            one.api(TestConsole.ADMIN, "/queues/since/jobs", "{\"topic\":\"t\",\"delay\":\"PT1H\"}");
            for (String window : allOf(first, windows)) {
                browser.goTo(window);
                sees("since");
                assertThat(browser.text()).doesNotContain("No connection");
            }

            for (String window : allOf(first, windows)) {
                browser.goTo(window);
                browser.hide();
            }
            windows.add(browser.openWindow());
            browser.open(one.url() + "/console?last=24h");
            await().untilAsserted(
                            () -> assertThat(browser.text()).contains("since").doesNotContain("No connection"));
            changesByItself();
        } finally {
            for (String window : windows) {
                browser.goTo(window);
                browser.closeWindow(first);
            }
        }
    }

    private static List<String> allOf(String first, List<String> others) {
        return Stream.concat(Stream.of(first), others.stream()).toList();
    }

    @Test
    void tellsTheValuesOfAChartToTheKeyboardAndToThePointer() {
        browser.run("document.querySelector('svg.plot').focus({ focusVisible: true })");
        await().until(this::tip, tip -> tip.matches(".+: completed [\\d.,]+, failed [\\d.,]+"));

        browser.press(HOME);
        await().until(this::tip, tip -> tip.endsWith("completed 0, failed 0"));
        String first =
                browser.run("return document.querySelector('.tip').style.left").asString("");
        browser.press(RIGHT);
        await().until(() -> !first.equals(
                browser.run("return document.querySelector('.tip').style.left").asString("")));

        browser.run("document.activeElement.blur()");
        await().until(() -> tip().isEmpty());
        browser.run(
                "const chart = document.querySelectorAll('svg.plot')[2], box = chart.getBoundingClientRect();"
                        + "chart.dispatchEvent(new PointerEvent('pointermove', { bubbles: true, clientX: box.right, clientY: box.top }))");
        assertThat(tip()).matches(".+: p99 .+, p50 .+");
    }

    /** The values that a chart shows of one of its moments; empty if it shows none. */
    private String tip() {
        return browser.run("const tip = document.querySelector('.tip'); return tip && !tip.hidden ? tip.innerText : ''")
                .asString("");
    }

    @Tag("proof")
    @Test
    void showsThirtyGroupsOfErrorsOnAScreen() {
        for (int group = 0; group < 30; group++) {
            server.bury(
                    "many-errors", "t" + group, "shop.Fault" + group + ": no\n\tat shop.A.b" + group + "(A.java:1)", 1);
        }
        browser.open(server.url() + "/console/errors?queue=many-errors");

        assertThat(browser.run("return document.querySelectorAll('tr[data-row]').length")
                        .asInt(0))
                .isEqualTo(30);
        assertThat(browser.run(
                                "return document.querySelector('tr[data-row]:last-child').getBoundingClientRect().bottom")
                        .asDouble(9999))
                .as("within the height of a common screen")
                .isLessThan(1080);
    }

    @Test
    void leadsFromAMomentOfAChartToItsJobs() {
        browser.open(server.url() + "/console/errors?queue=orders");
        browser.click("tbody a[href*='/errors/group']");
        has("svg.plot[data-find]");

        String died = opensTheLastMoment("died");

        await().until(() -> address().startsWith("/console/search?q=queue%3Aorders"));
        sees("orders-mail-");
        // A page shows at most 50 jobs.
        sees(Math.min(50, Integer.parseInt(died)) + " found");
        assertThat(browser.run("return document.getElementById('q').value").asString(""))
                .matches("queue:orders fault:[0-9a-f]{16} died:\\S+Z\\.\\.\\S+Z");
    }

    @Tag("proof")
    @Test
    void leadsFromAMomentOfTheChartOfAttemptsToTheJobsThatEndedThen() {
        // A job that ends with a moment may be counted in the next one, if the server stands still between the two.
        await().until(() -> {
            server.settle(server.claim("kept"), "complete");
            browser.open(server.url() + "/console?queue=kept");
            await().until(() -> !opensTheLastMoment("completed").isEmpty());
            await().until(() -> address().startsWith("/console/search?q=queue%3Akept"));
            await().until(browser::text, seen -> seen.contains(" found. Looked at "));
            return browser.run("return document.querySelector('td .tag.COMPLETED') !== null")
                    .asBoolean(false);
        });
        assertThat(browser.run("return document.getElementById('q').value").asString(""))
                .matches("queue:kept ended:\\S+Z\\.\\.\\S+Z");
    }

    @Tag("proof")
    @Test
    void leadsFromAMomentOfTheChartOfAttemptsToTheJobsThatDiedThenIfNoneCompleted() {
        // Each try has a job and, at the latest after five seconds, a moment of its own, as that of an earlier one may
        // have counted it late.
        server.settle(server.claim("kept"), "complete");
        await().pollInterval(Duration.ofSeconds(1)).until(() -> {
            server.settle(server.claim("kept"), "bury");
            browser.open(server.url() + "/console?queue=kept");
            if (opensTheLastMoment("failed").isEmpty()) {
                return false;
            }
            await().until(() -> address().startsWith("/console/search?q=queue%3Akept%20died%3A"));
            await().until(browser::text, seen -> seen.contains(" found. Looked at "));
            return browser.run("return document.querySelector('td .tag.DEAD') !== null")
                    .asBoolean(false);
        });
    }

    /**
     * Clicks on the last moment of the first chart at which a line is not zero and those before it are, and answers its value; does nothing, and answers
     * nothing, if there is none.
     */
    private String opensTheLastMoment(String line) {
        return browser.run("const chart = document.querySelector('svg.plot[data-find]'); if (!chart) return '';"
                        + "const lines = [...chart.querySelectorAll('[data-values]')];"
                        + "const at = lines.findIndex(one => one.dataset.name === '" + line + "');"
                        + "const all = lines.map(one => one.dataset.values.split('|')), values = all[at];"
                        + "const moment = values.findLastIndex((value, n) => value !== '0' && all.slice(0, at).every(one => one[n] === '0'));"
                        + "if (moment < 0) return '';"
                        + "const box = chart.getBoundingClientRect();"
                        + "const clientX = box.left + box.width * moment / (values.length - 1);"
                        + "chart.dispatchEvent(new PointerEvent('pointermove', { bubbles: true, clientX, clientY: box.top }));"
                        + "chart.dispatchEvent(new MouseEvent('click', { bubbles: true }));"
                        + "return values[moment]")
                .asString("");
    }

    @Test
    void countsOnWhileTheListOfAQueueStaysAsItIs() {
        server.api(TestConsole.ADMIN, "/queues/growing/jobs", "{\"id\":\"g-1\",\"topic\":\"t\",\"delay\":\"PT1H\"}");
        browser.open(server.url() + "/console/queues/growing?state=DELAYED");
        sees("Delayed 1");

        server.api(TestConsole.ADMIN, "/queues/growing/jobs", "{\"id\":\"g-2\",\"topic\":\"t\",\"delay\":\"PT1H\"}");
        server.api(TestConsole.ADMIN, "/queues/growing/pause", "");

        sees("Delayed 2");
        sees("paused");
        assertThat(browser.text()).contains("g-1").doesNotContain("g-2");
    }

    /** A formatter takes longer to make than a thousand texts to format. */
    @Test
    void makesOneFormatterForAllTimesOfAPage() {
        browser.runsBefore("window.made = 0; Intl.RelativeTimeFormat = class extends Intl.RelativeTimeFormat {"
                + "constructor(...all) { super(...all); window.made++; } }");
        try {
            browser.open(server.url() + "/console/search?q=queue:orders");
            sees("50 found");
            await().until(() -> browser.run("return document.querySelectorAll('time[title]').length")
                            .asInt(0)
                    == 50);
            assertThat(browser.run("return window.made").asInt(0)).isEqualTo(1);
        } finally {
            browser.runsBefore("");
        }
    }

    @Test
    void saysBesideAFieldWhyItIsRefusedAndKeepsTheForm() {
        browser.open(server.url() + "/console/job?queue=parcels&id=p");
        browser.run("document.querySelector('input[name=delay]').value = ''");
        browser.type("input[name=delay]", "soon" + ENTER);

        has("input[name=delay][aria-invalid] + .refused");
        assertThat(browser.text()).contains("delay must be a duration such as 30s, 5m, 2h or 1d: 'soon'");
        assertThat(browser.run("return document.activeElement.name + document.activeElement.value")
                        .asString(""))
                .isEqualTo("delaysoon");

        browser.run("document.querySelector('details.card').open = true;"
                + "document.querySelector('input[name=priority]').removeAttribute('max')");
        browser.type("input[name=priority]", "10" + ENTER);
        has("input[name=priority][aria-invalid] + .refused");
        assertThat(browser.text()).contains("priority must be 0 to 9: '10'");

        browser.type("#q", "state:rotten" + ENTER);
        has("form.find .refused");
        assertThat(address()).isEqualTo("/console/job?queue=parcels&id=p");
    }

    @Test
    void selectsJobsByPointerAndByKeyAndAsksWhatToDoWithThem() {
        server.bury("picky", "mail", "no route", 3);
        server.api(TestConsole.ADMIN, "/queues/picky/jobs", "{\"id\":\"waits\",\"topic\":\"t\",\"delay\":\"PT1H\"}");
        browser.open(server.url() + "/console/search?q=queue:picky");
        sees("4 found");
        assertThat(usable()).isEmpty();

        browser.click("[data-all]");
        sees("4 selected");
        assertThat(usable()).isEqualTo("redrive run-now reschedule cancel purge");
        sees("Redrive (3)");
        browser.run("window.asked = []; window.confirm = text => { asked.push(text); return false; }");
        browser.click("#picked [value=purge]");
        browser.click("#picked [value=cancel]");
        assertThat(browser.run("return asked.join()").asString(""))
                .isEqualTo("Delete 3 dead jobs of queue picky for good? This cannot be undone.,"
                        + "Cancel 1 jobs of queue picky? What runs of them is interrupted. This cannot be undone.");

        browser.click("[value='picky/DELAYED/waits']");
        sees("3 selected");
        assertThat(usable()).isEqualTo("redrive purge");
        browser.run("document.activeElement.blur()");
        browser.press("j");
        browser.press("x");
        assertThat(browser.run("return document.querySelectorAll('[name=job]:checked').length")
                        .asInt(0))
                .isIn(2, 4);
        browser.run(
                "document.querySelectorAll('[name=job]').forEach(box => { box.checked = box.value.endsWith('-1'); });"
                        + "document.querySelector('[name=job]').dispatchEvent(new Event('change', { bubbles: true }))");
        browser.click("#picked [value=redrive]");

        sees("1 done.");
        assertThat(address()).startsWith("/console/search?q=queue:picky").contains("notice=selected");
        sees("Ready");
    }

    @Tag("proof")
    @Test
    void followsAJobThatRunsAndKeepsWhatSomebodyWrites() {
        String handle = server.claim("followed");
        browser.open(server.url() + "/console/queues/followed?state=RESERVED");
        browser.click("tr[data-row] a");
        has("textarea");
        browser.run("document.querySelector('details.card').open = true;"
                + "document.querySelector('textarea').value = 'mine'");

        server.settle(handle, "bury");

        sees("Redrive");
        assertThat(browser.run("return document.querySelector('textarea').value")
                        .asString(""))
                .isEqualTo("mine");
        assertThat(browser.run("return document.querySelector('[data-follow]') === null")
                        .asBoolean(false))
                .as("a job that is dead is not followed")
                .isTrue();
    }

    /** The actions on the selected jobs that can be pressed. */
    private String usable() {
        return browser.run(
                        "return [...document.querySelectorAll('#picked button:enabled')].map(act => act.value).join(' ')")
                .asString("");
    }

    /** The row that has the focus, from 0; -1 if none has. */
    private int rowOfTheFocus() {
        return browser.run("return [...document.querySelectorAll('tr[data-row]')]"
                        + ".indexOf(document.activeElement.closest('tr[data-row]'))")
                .asInt(-1);
    }

    @Tag("proof")
    @Test
    void isUsedByTheKeyboard() {
        browser.open(server.url() + "/console");
        await().until(() -> browser.run("return document.querySelectorAll('tr[data-row]').length")
                        .asInt(0)
                >= 2);
        browser.press("j");
        assertThat(rowOfTheFocus()).isZero();
        changesByItself();
        browser.press("j");
        assertThat(rowOfTheFocus()).isEqualTo(1);
        browser.press("k");
        assertThat(rowOfTheFocus()).isZero();

        browser.press("/");
        assertThat(rowOfTheFocus()).isEqualTo(-1);
        browser.press(ESCAPE);
        browser.press("j");
        assertThat(rowOfTheFocus()).isZero();
        browser.press("?");
        assertThat(browser.run("return document.getElementById('keys').open").asBoolean(false))
                .isTrue();
        assertThat(browser.text()).contains("leave the search box");
    }

    @Test
    void sortsTheRowsThatAreShown() {
        browser.open(server.url() + "/console/search?q=queue:orders%20state:dead");
        String when = "thead th:nth-last-child(2) button.sort";
        has(when);
        browser.click(when);
        assertThat(sorting()).isEqualTo("ascending");
        List<String> times = shownTimes();
        assertThat(times).hasSizeGreaterThan(2).isSorted();
        browser.click(when);
        assertThat(sorting()).isEqualTo("descending");
        assertThat(shownTimes()).isSortedAccordingTo(Comparator.reverseOrder());
        assertThat(browser.run("return document.querySelector('tbody tr:last-child td').className")
                        .asString(""))
                .isEqualTo("status");
    }

    private String sorting() {
        return browser.run("return document.querySelector('[aria-sort]').ariaSort")
                .asString("");
    }

    private List<String> shownTimes() {
        return browser.run("return [...document.querySelectorAll('tr[data-row] time')].map(one => one.dateTime)")
                .valueStream()
                .map(one -> one.asString(""))
                .toList();
    }

    /** A key that is pressed while a page is still being shown may go to the page before. */
    private void opensThePalette() {
        await().until(() -> {
            if (!isPaletteOpen()) {
                browser.pressWithControl("k");
            }
            return isPaletteOpen();
        });
    }

    private boolean isPaletteOpen() {
        return browser.run("return document.getElementById('palette')?.open === true")
                .asBoolean(false);
    }

    private String chosen() {
        return browser.run("return document.querySelector('#places [aria-selected=true]')?.textContent ?? ''")
                .asString("");
    }

    @Test
    void goesAnywhereByAFewLetters() {
        browser.open(server.url() + "/console/errors");
        opensThePalette();
        browser.type("#palette input", "order");
        await().until(this::chosen, "Queue orders"::equals);
        browser.press(ENTER);
        await().until(() -> browser.run("return location.pathname").asString(""), "/console/queues/orders"::equals);

        opensThePalette();
        browser.type("#palette input", "NODE");
        await().until(this::chosen, "Nodes"::equals);
        browser.press(DOWN);
        assertThat(chosen()).isEqualTo("Search for NODE");
        browser.press(UP);
        assertThat(chosen()).isEqualTo("Nodes");
        browser.press(ESCAPE);
        assertThat(isPaletteOpen()).isFalse();

        opensThePalette();
        browser.type("#palette input", "orders-mail-7" + ENTER);
        sees("Exact match.");
    }

    @Tag("proof")
    @Test
    void offersTheNamesOfTheQueuesWhereOneIsWritten() {
        browser.open(server.url() + "/console/targets");
        browser.run("document.querySelectorAll('details').forEach(one => { one.open = true; })");
        browser.click("input[list=queues]");

        await().until(() -> browser.run(
                        "return [...document.querySelectorAll('#queues option')].map(one => one.value).join()")
                .asString("")
                .contains("orders"));
    }

    /** Waits for the next look of the overview, which takes away what is not its own. */
    private void changesByItself() {
        browser.run("document.querySelector('tr[data-row]').setAttribute('data-mark', '')");
        await().until(() -> browser.run("return document.querySelector('[data-mark]') === null")
                .asBoolean(false));
    }

    @Tag("proof")
    @Test
    void movesThroughWhatASearchFoundAndStaysInTheBoxIfThatIsNothing() {
        browser.open(server.url() + "/console");
        browser.type("#q", "queue:orders" + ENTER);
        sees("50 found");
        await().until(() -> rowOfTheFocus() == 0);
        browser.press("j");
        assertThat(rowOfTheFocus()).isEqualTo(1);
        browser.press("k");
        assertThat(rowOfTheFocus()).isZero();
        assertThat(browser.run("return document.getElementById('q').value").asString(""))
                .isEqualTo("queue:orders");

        browser.open(server.url() + "/console");
        browser.type("#q", "no-such-job" + ENTER);
        // A machine that stands still meanwhile looks in two parts, the second of which only counts.
        await().until(browser::text, seen -> seen.contains("Nothing found") || seen.contains("\n0 found"));
        assertThat(browser.run("return document.activeElement.id").asString("")).isEqualTo("q");
    }
}
