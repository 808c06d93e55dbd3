package io.delayjob.benchmarks.workload;

import io.delayjob.benchmarks.contender.ContenderName;
import io.delayjob.benchmarks.driver.BullBoard;
import io.delayjob.benchmarks.driver.JobServer;
import io.delayjob.benchmarks.driver.RedisStore;
import io.delayjob.benchmarks.driver.Rig;
import io.delayjob.benchmarks.driver.Submit;
import io.delayjob.benchmarks.driver.Waits;
import io.delayjob.testing.Chromium;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Requests, bytes and time until a browser with an empty cache shows a page of the console, compared with bull-board. */
final class Boards {

    private static final double KIB = 1024;
    private static final String ENTER = "\uE007";

    /** Script for the browser: the time since it opened the page, and the requests and bytes of the page. */
    private static final String LOADED = """
            const page = performance.getEntriesByType('navigation')[0];
            const others = performance.getEntriesByType('resource');
            return {
              now: performance.now(),
              requests: 1 + others.length,
              bytes: others.reduce((sum, one) => sum + one.encodedBodySize, page.encodedBodySize)
            };""";

    /** When it painted the first content; null until it has. */
    private static final String PAINTED = """
            const paint = performance.getEntriesByName('first-contentful-paint')[0];
            return paint ? paint.startTime : null;""";

    private Boards() {}

    /** Why it cannot be measured here; nothing if it can. */
    static Optional<String> obstacle() {
        return Chromium.missing();
    }

    static void measure(Trial trial) {
        if (trial.contender() == ContenderName.BULLMQ) {
            bullBoard(trial);
        } else {
            console(trial);
        }
    }

    private static void console(Trial trial) {
        try (RedisStore redis = RedisStore.single();
                Rig rig = trial.rig(redis, List.of(Map.of()));
                JobServer server = JobServer.start(redis, trial.log())) {
            rig.submit(Submit.far("order", trial.size().waiting(), Submit.DAY_MILLIS));
            server.bury("mail", trial.size().dead(), "mail host %d timed out"::formatted);
            String root = server.url() + "/console";
            try (Chromium browser = browser()) {
                browser.open(root);
                browser.type("#token", JobServer.TOKEN + ENTER);
                awaitText(browser, "default");
                measure(trial, browser, "page=queues", root, "mail");
                measure(trial, browser, "page=dead jobs", root + "/queues/mail?state=DEAD", "mail-");
                measure(trial, browser, "page=one dead job", root + "/job?queue=mail&id=mail-7", "timed out");
            }
        }
    }

    private static void bullBoard(Trial trial) {
        try (RedisStore redis = RedisStore.single();
                BullBoard board =
                        BullBoard.start(redis, trial.size().dead(), trial.size().waiting(), trial.log());
                Chromium browser = browser()) {
            measure(trial, browser, "page=queues", board.url() + "/", "mail");
            measure(trial, browser, "page=dead jobs", board.url() + "/queue/mail?status=failed", "mail-");
            measure(trial, browser, "page=one dead job", board.url() + "/queue/mail/mail-7", "timed out");
        }
    }

    private static Chromium browser() {
        try {
            return Chromium.start(1280, 900);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Opens a page again and again, each time as somebody new, until it shows a text. */
    private static void measure(Trial trial, Chromium browser, String variant, String url, String expected) {
        Notebook book = new Notebook(trial.workload(), trial.contender(), variant, Map.of());
        open(browser, url, expected);
        for (int look = 0; look < trial.size().looks(); look++) {
            JsonNode loaded = open(browser, url, expected);
            book.put("requests", loaded.get("requests").doubleValue())
                    .put("pageKibibytes", loaded.get("bytes").doubleValue() / KIB)
                    .put("paintMillis", painted(browser))
                    .put("shownMillis", loaded.get("now").doubleValue());
        }
        trial.add(book);
    }

    private static JsonNode open(Chromium browser, String url, String expected) {
        browser.open("about:blank");
        browser.forget();
        browser.open(url);
        awaitText(browser, expected);
        return browser.run(LOADED);
    }

    private static double painted(Chromium browser) {
        Waits.until("the first paint", () -> !browser.run(PAINTED).isNull());
        return browser.run(PAINTED).doubleValue();
    }

    private static void awaitText(Chromium browser, String expected) {
        Waits.until('"' + expected + '"', () -> browser.text().contains(expected));
    }
}
