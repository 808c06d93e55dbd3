package io.delayjob.server.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobRequest;
import io.delayjob.testing.Chromium;
import io.delayjob.testing.RealRedis;
import java.time.Duration;
import java.util.Collections;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The session of an application with Spring Security ends while its console is open: its own sign-in leads back to the page. */
@Tag("proof")
@RealRedis
class HostBrowserIT {

    private static final String ENTER = "\uE007";

    @ParameterizedTest
    @EnumSource(TestConsole.Kind.class)
    void leadsToTheSignInOfTheApplicationAndBackToThePage(TestConsole.Kind kind) throws Exception {
        Chromium.assumeFound(HostBrowserIT.class);
        try (TestConsole server = TestConsole.startSecured(HostSecurityIT.FormLogin.class, kind);
                Chromium browser = Chromium.start(1280, 900)) {
            server.bean(DelayJobProducer.class)
                    .submitAll(Collections.nCopies(400, DelayJobRequest.toTopic("hosted")), Duration.ofHours(1));
            browser.open(server.url() + "/console");
            signIn(browser);

            browser.open(server.url() + "/console/runs/new?q=topic:hosted%20state:delayed");
            browser.run("document.getElementById('rate').value = 1");
            browser.click("button[value=run-now]");
            has(browser, "main progress");
            String run = address(browser);
            browser.forgetCookies();
            has(browser, "#username");
            assertThat(browser.text()).as("a page, not a part of one").doesNotContain("Bulk runs");
            signIn(browser);
            has(browser, "main progress");
            assertThat(address(browser)).startsWith(run);

            // The page of a run asks for its progress by itself, and would go to the sign-in before the click; this one
            // stays as it is.
            browser.open(server.url() + "/console/runs/new?q=topic:none");
            browser.forgetCookies();
            browser.click("nav a[href$='/audit']");
            has(browser, "#username");
            assertThat(browser.text()).doesNotContain("Bulk runs");
            signIn(browser);
            await().until(browser::text, seen -> seen.contains("begin-run-now"));
        }
    }

    private static void signIn(Chromium browser) {
        has(browser, "#username");
        browser.type("#username", "operates");
        browser.type("#password", "secret" + ENTER);
        has(browser, "nav a[href$='/errors']");
    }

    private static String address(Chromium browser) {
        return browser.run("return location.pathname").asString("");
    }

    private static void has(Chromium browser, String css) {
        await().untilAsserted(() -> assertThat(browser.run("return document.querySelector(\"" + css + "\") !== null")
                        .asBoolean(false))
                .as(() -> css + " on " + address(browser) + ": " + browser.text())
                .isTrue());
    }
}
