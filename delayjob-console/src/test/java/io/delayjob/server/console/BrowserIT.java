package io.delayjob.server.console;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.testing.Chromium;
import io.delayjob.testing.RealRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The console in a real browser, with its script. Says why it is skipped where there is none. */
@RealRedis
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init")
class BrowserIT {

    private static final String ENTER = "\uE007";
    private static final String ESCAPE = "\uE00C";

    private TestConsole server;
    private Chromium browser;

    @BeforeAll
    void start() throws Exception {
        Chromium.missing().ifPresent(why -> {
            System.out.println("BrowserIT: " + why);
            Assumptions.abort(why);
        });
        server = TestConsole.start(TestConsole.Kind.NETTY);
        server.bury(
                "orders",
                "mail",
                "java.lang.IllegalStateException: no route\n\tat shop.Mailer.send(Mailer.java:42)",
                60);
        server.api(TestConsole.ADMIN, "/queues/parcels/jobs", "{\"id\":\"p\",\"topic\":\"post\",\"delay\":\"PT1H\"}");
        browser = Chromium.start(1280, 900);
        browser.open(server.url() + "/console");
        browser.type("#token", TestConsole.ADMIN + ENTER);
        sees("Needs attention");
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
        await().atMost(15, SECONDS).until(browser::text, seen -> seen.contains(text));
    }

    private void has(String css) {
        await().atMost(15, SECONDS)
                .until(() -> browser.run("return document.querySelector(\"" + css + "\") !== null")
                        .asBoolean(false));
    }

    @Test
    void findsAFailedJobRedrivesItsGroupAndReadsWhoDidIt() {
        browser.open(server.url() + "/console");
        sees("orders: 60 died within the last hour");
        browser.press("/");
        assertThat(browser.run("return document.activeElement.id").asString("")).isEqualTo("q");
        browser.type("#q", "orders-mail-7" + ENTER);
        sees("1 found");
        await().atMost(5, SECONDS).until(() -> rowOfTheFocus() == 0);
        browser.press(ENTER);
        has("form[action$='/job/redrive']");
        sees("shop.Mailer.send");

        browser.press("e");
        has("tbody tr form button");
        sees("IllegalStateException");
        browser.click("tbody tr form button");
        sees("Redrive 60");
        assertThat(browser.run("return document.getElementById('rate').value").asString(""))
                .isEqualTo("50");
        browser.click("button[value=redrive]");
        await().atMost(15, SECONDS)
                .until(() -> browser.run("const state = document.querySelector('main .tag.good');"
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

    /** The row that has the focus, from 0; -1 if none has. */
    private int rowOfTheFocus() {
        return browser.run("return [...document.querySelectorAll('tr[data-row]')]"
                        + ".indexOf(document.activeElement.closest('tr[data-row]'))")
                .asInt(-1);
    }

    @Test
    void isUsedByTheKeyboard() {
        browser.open(server.url() + "/console");
        await().atMost(10, SECONDS)
                .until(() -> browser.run("return document.querySelectorAll('tr[data-row]').length")
                                .asInt(0)
                        == 2);
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

    /** Waits for the next look of the overview, which takes away what is not its own. */
    private void changesByItself() {
        browser.run("document.querySelector('tr[data-row]').setAttribute('data-mark', '')");
        await().atMost(10, SECONDS)
                .until(() -> browser.run("return document.querySelector('[data-mark]') === null")
                        .asBoolean(false));
    }

    @Test
    void movesThroughWhatASearchFoundAndStaysInTheBoxIfThatIsNothing() {
        browser.open(server.url() + "/console");
        browser.type("#q", "queue:orders" + ENTER);
        sees("60 found");
        await().atMost(5, SECONDS).until(() -> rowOfTheFocus() == 0);
        browser.press("j");
        assertThat(rowOfTheFocus()).isEqualTo(1);
        browser.press("k");
        assertThat(rowOfTheFocus()).isZero();
        assertThat(browser.run("return document.getElementById('q').value").asString(""))
                .isEqualTo("queue:orders");

        browser.open(server.url() + "/console");
        browser.type("#q", "no-such-job" + ENTER);
        sees("Nothing found");
        assertThat(browser.run("return document.activeElement.id").asString("")).isEqualTo("q");
    }
}
